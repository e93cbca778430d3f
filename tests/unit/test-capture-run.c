/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One whole try, with the built-in tracer, on a machine whose kernel answers. */
#include "test-capture-kernel.h"

#include "base/json.h"
#include "capture/run.h"

#include <errno.h>

#define HEADER "VERSION 20070824\n"
#define PCIDEV "PCIDEV 0020 8086100e b feb40000 0 0 0 0 0 0 20000 0 0 0 0 0 0 nic\n"
#define MAP "MAP 1.000000 1 0xfeb40000 0xffff0000 0x20000 0x0 0\n"
#define FIRST "R 4 1.000001 1 0xfeb40000 0x1 0x0 0\n"
#define TRACE HEADER PCIDEV MAP FIRST

typedef struct {
	MtwSession *session;
	GAsyncQueue *events;
	MtwRun *run;
	GThread *thread;
	GString *seen; /* the events: "state capturing;change apply clock;" */
	JsonObject *done;
} Fixture;

static Fixture fixture;

static int setup(void **state)
{
	kernel_setup(state);
	fixture =
		(Fixture){ .session = mtw_session_create(kernel.root->paths, 0x8086, 0x100e, NULL),
			   .events = g_async_queue_new_full((GDestroyNotify)json_object_unref),
			   .seen = g_string_new(NULL) };
	fake_root_put(kernel.root, TRACING "trace_pipe", TRACE);
	return fixture.session != NULL ? 0 : -1;
}

static int teardown(void **state)
{
	mtw_run_free(fixture.run);
	mtw_session_free(fixture.session);
	g_async_queue_unref(fixture.events);
	g_string_free(fixture.seen, TRUE);
	g_clear_pointer(&fixture.done, json_object_unref);
	return kernel_teardown(state);
}

static void start(void)
{
	const MtwCaptureOptions options = { .device = NIC,
					    .buffer_kb = 64000,
					    .load_driver = TRUE };

	fixture.run = mtw_run_new(kernel.root->paths, fixture.session, &options, 1, fixture.events);
	fixture.thread = g_thread_new("capture", mtw_run_execute, fixture.run);
}

/* The next event into `seen`. Returns: its name (static) */
static const char *take_event(void)
{
	g_autoptr(JsonObject) event = g_async_queue_pop(fixture.events);
	const char *name = g_intern_string(mtw_json_string(event, "event", ""));

	g_string_append(fixture.seen, name);
	if (strcmp(name, "state") == 0)
		g_string_append_printf(fixture.seen, " %s", mtw_json_string(event, "state", ""));
	else if (strcmp(name, "change") == 0)
		g_string_append_printf(fixture.seen, " %s %s%s",
				       mtw_json_string(event, "action", ""),
				       mtw_json_string(event, "kind", ""),
				       mtw_json_bool(event, "ok", FALSE) ? "" : " !");
	else if (strcmp(name, "marker") == 0)
		g_string_append_printf(fixture.seen, " %s", mtw_json_string(event, "text", ""));
	else if (strcmp(name, "done") == 0)
		fixture.done = json_object_ref(event);
	g_string_append_c(fixture.seen, ';');
	return name;
}

static void take_until(const char *wanted)
{
	while (strcmp(take_event(), wanted) != 0)
		;
}

static void stop(void)
{
	g_atomic_int_set(&fixture.run->stop, 1);
}

static void finish(void)
{
	take_until("done");
	g_thread_join(fixture.thread);
	assert_int_equal(g_async_queue_length(fixture.events), 0);
}

static void assert_as_before(void)
{
	assert_kernel(TRACING "current_tracer", "nop");
	assert_kernel(TRACING "trace_clock", "[local] global mono boot");
	assert_kernel(TRACING "options/overwrite", "0");
	assert_kernel(TRACING "tracing_on", "1");
	assert_kernel(CPUS "online", "0-1");
	assert_driver(NIC, "nic");
	assert_true(mtw_json_bool(fixture.done, "restored", FALSE));
	assert_true(mtw_json_bool(fixture.session->state, "restored", FALSE));
}

static void assert_done(const char *error, const char *grade, const char *state)
{
	JsonObject *why = mtw_json_object(fixture.done, "error");
	JsonObject *verdict = mtw_json_object(fixture.done, "verdict");

	if (g_strcmp0(why != NULL ? mtw_json_string(why, "name", "?") : NULL, error) != 0)
		fail_msg("error: %s", why != NULL ? mtw_json_string(why, "message", "") : "none");
	if (g_strcmp0(verdict != NULL ? mtw_json_string(verdict, "grade", "?") : NULL, grade) != 0)
		fail_msg("grade: %s",
			 verdict != NULL ? mtw_json_string(verdict, "grade", "") : "none");
	assert_true(mtw_json_bool(fixture.done, "trace", FALSE) == (grade != NULL));
	assert_string_equal(mtw_json_string(fixture.session->state, "state", ""), state);
}

static char *session_file(const char *name)
{
	g_autofree char *path = mtw_session_path(fixture.session, name);
	char *text = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

static void test_good(void **state)
{
	g_autofree char *trace = NULL;
	g_autofree char *markers = NULL;
	g_autoptr(GError) error = NULL;

	(void)state;
	start();
	take_until("driver-up");
	assert_kernel(TRACING "current_tracer", "mmiotrace");
	assert_kernel(CPUS "online", "0");
	assert_true(mtw_run_mark(fixture.run, "X is\nup", &error));
	stop();
	finish();
	assert_string_equal(
		fixture.seen->str,
		"state preparing;change apply unbind;change apply setting;change apply recording;"
		"change apply clock;change apply buffer;change apply cpus;change apply tracer;"
		"marker capture start;state capturing;marker driver load;change apply "
		"bind;driver-up;"
		"marker X is up;state stopping;change undo bind;marker capture stop;state "
		"restoring;"
		"change undo tracer;change undo cpus;change undo buffer;change undo clock;"
		"change undo recording;change undo setting;change undo unbind;state done;done;");
	assert_done(NULL, "good", MTW_SESSION_CAPTURED);
	assert_as_before();
	trace = session_file("trace.txt");
	assert_string_equal(trace, TRACE);
	markers = fake_root_read(kernel.root, TRACING "trace_marker");
	assert_string_equal(markers, "capture start\ndriver load\nX is up\ncapture stop\n");
}

/* What a later process, and the report, need to know. */
static void test_facts(void **state)
{
	JsonObject *facts = fixture.session->state;

	(void)state;
	start();
	take_until("driver-up");
	stop();
	finish();
	assert_string_equal(mtw_json_string(facts, "device", ""), NIC);
	assert_int_equal(mtw_json_int(facts, "vendor_id", 0), 0x8086);
	assert_int_equal(mtw_json_int(facts, "device_id", 0), 0x100e);
	assert_string_equal(mtw_json_string(facts, "driver", ""), "nic");
	assert_string_equal(mtw_json_string(facts, "driver_before", ""), "nic");
	assert_string_equal(mtw_json_string(facts, "way", ""), "rebind");
	assert_string_equal(mtw_json_string(facts, "boot_id", ""), BOOT_ID);
	assert_int_equal(mtw_json_int(facts, "pid", 0), getpid());
	assert_int_equal(mtw_json_int(facts, "buffer_kb", 0), 64000);
	assert_int_equal(json_array_get_length(mtw_json_array(facts, "bars")), 1);
	assert_non_null(mtw_json_object(facts, "ring_start"));
	assert_true(mtw_json_int(facts, "realtime_usec", 0) > 0);
	assert_true(mtw_json_int(facts, "monotonic_usec", 0) > 0);
	assert_null(mtw_json_object(facts, "error"));
}

static void test_counters(void **state)
{
	MtwCounters counters;
	g_autoptr(GError) error = NULL;

	(void)state;
	start();
	take_until("driver-up");
	assert_true(mtw_run_counters(fixture.run, &counters));
	assert_int_equal(counters.counts.bars[0].reads, 1);
	assert_int_equal(counters.lost, 0);
	stop();
	finish();
	assert_false(mtw_run_counters(fixture.run, &counters));
	assert_false(mtw_run_mark(fixture.run, "too late", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_FAILED));
}

/* The ring says that it overwrote 7 records. */
static void test_lost(void **state)
{
	MtwCounters counters;

	(void)state;
	start();
	take_until("driver-up");
	assert_true(mtw_run_counters(fixture.run, &counters));
	assert_int_equal(counters.lost, 0);
	kernel_write_over(TRACING "per_cpu/cpu0/stats",
			  "entries: 0\noverrun: 7\ndropped events: 0\n");
	assert_true(mtw_run_counters(fixture.run, &counters));
	assert_int_equal(counters.lost, 7);
	stop();
	finish();
	assert_done(NULL, "lost", MTW_SESSION_CAPTURED);
	assert_as_before();
}

static void test_untouched(void **state)
{
	(void)state;
	fake_root_put(kernel.root, TRACING "trace_pipe", HEADER PCIDEV);
	start();
	take_until("driver-up");
	stop();
	finish();
	assert_done(NULL, "empty", MTW_SESSION_CAPTURED);
	assert_as_before();
}

/* Stopped while it still prepares: nothing is begun that is not undone. */
static void test_stopped_at_once(void **state)
{
	const MtwCaptureOptions options = { .device = NIC,
					    .buffer_kb = 64000,
					    .load_driver = TRUE };

	(void)state;
	fixture.run = mtw_run_new(kernel.root->paths, fixture.session, &options, 1, fixture.events);
	stop();
	fixture.thread = g_thread_new("capture", mtw_run_execute, fixture.run);
	finish();
	assert_done("interrupted", NULL, MTW_SESSION_FAILED);
	assert_as_before();
	assert_string_equal(kernel.written->str, "");
}

/* What cannot be made ends it; what was made before is undone. */
static void assert_refused(const char *file, int errnum, const char *error)
{
	kernel.refused = file;
	kernel.refused_errno = errnum;
	start();
	finish();
	assert_done(error, NULL, MTW_SESSION_FAILED);
	assert_as_before();
}

static void test_cannot_unbind(void **state)
{
	(void)state;
	assert_refused("nic/unbind", EPERM, "permission");
}

static void test_cannot_set_clock(void **state)
{
	(void)state;
	assert_refused("trace_clock", EINVAL, "failed");
}

static void test_no_memory(void **state)
{
	(void)state;
	assert_refused("cpu0/buffer_size_kb", ENOMEM, "failed");
}

static void test_cpu_refuses(void **state)
{
	(void)state;
	kernel.stubborn_cpu = TRUE;
	start();
	finish();
	assert_done("cannot-trace", NULL, MTW_SESSION_FAILED);
	assert_as_before();
}

/* The kernel's log is not one of mmiotrace. */
static void test_no_header(void **state)
{
	(void)state;
	fake_root_put(kernel.root, TRACING "trace_pipe", "# tracer: function\n");
	start();
	finish();
	assert_done("cannot-trace", NULL, MTW_SESSION_FAILED);
	assert_as_before();
}

/* A driver that fails is a result too: how far it came is in the trace. */
static void test_driver_fails(void **state)
{
	(void)state;
	kernel.refused = "nic/bind";
	kernel.refused_errno = EIO;
	kernel.refused_times = 1;
	start();
	finish();
	assert_done("failed", "good", MTW_SESSION_CAPTURED);
	assert_as_before();
	assert_null(strstr(fixture.seen->str, "driver-up"));
}

/* Somebody switches a CPU on in the middle: it ends before the machine crashes. */
static void test_cpu_comes_back(void **state)
{
	(void)state;
	start();
	take_until("driver-up");
	kernel_set_cpu(1, "1");
	finish();
	assert_done("failed", "good", MTW_SESSION_CAPTURED);
	assert_as_before();
}

static void test_not_restored(void **state)
{
	(void)state;
	start();
	take_until("driver-up");
	kernel_set_clock("boot");
	stop();
	finish();
	assert_done("not-restored", "good", MTW_SESSION_CAPTURED);
	assert_false(mtw_json_bool(fixture.done, "restored", TRUE));
	assert_false(mtw_json_bool(fixture.session->state, "restored", TRUE));
	assert_kernel(TRACING "current_tracer", "nop");
	assert_driver(NIC, "nic");
}

static void test_no_such_device(void **state)
{
	const MtwCaptureOptions options = { .device = "0000:77:00.0", .load_driver = TRUE };

	(void)state;
	fixture.run = mtw_run_new(kernel.root->paths, fixture.session, &options, 1, fixture.events);
	fixture.thread = g_thread_new("capture", mtw_run_execute, fixture.run);
	finish();
	assert_done("not-found", NULL, MTW_SESSION_FAILED);
	assert_string_equal(kernel.written->str, "");
}

/* The journal of it all: everything is undone there too. */
static void test_journal(void **state)
{
	g_autofree char *text = NULL;

	(void)state;
	start();
	take_until("driver-up");
	stop();
	finish();
	text = session_file("journal");
	for (int n = 1; n <= 8; n++) {
		g_autofree char *undone = g_strdup_printf("{\"n\":%d,\"status\":\"undone\"}", n);
		assert_non_null(strstr(text, undone));
	}
}

#define RUN_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(test_good),	       RUN_TEST(test_facts),
		RUN_TEST(test_counters),       RUN_TEST(test_lost),
		RUN_TEST(test_untouched),      RUN_TEST(test_stopped_at_once),
		RUN_TEST(test_cannot_unbind),  RUN_TEST(test_cannot_set_clock),
		RUN_TEST(test_no_memory),      RUN_TEST(test_cpu_refuses),
		RUN_TEST(test_no_header),      RUN_TEST(test_driver_fails),
		RUN_TEST(test_cpu_comes_back), RUN_TEST(test_not_restored),
		RUN_TEST(test_no_such_device), RUN_TEST(test_journal),
	};

	return cmocka_run_group_tests_name("capture-run", tests, NULL, NULL);
}
