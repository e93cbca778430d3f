# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of mmiotrace-wizard(1) for bash.

_mmiotrace_wizard_devices()
{
	local path
	for path in /sys/bus/pci/devices/*; do
		[[ -e $path ]] && printf '%s\n' "${path##*/}"
	done
}

_mmiotrace_wizard_drivers()
{
	local path
	for path in /sys/bus/pci/drivers/*; do
		[[ -e $path ]] && printf '%s\n' "${path##*/}"
	done
}

# Root only, as the sessions are.
_mmiotrace_wizard_sessions()
{
	local path
	for path in "${MTW_STATE_DIR:-/var/lib/mmiotrace-wizard}"/sessions/*; do
		[[ -e $path ]] && printf '%s\n' "${path##*/}"
	done
}

# The options of a verb, or without one of the walk and of --batch.
_mmiotrace_wizard_options()
{
	case $1 in
	check) echo "--device --driver --json --help" ;;
	devices | verify | show) echo "--json --help" ;;
	recover) echo "--nick --output --reset --json --help" ;;
	sessions) echo "--delete --json --help" ;;
	pack) echo "--nick --model --output --describe-file --json --help" ;;
	*)
		echo "--batch --device --driver --nick --model --output --exercise --mark --duration --scenario --answers" \
			"--describe-file --on-lost --max-retries --buffer-kb --no-load-driver --json --version --help"
		;;
	esac
}

# What may stand where the cursor is, a word a line; files and folders are asked for by a first line "-f" or "-d".
_mmiotrace_wizard_words()
{
	local verb=$1 previous=$2 current=$3
	case $previous in
	-d | --device) _mmiotrace_wizard_devices ;;
	--driver) _mmiotrace_wizard_drivers ;;
	--delete) _mmiotrace_wizard_sessions ;;
	--on-lost) printf '%s\n' retry keep fail ;;
	-o | --output) echo -d ;;
	--scenario | --answers | --describe-file) echo -f ;;
	-e | --exercise) compgen -c -- "$current" ;;
	-n | --nick | --model | -m | --mark | --duration | --max-retries | --buffer-kb) ;;
	*)
		if [[ $current == -* ]]; then
			_mmiotrace_wizard_options "$verb" | tr ' ' '\n'
		elif [[ $verb == verify ]]; then
			echo -f
		elif [[ $verb == @(recover|show|pack) ]]; then
			_mmiotrace_wizard_sessions
		elif [[ $previous == "${COMP_WORDS[0]}" ]]; then
			printf '%s\n' check devices verify recover sessions show pack
		fi
		;;
	esac
}

# A PCI address has colons, at which bash splits words; so the line is split here.
_mmiotrace_wizard()
{
	local line=${COMP_LINE:0:COMP_POINT} verb="" words candidates
	read -ra words <<<"$line"
	[[ $line == *[[:space:]] ]] && words+=("")
	local current=${words[-1]} previous=${words[-2]-}
	case ${words[1]-} in
	check | devices | verify | recover | sessions | show | pack) verb=${words[1]} ;;
	esac
	((${#words[@]} == 2)) && verb=""
	if [[ $current == --*=* ]]; then
		previous=${current%%=*} current=${current#*=}
	fi
	mapfile -t candidates < <(_mmiotrace_wizard_words "$verb" "$previous" "$current")
	case ${candidates[0]-} in
	-f | -d)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen "${candidates[0]}" -- "$current")
		return
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "${candidates[*]}" -- "$current")
	# What stands before the last colon is on the command line already.
	[[ $current == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
}

complete -F _mmiotrace_wizard mmiotrace-wizard
