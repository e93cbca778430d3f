# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of mmiotrace-wizard(1) for fish.

function __mmiotrace_wizard_devices
    for path in /sys/bus/pci/devices/*
        set -l driver (readlink $path/driver | string split -r -m 1 -f 2 /)
        printf '%s\t%s\n' (string split -r -m 1 -f 2 / $path) "$driver"
    end
end

function __mmiotrace_wizard_drivers
    for path in /sys/bus/pci/drivers/*
        string split -r -m 1 -f 2 / $path
    end
end

# Root only, as the sessions are.
function __mmiotrace_wizard_sessions
    set -l folder /var/lib/mmiotrace-wizard
    set -q MTW_STATE_DIR; and set folder $MTW_STATE_DIR
    for path in $folder/sessions/*
        string split -r -m 1 -f 2 / $path
    end
end

function __mmiotrace_wizard_profiles
    set -l folder /usr/share/mmiotrace-wizard
    set -q MTW_DATA_DIR; and set folder $MTW_DATA_DIR
    for path in {$folder,/etc/mmiotrace-wizard,~/.config/mmiotrace-wizard}/profiles/*.conf
        basename $path .conf
    end
end

function __mmiotrace_wizard_targets
    set -l folder /usr/share/mmiotrace-wizard
    set -q MTW_DATA_DIR; and set folder $MTW_DATA_DIR
    for path in {$folder,/etc/mmiotrace-wizard,~/.config/mmiotrace-wizard}/targets.d/*.conf
        basename $path .conf
    end
end

function __mmiotrace_wizard_reports
    set -l folder ~/.local/state
    set -q XDG_STATE_HOME; and set folder $XDG_STATE_HOME
    for path in $folder/mmiotrace-wizard/queue/*
        string split -r -m 1 -f 2 / $path
    end
end

set -l verbs check devices verify recover attach next-boot sessions show review pack upload queue profiles targets open
set -l walk "not __fish_seen_subcommand_from $verbs"

complete -c mmiotrace-wizard -f
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a check -d 'Can this machine, and a device of it, be traced?'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a devices -d 'PCI devices, and how each can be traced'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a verify -d 'What a trace or an archive is worth'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a recover -d 'Undo what a run that died left behind'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a attach -d 'Go on with a capture that the service is making'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a next-boot -d 'What waits for the next start of the computer'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a sessions -d 'List the captures made on this computer'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a show -d 'Everything about one capture'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a review -d 'Look through what is packed, and decide about it'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a pack -d 'Make the archive of an earlier capture, or of a trace'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a profiles -d 'What driver projects ask for'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a upload -d 'Send an archive to a driver project'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a queue -d 'Reports on their way: list, send, drop'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a targets -d 'Where reports can be sent'
complete -c mmiotrace-wizard -n "__fish_use_subcommand" -a open -d 'What is in an archive'

complete -c mmiotrace-wizard -l json -d 'Print one JSON object per line'
complete -c mmiotrace-wizard -s h -l help -d 'Print a summary of the options'

complete -c mmiotrace-wizard -n "$walk" -s b -l batch -d 'Ask nothing'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from check" -s d -l device -x -a '(__mmiotrace_wizard_devices)' -d 'PCI device'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from check" -l driver -x -a '(__mmiotrace_wizard_drivers)' -d 'Driver to trace'
complete -c mmiotrace-wizard -n "$walk" -l profile -x -a '(__mmiotrace_wizard_profiles)' -d 'What this driver project asks for'
complete -c mmiotrace-wizard -n "$walk" -l driver-options -x -d 'Module options for the traced load only'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from recover attach review pack" -s n -l nick -x -d 'Your nickname'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from review pack" -l model -x -d 'Name of the device in the name of the file'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from recover attach review pack" -s o -l output -x -a '(__fish_complete_directories)' -d 'Folder for the archive'
complete -c mmiotrace-wizard -n "$walk" -s e -l exercise -x -a '(__fish_complete_command)' -d 'Run this when the driver is up'
complete -c mmiotrace-wizard -n "$walk" -s m -l mark -x -d 'Set a marker when the driver is up'
complete -c mmiotrace-wizard -n "$walk" -l duration -x -d 'Seconds after the driver is up'
complete -c mmiotrace-wizard -n "$walk" -l scenario -r -F -d 'Steps to do while tracing'
complete -c mmiotrace-wizard -n "$walk" -l answers -r -F -d 'Answers to questions'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from review pack" -l describe-file -r -F -d 'Text for the description'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from review pack" -l redact -x -a 'yes no' -d 'Mask private values in the text files'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from review pack" -l redact-word -x -d 'Mask this word too'
complete -c mmiotrace-wizard -n "$walk" -l on-lost -x -a 'retry keep fail' -d 'When events are lost'
complete -c mmiotrace-wizard -n "$walk" -l max-retries -x -d 'How often to try again'
complete -c mmiotrace-wizard -n "$walk" -l buffer-kb -x -d 'Size of the buffer of the kernel'
complete -c mmiotrace-wizard -n "$walk" -l no-load-driver -d 'You load the driver yourself'
complete -c mmiotrace-wizard -n "$walk" -l next-boot -d 'Trace at the next start of the computer'
complete -c mmiotrace-wizard -n "$walk" -l version -d 'Print the version'

complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from verify open upload" -F
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from profiles; and not __fish_seen_subcommand_from list show check" -a 'list show check'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from profiles; and __fish_seen_subcommand_from show" -a '(__mmiotrace_wizard_profiles)'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from profiles; and __fish_seen_subcommand_from check" -F
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from targets; and not __fish_seen_subcommand_from list show check test-auth" -a 'list show check test-auth'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from targets; and __fish_seen_subcommand_from show test-auth" -a '(__mmiotrace_wizard_targets)'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from targets; and __fish_seen_subcommand_from check" -F
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from targets" -s a -l all -d 'List also those that are switched off'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from upload queue targets" -l token-file -r -F -d 'Token or password of the target'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from upload queue targets" -l token-fd -x -d 'The same from an open file'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from recover show review pack; and not __fish_seen_subcommand_from profiles targets queue" -a '(__mmiotrace_wizard_sessions)'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from recover" -l reset -d 'Switch off a tracer that no session knows about'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from next-boot" -l cancel -d 'Take it back'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from sessions" -l delete -x -a '(__mmiotrace_wizard_sessions)' -d 'Delete a session and its trace'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from pack" -l trace -r -F -d 'Pack this trace, made by hand elsewhere'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from pack" -s d -l device -x -d 'PCI ids of its device'

complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from upload" -l target -x -a '(__mmiotrace_wizard_targets)' -d 'Send it there'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from upload" -l issue -x -d 'Add it to the report with this address'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from upload" -l consent-upload -d 'You agree that it is sent'
complete -c mmiotrace-wizard -n "$walk; or __fish_seen_subcommand_from upload" -l no-network -d 'Prepare it, and send it later'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from upload queue" -s y -l yes -d 'Ask for consent and secrets only'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from queue; and not __fish_seen_subcommand_from list show send drop" -a 'list show send drop'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from queue; and __fish_seen_subcommand_from show send drop" -a '(__mmiotrace_wizard_reports)'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from queue" -s a -l all -d 'All that wait'
complete -c mmiotrace-wizard -n "__fish_seen_subcommand_from queue" -l due -d 'Those whose time for the next try has come'
