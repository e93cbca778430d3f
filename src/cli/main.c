/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmiotrace-wizard: finds the verb. Without one: the walk, or --batch. */
#include "cli/cli.h"
#include "config.h"
#include "wizard/hand-over.h"

#include <fcntl.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *name;
	MtwVerb run;
	const char *summary;
} verbs[] = {
	{ "check", mtw_verb_check, N_("Can this computer, and a device of it, be traced?") },
	{ "devices", mtw_verb_devices, N_("PCI devices, and how each can be traced") },
	{ "verify", mtw_verb_verify, N_("What a trace or an archive is worth") },
	{ "recover", mtw_verb_recover, N_("Undo what a run that died left behind") },
	{ "attach", mtw_verb_attach, N_("Go on with a capture that the service is making") },
	{ "next-boot", mtw_verb_next_boot, N_("What waits for the next start of the computer") },
	{ "sessions", mtw_verb_sessions, N_("List the captures made on this computer") },
	{ "show", mtw_verb_show, N_("Everything about one capture") },
	{ "review", mtw_verb_review, N_("Look through what is packed, and decide about it") },
	{ "pack", mtw_verb_pack, N_("Make the archive of an earlier capture, or of a trace") },
	{ "profiles", mtw_verb_profiles, N_("What driver projects ask for") },
	{ "targets", mtw_verb_targets, N_("Where reports can be sent") },
	{ "open", mtw_verb_open, N_("What is in an archive") },
	{ "upload", mtw_verb_upload, N_("Send an archive to a driver project") },
	{ "queue", mtw_verb_queue, N_("Reports on their way: list, send, drop") },
};

static void print_help(void)
{
	puts(_("Usage: mmiotrace-wizard [OPTION...]          the walk, on a terminal"));
	puts(_("       mmiotrace-wizard --batch --device BDF --nick NAME [OPTION...]"));
	puts(_("       mmiotrace-wizard VERB [OPTION...]"));
	puts(_("\nVerbs:"));
	for (gsize i = 0; i < G_N_ELEMENTS(verbs); i++)
		printf("  %-10s %s\n", verbs[i].name, _(verbs[i].summary));
	puts(_("\nEvery verb has --help and --json. Options of the walk and of --batch:"));
	puts(_("  -b, --batch            ask nothing; needs --device and --nick\n"
	       "  -d, --device BDF       the PCI device, like 0000:01:00.0\n"
	       "      --driver NAME      trace this driver, not the usual one\n"
	       "  -n, --nick NAME        your nickname, for the name of the file\n"
	       "      --model NAME       name of the device, instead of its PCI ids\n"
	       "  -o, --output DIR       folder for the result (the current one)\n"
	       "  -e, --exercise CMD     run this when the driver is up (may be repeated)\n"
	       "  -m, --mark TEXT        set a marker when the driver is up (may be repeated)\n"
	       "      --duration SEC     stop so long after the driver is up; 0: at Ctrl+C\n"
	       "      --scenario FILE    steps to do while tracing\n"
	       "      --profile ID       what this driver project asks for (by the device)\n"
	       "      --driver-options O module options for the traced load only\n"
	       "      --answers FILE     answers to questions, by their ids\n"
	       "      --describe-file F  text for the description"));
	puts(_("      --redact yes|no    mask private values in the text files (yes)\n"
	       "      --redact-word W    mask this word too (may be repeated)\n"
	       "      --on-lost WHAT     when events are lost: retry, keep, fail\n"
	       "      --max-retries N    how often to try again with a larger buffer (3)\n"
	       "      --buffer-kb N      size of the kernel's buffer (from the free memory)\n"
	       "      --no-load-driver   you load the driver yourself\n"
	       "      --next-boot        trace at the next start of the computer\n"
	       "      --target ID        send it there (`targets` lists the ids)\n"
	       "      --issue URL        add it to the report with this address\n"
	       "      --consent-upload   you agree that it is sent\n"
	       "      --no-network       prepare it, and send it later (`queue`)\n"
	       "      --token-file FILE  token or password of the target; -: standard input\n"
	       "      --token-fd N       the same from an open file\n"
	       "      --json             one JSON object per line on stdout\n"
	       "      --version          print the version"));
	puts(_("\nThe manual page mmiotrace-wizard(1) explains all of it, and the exit status."));
}

static void set_locale(void)
{
	setlocale(LC_ALL, "");
	/* Numbers of JSON and of the kernel have a point. */
	setlocale(LC_NUMERIC, "C");
	bindtextdomain(GETTEXT_PACKAGE, LOCALEDIR);
	bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
	textdomain(GETTEXT_PACKAGE);
}

/*
 * A standard stream that is closed would become the first file that is opened, be it the trace. In
 * its place stands one that cannot be used either.
 */
static void hold_streams(void)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new(NULL);
	g_autofree char *null = mtw_paths_build(paths, MTW_PATH_DEV, "null", NULL);

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open(null, fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* A result that nobody got is none. */
static void check_output(int status, void *data)
{
	gboolean failed = ferror(stdout) != 0;
	struct stat out;

	(void)data;
	failed |= fflush(stdout) != 0;
	if (status != 0 || !failed)
		return;
	/* Who reads from a pipe (`| head`) has seen enough and knows. */
	if (fstat(STDOUT_FILENO, &out) != 0 || !S_ISFIFO(out.st_mode))
		fputs(_("mmiotrace-wizard: the output could not be written\n"), stderr);
	_exit(1);
}

static int dispatch(MtwCli *cli, int argc, char **argv)
{
	for (gsize i = 0; argc > 1 && i < G_N_ELEMENTS(verbs); i++)
		if (strcmp(argv[1], verbs[i].name) == 0)
			return verbs[i].run(cli, argc - 1, argv + 1);
	return mtw_verb_run(cli, argc, argv);
}

int main(int argc, char **argv)
{
	MtwCli cli = { 0 };
	gboolean wants_window;
	int status;

	hold_streams();
	set_locale();
	wants_window = mtw_cli_wants_window(argc);
	if (wants_window)
		mtw_cli_become_window();
	on_exit(check_output, NULL);
	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
			  strcmp(argv[1], "help") == 0)) {
		print_help();
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("mmiotrace-wizard %s\n", MTW_VERSION);
		return 0;
	}
	mtw_signals_block();
	cli.paths = mtw_paths_new_from_environment();
	if (argc == 2 && strcmp(argv[1], MTW_HANDED_VERB) == 0)
		status = mtw_verb_report_worker(&cli);
	else if (argc == 2 && strcmp(argv[1], MTW_BOOT_VERB) == 0)
		status = mtw_verb_boot_capture(&cli);
	else
		status = dispatch(&cli, argc, argv);
	if (wants_window)
		mtw_cli_tell_no_window();
	mtw_cli_end_agent(&cli);
	mtw_paths_free(cli.paths);
	return status;
}
