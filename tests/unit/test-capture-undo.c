/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of changes by a journal: written down first, undone backwards and in spite of failures. */
#include "test-capture-kernel.h"

#include "capture/undo.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

typedef struct {
	MtwMachine machine;
	MtwJournal *journal;
	MtwChangeMaker maker;
	GString *told; /* "apply clock trace_clock;" and with " !" when it failed */
} Fixture;

static Fixture fixture;

static void on_change(const MtwChange *change, const char *action, const GError *error,
		      gpointer user_data)
{
	g_string_append_printf(user_data, "%s %s %s%s;", action, mtw_change_kind_name(change->kind),
			       change->subject, error != NULL ? " !" : "");
}

static int setup(void **state)
{
	kernel_setup(state);
	fixture = (Fixture){ .machine = { .paths = kernel.root->paths },
			     .journal = mtw_journal_open(kernel.root->folder, NULL),
			     .told = g_string_new(NULL) };
	fixture.maker = (MtwChangeMaker){ .machine = &fixture.machine,
					  .journal = fixture.journal,
					  .watcher = on_change,
					  .user_data = fixture.told };
	return fixture.journal != NULL ? 0 : -1;
}

static int teardown(void **state)
{
	mtw_journal_free(fixture.journal);
	mtw_machine_clear(&fixture.machine);
	g_string_free(fixture.told, TRUE);
	return kernel_teardown(state);
}

static gboolean try_make(MtwChangeKind kind, const char *subject, const char *after, GError **error)
{
	return mtw_changes_make(&fixture.maker, mtw_change_new(kind, subject, NULL, after), error);
}

static void make(MtwChangeKind kind, const char *subject, const char *after)
{
	g_autoptr(GError) error = NULL;

	if (!try_make(kind, subject, after, &error))
		fail_msg("%s", error->message);
}

/* As a capture does it: before, with, and after the tracer. */
static void make_all(void)
{
	make(MTW_CHANGE_UNBIND, NIC, "");
	make(MTW_CHANGE_SETTING, "options/overwrite", "1");
	make(MTW_CHANGE_RECORDING, "tracing_on", "1");
	make(MTW_CHANGE_CLOCK, "trace_clock", "mono");
	make(MTW_CHANGE_BUFFER, "per_cpu/cpu0/buffer_size_kb", "64000");
	make(MTW_CHANGE_CPUS, "cpus", "");
	make(MTW_CHANGE_TRACER, "current_tracer", "mmiotrace");
	make(MTW_CHANGE_BIND, NIC, "nic");
}

static void assert_as_before(void)
{
	assert_kernel(TRACING "current_tracer", "nop");
	assert_kernel(TRACING "trace_clock", "[local] global mono boot");
	assert_kernel(TRACING "options/overwrite", "0");
	assert_kernel(TRACING "tracing_on", "1");
	assert_kernel(TRACING "per_cpu/cpu0/buffer_size_kb", "1410");
	assert_kernel(CPUS "online", "0-1");
	assert_driver(NIC, "nic");
}

static void test_all(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	make_all();
	assert_string_equal(fixture.told->str,
			    "apply unbind " NIC ";apply setting options/overwrite;"
			    "apply recording tracing_on;apply clock trace_clock;"
			    "apply buffer per_cpu/cpu0/buffer_size_kb;apply cpus cpus;"
			    "apply tracer current_tracer;apply bind " NIC ";");
	g_string_truncate(fixture.told, 0);
	assert_true(mtw_changes_undo_all(&fixture.maker, &error));
	assert_string_equal(fixture.told->str,
			    "undo bind " NIC ";undo tracer current_tracer;undo cpus cpus;"
			    "undo buffer per_cpu/cpu0/buffer_size_kb;undo clock trace_clock;"
			    "undo recording tracing_on;undo setting options/overwrite;"
			    "undo unbind " NIC ";");
	assert_as_before();
	/* Nothing is undone twice. */
	g_string_truncate(fixture.told, 0);
	assert_true(mtw_changes_undo_all(&fixture.maker, &error));
	assert_string_equal(fixture.told->str, "");
}

#define CONSOLE "sys/class/vtconsole/vtcon1/"

static void put_console(void)
{
	kernel_put(CONSOLE "name", "(M) frame buffer device");
	kernel_put(CONSOLE "bind", "1");
}

/* What is on the screen needs the driver: it comes back after it, or while the tracer still records. */
static void test_desktop_last(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	put_console();
	make(MTW_CHANGE_VTCONSOLE, "vtcon1", "0");
	make(MTW_CHANGE_UNBIND, NIC, "");
	make(MTW_CHANGE_CLOCK, "trace_clock", "mono");
	assert_kernel(CONSOLE "bind", "0");
	g_string_truncate(fixture.told, 0);
	assert_true(mtw_changes_undo_all(&fixture.maker, &error));
	assert_string_equal(fixture.told->str,
			    "undo clock trace_clock;undo unbind " NIC ";undo vtconsole vtcon1;");
	assert_kernel(CONSOLE "bind", "1");
}

/* Back for the capture, away again for the driver's sake, and back at the end. */
static void test_desktop_twice(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	put_console();
	make(MTW_CHANGE_VTCONSOLE, "vtcon1", "0");
	make(MTW_CHANGE_UNBIND, NIC, "");
	assert_true(mtw_changes_undo_desktop(&fixture.maker, &error));
	assert_kernel(CONSOLE "bind", "1");
	assert_driver(NIC, NULL);
	g_string_truncate(fixture.told, 0);
	assert_true(mtw_changes_end_desktop_again(&fixture.maker, &error));
	assert_kernel(CONSOLE "bind", "0");
	assert_true(mtw_changes_undo_all(&fixture.maker, &error));
	assert_string_equal(fixture.told->str,
			    "apply vtconsole vtcon1;undo unbind " NIC ";undo vtconsole vtcon1;");
	assert_kernel(CONSOLE "bind", "1");
}

/* What is there already is not changed, so it will not be "restored" either. */
static void test_not_needed(void **state)
{
	(void)state;
	kernel_put(TRACING "options/overwrite", "1");
	make(MTW_CHANGE_SETTING, "options/overwrite", "1");
	assert_int_equal(mtw_journal_changes(fixture.journal)->len, 0);
	assert_string_equal(fixture.told->str, "");
	assert_string_equal(kernel.written->str, "");
}

/* In the journal before it is made: at the moment of the write the line is in the file already. */
static void test_written_down_first(void **state)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;

	(void)state;
	kernel.refused = "trace_clock";
	kernel.refused_errno = EIO;
	assert_false(try_make(MTW_CHANGE_CLOCK, "trace_clock", "mono", &error));
	text = fake_root_read(kernel.root, "journal");
	assert_non_null(strstr(text, "\"trace_clock\""));
	assert_null(strstr(text, "applied"));
	assert_string_equal(fixture.told->str, "apply clock trace_clock !;");
	assert_true(mtw_changes_undo_all(&fixture.maker, &error));
}

/* A change that cannot be written down is not made. */
static void test_no_journal_no_change(void **state)
{
	struct rlimit before, limit;
	g_autoptr(GError) error = NULL;
	gboolean made;

	(void)state;
	make(MTW_CHANGE_CLOCK, "trace_clock", "mono");
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	/* In the middle of the next line. */
	limit.rlim_cur = 190;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	made = try_make(MTW_CHANGE_UNBIND, NIC, "", &error);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_false(made);
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_DISK));
	assert_driver(NIC, "nic");
	g_clear_error(&error);
	assert_true(mtw_changes_undo_all(&fixture.maker, &error));
	assert_kernel(TRACING "trace_clock", "[local] global mono boot");
}

/* The torn line of a disk that was full takes no whole line with it. */
static void test_journal_after_a_full_disk(void **state)
{
	g_autoptr(MtwJournal) again = NULL;
	const GPtrArray *changes;

	test_no_journal_no_change(state);
	again = mtw_journal_open(kernel.root->folder, NULL);
	changes = mtw_journal_changes(again);
	assert_int_equal(changes->len, 1);
	assert_int_equal(((const MtwChange *)changes->pdata[0])->status, MTW_CHANGE_UNDONE);
}

static void test_failures_do_not_stop_it(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	make_all();
	/* One that somebody else changed, one that the kernel refuses. */
	kernel_set_clock("boot");
	kernel.refused = "options/overwrite";
	kernel.refused_errno = EIO;
	assert_false(mtw_changes_undo_all(&fixture.maker, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_RESTORED));
	assert_non_null(strstr(error->message, "trace_clock"));
	assert_non_null(strstr(error->message, "options/overwrite"));
	assert_kernel(TRACING "current_tracer", "nop");
	assert_kernel(TRACING "trace_clock", "local global mono [boot]");
	assert_kernel(CPUS "online", "0-1");
	assert_driver(NIC, "nic");
}

/* The next process tries again what is left, and finds it put right meanwhile. */
static void test_again_by_the_next_process(void **state)
{
	g_autoptr(MtwJournal) again = NULL;
	MtwChangeMaker maker = fixture.maker;
	g_autoptr(GError) error = NULL;

	test_failures_do_not_stop_it(state);
	again = mtw_journal_open(kernel.root->folder, &error);
	maker.journal = again;
	kernel.refused = NULL;
	g_string_truncate(fixture.told, 0);
	assert_false(mtw_changes_undo_all(&maker, &error));
	assert_string_equal(fixture.told->str,
			    "undo clock trace_clock !;undo setting options/overwrite;");
	g_clear_error(&error);
	kernel_set_clock("mono");
	assert_true(mtw_changes_undo_all(&maker, &error));
	assert_as_before();
}

/* While it still records, only what came after the tracer: those accesses belong to the trace. */
static void test_undo_driver(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	make_all();
	g_string_truncate(fixture.told, 0);
	mtw_changes_undo_driver(&fixture.maker);
	assert_string_equal(fixture.told->str, "undo bind " NIC ";");
	assert_driver(NIC, NULL);
	assert_kernel(TRACING "current_tracer", "mmiotrace");
	assert_true(mtw_changes_undo_all(&fixture.maker, &error));
	assert_as_before();
}

/* A driver that cannot go now is tried again at the end. */
static void test_undo_driver_fails(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	make_all();
	kernel.refused = "nic/unbind";
	kernel.refused_errno = EBUSY;
	kernel.refused_times = 1;
	mtw_changes_undo_driver(&fixture.maker);
	assert_driver(NIC, "nic");
	assert_true(mtw_changes_undo_all(&fixture.maker, &error));
	assert_as_before();
}

#define UNDO_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNDO_TEST(test_all),
		UNDO_TEST(test_desktop_last),
		UNDO_TEST(test_desktop_twice),
		UNDO_TEST(test_not_needed),
		UNDO_TEST(test_written_down_first),
		UNDO_TEST(test_no_journal_no_change),
		UNDO_TEST(test_journal_after_a_full_disk),
		UNDO_TEST(test_failures_do_not_stop_it),
		UNDO_TEST(test_again_by_the_next_process),
		UNDO_TEST(test_undo_driver),
		UNDO_TEST(test_undo_driver_fails),
	};

	return cmocka_run_group_tests_name("capture-undo", tests, NULL, NULL);
}
