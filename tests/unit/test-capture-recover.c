/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a dead run left: undone by its journal, its trace saved and judged. */
#include "test-capture-kernel.h"

#include "base/json.h"
#include "capture/recover.h"
#include "capture/session.h"

#include <signal.h>
#include <sys/wait.h>

#define HEADER "VERSION 20070824\n"
#define PCIDEV "PCIDEV 0020 8086100e b feb40000 0 0 0 0 0 0 20000 0 0 0 0 0 0 nic\n"
#define MAP "MAP 1.000000 1 0xfeb40000 0xffff0000 0x20000 0x0 0\n"
#define FIRST "R 4 1.000001 1 0xfeb40000 0x1 0x0 0\n"
#define SECOND "W 4 1.000002 1 0xfeb40004 0x2 0x0 0\n"

static void make(const MtwChangeMaker *maker, MtwChangeKind kind, const char *subject,
		 const char *after)
{
	g_autoptr(GError) error = NULL;

	if (!mtw_changes_make(maker, mtw_change_new(kind, subject, NULL, after), &error))
		fail_msg("%s", error->message);
}

static void make_changes(const MtwSession *session)
{
	MtwMachine machine = { .paths = kernel.root->paths };
	g_autoptr(MtwJournal) journal = mtw_journal_open(session->folder, NULL);
	const MtwChangeMaker maker = { .machine = &machine, .journal = journal };

	make(&maker, MTW_CHANGE_UNBIND, NIC, "");
	make(&maker, MTW_CHANGE_SETTING, "options/overwrite", "1");
	make(&maker, MTW_CHANGE_RECORDING, "tracing_on", "1");
	make(&maker, MTW_CHANGE_CLOCK, "trace_clock", "mono");
	make(&maker, MTW_CHANGE_BUFFER, "per_cpu/cpu0/buffer_size_kb", "64000");
	make(&maker, MTW_CHANGE_CPUS, "cpus", "");
	make(&maker, MTW_CHANGE_TRACER, "current_tracer", "mmiotrace");
	make(&maker, MTW_CHANGE_BIND, NIC, "nic");
	mtw_machine_clear(&machine);
}

static void write_facts(MtwSession *session, const char *boot_id)
{
	g_autoptr(JsonObject) ring =
		mtw_json_parse("{\"overrun\":0,\"dropped_events\":0}", -1, "", NULL);
	JsonArray *bars = json_array_new();

	json_array_add_object_element(bars, mtw_json_parse("{\"index\":0,\"start\":4273209344,"
							   "\"length\":131072}",
							   -1, "", NULL));
	json_object_set_string_member(session->state, "device", NIC);
	json_object_set_string_member(session->state, "driver_before", "nic");
	json_object_set_string_member(session->state, "boot_id", boot_id);
	json_object_set_boolean_member(session->state, "restored", FALSE);
	json_object_set_array_member(session->state, "bars", bars);
	json_object_set_object_member(session->state, "ring_start", g_steal_pointer(&ring));
	assert_true(mtw_session_set_state(session, MTW_SESSION_CAPTURING, NULL));
}

static char *file_of(const char *id, const char *name)
{
	return g_build_filename("var/lib/mmiotrace-wizard/sessions", id, name, NULL);
}

/*
 * A run that died in the middle of the capture: traced, one record and a half on the disk, one more
 * in the kernel's buffer. @trace: (nullable): none was begun. Returns: (transfer full): its id
 */
static char *die(const char *boot_id, const char *trace)
{
	g_autoptr(MtwSession) session =
		mtw_session_create(kernel.root->paths, 0x8086, 0x100e, NULL);
	g_autofree char *path = file_of(session->id, "trace-1.txt");

	write_facts(session, boot_id);
	make_changes(session);
	if (trace != NULL)
		fake_root_put(kernel.root, path, trace);
	fake_root_put(kernel.root, TRACING "trace_pipe", HEADER PCIDEV SECOND);
	return g_strdup(session->id);
}

static void on_change(const MtwChange *change, const char *action, const GError *error,
		      gpointer user_data)
{
	g_string_append_printf(user_data, "%s %s%s;", action, mtw_change_kind_name(change->kind),
			       error != NULL ? " !" : "");
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

static void assert_state(const char *id, const char *wanted, gboolean restored)
{
	g_autoptr(MtwSession) session = mtw_session_open(kernel.root->paths, id, FALSE, NULL);

	assert_string_equal(mtw_json_string(session->state, "state", ""), wanted);
	assert_true(mtw_json_bool(session->state, "restored", !restored) == restored);
}

static void assert_file(const char *id, const char *name, const char *wanted)
{
	g_autofree char *path = file_of(id, name);
	g_autofree char *text = fake_root_read(kernel.root, path);

	assert_string_equal(text, wanted);
}

static void assert_grade(const char *id, const char *wanted)
{
	g_autofree char *path = file_of(id, "verdict.json");
	g_autofree char *text = fake_root_read(kernel.root, path);
	g_autoptr(JsonObject) verdict = mtw_json_parse(text, -1, "", NULL);

	assert_string_equal(mtw_json_string(verdict, "grade", ""), wanted);
}

static void assert_pending(guint wanted)
{
	g_autoptr(GPtrArray) ids = mtw_recover_pending(kernel.root->paths);

	assert_int_equal(ids->len, wanted);
}

static void recover(const char *id)
{
	g_autoptr(GError) error = NULL;

	if (!mtw_recover_session(kernel.root->paths, id, NULL, NULL, &error))
		fail_msg("%s", error->message);
}

static void test_nothing_to_do(void **state)
{
	(void)state;
	assert_pending(0);
	assert_false(mtw_recover_needed_without_session(kernel.root->paths));
}

static void test_died_while_capturing(void **state)
{
	g_autofree char *id = die(BOOT_ID, HEADER PCIDEV MAP FIRST "W 4 1.0000");
	g_autoptr(GString) told = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_pending(1);
	/* A session knows about the tracer. */
	assert_false(mtw_recover_needed_without_session(kernel.root->paths));
	assert_true(mtw_recover_session(kernel.root->paths, id, on_change, told, &error));
	/* The bind stays; then all in reverse. */
	assert_string_equal(told->str, "undo bind;undo tracer;undo cpus;undo buffer;undo clock;"
				       "undo recording;undo setting;undo unbind;");
	assert_as_before();
	assert_state(id, MTW_SESSION_RECOVERED, TRUE);
	assert_file(id, "trace.txt", HEADER PCIDEV MAP FIRST SECOND);
	assert_grade(id, "good");
	assert_pending(0);
}

static void test_losses_are_found(void **state)
{
	g_autofree char *id = die(BOOT_ID, HEADER PCIDEV MAP FIRST);

	(void)state;
	kernel_put(TRACING "per_cpu/cpu0/stats", "entries: 0\noverrun: 7\ndropped events: 0");
	recover(id);
	assert_grade(id, "lost");
}

/* It died before there was a trace. */
static void test_died_before_the_trace(void **state)
{
	g_autofree char *id = die(BOOT_ID, NULL);

	(void)state;
	recover(id);
	assert_as_before();
	assert_state(id, MTW_SESSION_FAILED, TRUE);
}

/* The computer was restarted: nothing is to be undone, whatever it looks like; the trace is saved. */
static void test_after_a_restart(void **state)
{
	g_autofree char *id =
		die("99999999-2222-3333-4444-555555555555", HEADER PCIDEV MAP FIRST "\0\0\0");

	(void)state;
	g_string_truncate(kernel.written, 0);
	assert_pending(1);
	recover(id);
	assert_string_equal(kernel.written->str, "");
	assert_state(id, MTW_SESSION_RECOVERED, TRUE);
	assert_file(id, "trace.txt", HEADER PCIDEV MAP FIRST);
	assert_grade(id, "good");
	assert_pending(0);
}

static void test_somebody_else_was_there(void **state)
{
	g_autofree char *id = die(BOOT_ID, HEADER PCIDEV MAP FIRST);
	g_autoptr(GError) error = NULL;

	(void)state;
	kernel_set_clock("boot");
	assert_false(mtw_recover_session(kernel.root->paths, id, NULL, NULL, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_RESTORED));
	assert_non_null(strstr(error->message, "trace_clock"));
	/* All the rest is as before, and the trace is saved. */
	assert_kernel(TRACING "current_tracer", "nop");
	assert_kernel(TRACING "trace_clock", "local global mono [boot]");
	assert_driver(NIC, "nic");
	assert_state(id, MTW_SESSION_RECOVERED, FALSE);
	assert_file(id, "trace.txt", HEADER PCIDEV MAP FIRST SECOND);
	/* Asked again when it was put right. */
	assert_pending(1);
	kernel_set_clock("mono");
	recover(id);
	assert_as_before();
	assert_state(id, MTW_SESSION_RECOVERED, TRUE);
	assert_file(id, "trace.txt", HEADER PCIDEV MAP FIRST SECOND);
	assert_pending(0);
}

/* A trace that cannot be opened is no reason to leave the machine as it is. */
static void test_trace_is_not_a_file(void **state)
{
	g_autofree char *id = die(BOOT_ID, NULL);
	g_autofree char *path = file_of(id, "trace-1.txt");

	(void)state;
	fake_root_link(kernel.root, path, "/dev/null");
	recover(id);
	assert_as_before();
}

static void test_broken_journal(void **state)
{
	g_autofree char *id = die(BOOT_ID, HEADER PCIDEV MAP FIRST);
	g_autofree char *path = file_of(id, "journal");
	g_autofree char *text = fake_root_read(kernel.root, path);
	g_autofree char *broken = g_strconcat("garbage\n\n", text, "{\"n\":9,\"kind\":\"clo", NULL);

	(void)state;
	fake_root_put(kernel.root, path, broken);
	recover(id);
	assert_as_before();
}

static void test_unknown_session(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_false(mtw_recover_session(kernel.root->paths, "2026", NULL, NULL, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
}

static pid_t hold_in_child(const char *id)
{
	int ready[2];
	pid_t pid;
	char byte;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		MtwSession *session = mtw_session_open(kernel.root->paths, id, TRUE, NULL);
		if (session == NULL || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

/* Whoever still lives is left alone. */
static void test_still_alive(void **state)
{
	g_autofree char *id = die(BOOT_ID, HEADER PCIDEV MAP FIRST);
	pid_t pid = hold_in_child(id);
	g_autoptr(GError) error = NULL;

	(void)state;
	g_string_truncate(kernel.written, 0);
	assert_pending(0);
	/* It is its tracer. */
	assert_false(mtw_recover_needed_without_session(kernel.root->paths));
	assert_false(mtw_recover_session(kernel.root->paths, id, NULL, NULL, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_BUSY));
	assert_string_equal(kernel.written->str, "");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_pending(1);
	recover(id);
	assert_as_before();
}

/* Asked for by its id although there is nothing to do: it stays what it was. */
static void test_finished_session(void **state)
{
	g_autoptr(MtwSession) session =
		mtw_session_create(kernel.root->paths, 0x8086, 0x100e, NULL);
	g_autofree char *id = g_strdup(session->id);
	g_autofree char *path = file_of(id, "trace.txt");

	(void)state;
	fake_root_put(kernel.root, path, HEADER);
	assert_true(mtw_session_set_state(session, MTW_SESSION_PACKED, NULL));
	g_clear_pointer(&session, mtw_session_free);
	recover(id);
	assert_state(id, MTW_SESSION_PACKED, TRUE);
}

static void test_without_session(void **state)
{
	g_autoptr(GString) told = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	kernel_set_tracer("mmiotrace");
	kernel_put(TRACING "tracing_on", "0");
	kernel_set_buffer(TRACING "per_cpu/cpu0/buffer_size_kb", "64000");
	assert_true(mtw_recover_needed_without_session(kernel.root->paths));
	assert_true(mtw_recover_without_session(kernel.root->paths, on_change, told, &error));
	assert_string_equal(told->str, "undo tracer;undo cpus;undo buffer;undo recording;");
	assert_kernel(TRACING "current_tracer", "nop");
	assert_kernel(TRACING "tracing_on", "1");
	assert_kernel(TRACING "per_cpu/cpu0/buffer_size_kb", "1410");
	assert_kernel(CPUS "online", "0-1");
	assert_false(mtw_recover_needed_without_session(kernel.root->paths));
}

/* ---- all of it ------------------------------------------------------------------------------ */

static char *reset(GError **error)
{
	g_autoptr(GString) told = g_string_new(NULL);

	if (!mtw_recover_reset(kernel.root->paths, on_change, told, error))
		return NULL;
	return g_strdup(told->str);
}

static void assert_reset(const char *wanted)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *told = reset(&error);

	if (told == NULL)
		fail_msg("%s", error->message);
	assert_string_equal(told, wanted);
}

static void test_reset(void **state)
{
	(void)state;
	assert_reset("");
	kernel_set_tracer("mmiotrace");
	assert_reset("undo tracer;undo cpus;undo buffer;undo recording;");
	assert_kernel(TRACING "current_tracer", "nop");
	assert_reset("");
}

/* Whose tracer it is cannot be told: every session gets its turn first. */
static void test_reset_of_sessions(void **state)
{
	g_autofree char *id = die(BOOT_ID, HEADER PCIDEV MAP FIRST);
	g_autofree char *told = NULL;

	(void)state;
	told = reset(NULL);
	assert_non_null(told);
	assert_as_before();
	assert_state(id, MTW_SESSION_RECOVERED, TRUE);
	assert_pending(0);
	/* By the session, whose journal knows what was before. */
	assert_null(strstr(told, "undo recording;undo tracer;undo cpus;undo buffer;"));
	assert_non_null(strstr(told, "undo clock"));
}

/* One that fails keeps no other back, and nothing is guessed about the tracer that it knows. */
static void test_reset_with_a_broken_session(void **state)
{
	g_autofree char *good = die(BOOT_ID, HEADER PCIDEV MAP FIRST);
	g_autoptr(MtwSession) broken = mtw_session_create(kernel.root->paths, 0x8086, 0x100e, NULL);
	g_autofree char *id = g_strdup(broken->id);
	g_autofree char *journal = file_of(id, "journal");
	g_autoptr(GError) error = NULL;

	(void)state;
	write_facts(broken, BOOT_ID);
	g_clear_pointer(&broken, mtw_session_free);
	fake_root_remove(kernel.root, journal);
	fake_root_link(kernel.root, journal, "/dev/null/nowhere");
	assert_null(reset(&error));
	assert_non_null(error);
	assert_state(good, MTW_SESSION_RECOVERED, TRUE);
	kernel_set_tracer("mmiotrace");
	g_clear_error(&error);
	assert_null(reset(&error));
	assert_kernel(TRACING "current_tracer", "mmiotrace");
}

/* There is a session that knows about the tracer; "nothing to do" would be a lie. */
static void test_reset_while_capturing(void **state)
{
	int lock = mtw_capture_lock(kernel.root->paths, NULL);
	g_autoptr(MtwSession) live = mtw_session_create(kernel.root->paths, 0x8086, 0x100e, NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(lock >= 0);
	assert_true(mtw_session_is_live(live));
	kernel_set_tracer("mmiotrace");
	assert_null(reset(&error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_BUSY));
	assert_kernel(TRACING "current_tracer", "mmiotrace");
	close(lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		KERNEL_TEST(test_nothing_to_do),
		KERNEL_TEST(test_died_while_capturing),
		KERNEL_TEST(test_losses_are_found),
		KERNEL_TEST(test_died_before_the_trace),
		KERNEL_TEST(test_after_a_restart),
		KERNEL_TEST(test_somebody_else_was_there),
		KERNEL_TEST(test_trace_is_not_a_file),
		KERNEL_TEST(test_broken_journal),
		KERNEL_TEST(test_unknown_session),
		KERNEL_TEST(test_still_alive),
		KERNEL_TEST(test_finished_session),
		KERNEL_TEST(test_without_session),
		KERNEL_TEST(test_reset),
		KERNEL_TEST(test_reset_of_sessions),
		KERNEL_TEST(test_reset_while_capturing),
		KERNEL_TEST(test_reset_with_a_broken_session),
	};

	return cmocka_run_group_tests_name("capture-recover", tests, NULL, NULL);
}
