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
	devices | verify | show | profiles | open) echo "--json --help" ;;
	targets) echo "--all --token-file --token-fd --json --help" ;;
	upload) echo "--target --issue --consent-upload --no-network --token-file --token-fd --yes --json --help" ;;
	queue) echo "--all --due --yes --token-file --token-fd --json --help" ;;
	recover) echo "--nick --output --reset --json --help" ;;
	attach) echo "--nick --output --json --help" ;;
	next-boot) echo "--cancel --json --help" ;;
	sessions) echo "--delete --json --help" ;;
	review) echo "--nick --model --output --describe-file --redact --redact-word --json --help" ;;
	pack)
		echo "--nick --model --output --describe-file --redact --redact-word --trace --device --json --help"
		;;
	*)
		echo "--batch --device --driver --profile --driver-options --nick --model --output --exercise --mark" \
			"--duration --scenario --answers --describe-file --redact --redact-word --on-lost --max-retries --buffer-kb --no-load-driver --next-boot" \
			"--target --issue --consent-upload --no-network --token-file --token-fd --json --version --help"
		;;
	esac
}

# The names of the profiles.
_mmiotrace_wizard_profiles()
{
	local folder path
	for folder in "${MTW_DATA_DIR:-/usr/share/mmiotrace-wizard}" /etc/mmiotrace-wizard ~/.config/mmiotrace-wizard; do
		for path in "$folder"/profiles/*.conf; do
			[[ -e $path ]] && basename "$path" .conf
		done
	done
}

# The ids of the targets.
_mmiotrace_wizard_targets()
{
	local folder path
	for folder in "${MTW_DATA_DIR:-/usr/share/mmiotrace-wizard}" /etc/mmiotrace-wizard ~/.config/mmiotrace-wizard; do
		for path in "$folder"/targets.d/*.conf; do
			[[ -e $path ]] && basename "$path" .conf
		done
	done | sort -u
}

# What the person agreed to send; of others nothing can be seen.
_mmiotrace_wizard_reports()
{
	local path
	for path in "${XDG_STATE_HOME:-$HOME/.local/state}"/mmiotrace-wizard/queue/*; do
		[[ -e $path ]] && printf '%s\n' "${path##*/}"
	done
}

# What may stand where the cursor is, a word a line; files and folders are asked for by a first line "-f" or "-d".
_mmiotrace_wizard_words()
{
	local verb=$1 previous=$2 current=$3
	case $previous in
	-d | --device) [[ $verb == pack ]] || _mmiotrace_wizard_devices ;;
	--driver) _mmiotrace_wizard_drivers ;;
	--profile) _mmiotrace_wizard_profiles ;;
	--delete) _mmiotrace_wizard_sessions ;;
	--on-lost) printf '%s\n' retry keep fail ;;
	--redact) printf '%s\n' yes no ;;
	--target) _mmiotrace_wizard_targets ;;
	-o | --output) echo -d ;;
	--scenario | --answers | --describe-file | --trace | --token-file) echo -f ;;
	-e | --exercise) compgen -c -- "$current" ;;
	-n | --nick | --model | -m | --mark | --duration | --max-retries | --buffer-kb | --redact-word | --driver-options | --token-fd | --issue) ;;
	*)
		if [[ $current == -* ]]; then
			_mmiotrace_wizard_options "$verb" | tr ' ' '\n'
		elif [[ $verb == @(verify|open|upload) ]]; then
			echo -f
		elif [[ $verb == @(recover|show|review|pack) ]]; then
			_mmiotrace_wizard_sessions
		elif [[ $verb == profiles ]]; then
			case $previous in
			profiles) printf '%s\n' list show check ;;
			show) _mmiotrace_wizard_profiles ;;
			check) echo -f ;;
			esac
		elif [[ $verb == queue ]]; then
			case $previous in
			queue) printf '%s\n' list show send drop ;;
			list) ;;
			*) _mmiotrace_wizard_reports ;;
			esac
		elif [[ $verb == targets ]]; then
			case $previous in
			targets) printf '%s\n' list show check test-auth ;;
			show | test-auth) _mmiotrace_wizard_targets ;;
			check) echo -f ;;
			esac
		elif [[ $previous == "${COMP_WORDS[0]}" ]]; then
			printf '%s\n' check devices verify recover attach next-boot sessions show review pack upload queue profiles targets open
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
	check | devices | verify | recover | attach | next-boot | sessions | show | review | pack | upload | queue | profiles | targets | open) verb=${words[1]} ;;
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
