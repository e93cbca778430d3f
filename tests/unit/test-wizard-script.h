/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An engine and a view that do what a test wrote down; both interfaces are real seams. The machine is
 * that of test-capture-kernel.h, the plan is the real one.
 */
#pragma once

#include "test-capture-kernel.h"

#include "base/json.h"
#include "capture/capture-json.h"
#include "capture/next-boot.h"
#include "wizard/wizard-private.h"

#include <sys/mman.h>

#define SESSION "20260101-120000-8086-100e"
/* In the events of a try: nothing more comes until the engine is told to stop. */
#define UNTIL_STOP "until-stop"

#define UP "{\"event\":\"driver-up\"}"
#define DONE(members) \
	"{\"event\":\"done\",\"session\":\"" SESSION "\",\"restored\":true" members "}"
#define VERDICT(grade, lost)                                                              \
	",\"trace\":true,\"verdict\":{\"grade\":\"" grade "\",\"lost\":{\"events\":" lost \
	",\"exact\":true}}"
#define GOOD DONE(VERDICT("good", "0"))
#define LOST DONE(VERDICT("lost", "7"))

#define TRACE                                                             \
	"VERSION 20070824\nMAP 1.000000 1 0xfeb40000 0x1 0x20000 0x0 0\n" \
	"R 4 1.000001 1 0xfeb40000 0x1 0x0 0\n"

typedef struct {
	MtwEngine base;
	const char *const *const *tries; /* events of each try */
	const char *start_error;	 /* (nullable): start fails with an error of this name */
	const char *const *events;	 /* of the running try */
	guint starts;
	guint64 buffer_kb; /* of the last start */
	gboolean stopped;
	gboolean arranged;	  /* for the next start of the computer */
	const char *kept_verdict; /* (nullable): verdict.json of the session */
	void (*on_stop)(void);	  /* (nullable) */
	void (*on_poll)(void);	  /* (nullable): while it waits for the stop */
	GString *calls;		  /* "start 64000;mark X;stop;" */
	GString *kept;		  /* "name=content\n" of kept files */
	JsonObject *facts;
} ScriptEngine;

typedef struct {
	MtwView base;
	const char *const *answers; /* "id=answer"; others are not answered */
	const char *const *lines;   /* (nullable) typed during the capture; "<end>": end of input */
	GString *asked;		    /* "id;" */
	GString *seen;		    /* "step welcome;message marker;..." */
	gboolean gone;		    /* when the input ends */
	void (*on_event)(const char *name);
} ScriptView;

typedef struct {
	ScriptEngine engine;
	ScriptView view;
	MtwAnswers *answers;
	MtwCaller caller;
	MtwWizardOptions options;
	MtwWizard *wizard;
	char *message; /* (nullable): of the error that the run ended with */
	char *output;
} Script;

static Script script;

static inline GPtrArray *script_check(MtwEngine *engine, const MtwCheckOptions *options,
				      GError **error)
{
	(void)engine;
	(void)error;
	return mtw_check_run(kernel.root->paths, options);
}

static inline JsonObject *script_plan(MtwEngine *engine, const MtwCaptureOptions *options,
				      GError **error)
{
	MtwMachine machine = { .paths = kernel.root->paths,
			       .tracefs = mtw_tracefs_find(kernel.root->paths, NULL) };
	g_autoptr(MtwTracer) tracer = mtw_tracer_new_builtin();
	g_autoptr(MtwPlan) plan = mtw_plan_new(&machine, tracer, options, error);
	JsonObject *object = plan != NULL ? mtw_plan_to_json(plan) : NULL;

	(void)engine;
	mtw_machine_clear(&machine);
	return object;
}

static inline gboolean script_start(MtwEngine *base, const MtwCaptureOptions *options,
				    GError **error)
{
	ScriptEngine *engine = (ScriptEngine *)base;

	g_string_append_printf(engine->calls, "start %" G_GUINT64_FORMAT ";", options->buffer_kb);
	if (engine->start_error != NULL) {
		g_propagate_error(error, mtw_error_from_name(engine->start_error, "scripted"));
		return FALSE;
	}
	engine->events = engine->tries[engine->starts++];
	assert_non_null(engine->events);
	engine->buffer_kb = options->buffer_kb;
	engine->stopped = FALSE;
	return TRUE;
}

static inline gboolean script_mark(MtwEngine *base, const char *text, GError **error)
{
	(void)error;
	g_string_append_printf(((ScriptEngine *)base)->calls, "mark %s;", text);
	return TRUE;
}

static inline void script_stop(MtwEngine *base)
{
	ScriptEngine *engine = (ScriptEngine *)base;

	g_string_append(engine->calls, "stop;");
	if (engine->on_stop != NULL)
		engine->on_stop();
	engine->stopped = TRUE;
}

static inline JsonObject *script_next_event(MtwEngine *base, guint timeout_msec)
{
	ScriptEngine *engine = (ScriptEngine *)base;
	const char *event = *engine->events;

	(void)timeout_msec;
	assert_non_null(event);
	if (strcmp(event, UNTIL_STOP) == 0 && !engine->stopped) {
		if (engine->on_poll != NULL)
			engine->on_poll();
		g_usleep(1000);
		return NULL;
	}
	engine->events++;
	return strcmp(event, UNTIL_STOP) == 0 ? NULL : mtw_json_parse(event, -1, event, NULL);
}

static inline JsonObject *script_counters(MtwEngine *engine)
{
	(void)engine;
	return NULL;
}

static inline GPtrArray *script_identifiers(MtwEngine *engine)
{
	(void)engine;
	return mtw_identifiers_get(kernel.root->paths);
}

static inline int script_open_file(MtwEngine *engine, const char *name, GError **error)
{
	const char *text = NULL;
	int fd;

	if (strcmp(name, "verdict.json") == 0)
		text = ((ScriptEngine *)engine)->kept_verdict;
	else if (strcmp(name, "trace.txt") == 0)
		text = TRACE;
	if (text == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND, "%s", name);
		return -1;
	}
	fd = memfd_create(name, MFD_CLOEXEC);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static inline const char *script_session_id(MtwEngine *engine)
{
	const ScriptEngine *script_engine = (const ScriptEngine *)engine;

	return script_engine->starts > 0 || script_engine->arranged ? SESSION : NULL;
}

static inline JsonObject *script_facts(MtwEngine *engine)
{
	return ((ScriptEngine *)engine)->facts;
}

static inline gboolean script_keep_fact(MtwEngine *engine, const char *name, JsonNode *value,
					GError **error)
{
	(void)error;
	json_object_set_member(((ScriptEngine *)engine)->facts, name, value);
	return TRUE;
}

static inline gboolean script_keep_file(MtwEngine *engine, const MtwMessage *about,
					const void *data, gsize bytes, GError **error)
{
	GString *kept = ((ScriptEngine *)engine)->kept;

	(void)error;
	g_string_append_printf(kept, "%s=", about->id);
	g_string_append_len(kept, data, (gssize)bytes);
	g_string_append_c(kept, '\n');
	return TRUE;
}

static inline GPtrArray *script_collect(MtwEngine *engine, GError **error)
{
	(void)engine;
	(void)error;
	return mtw_messages_new();
}

static inline JsonObject *script_plan_next_boot(MtwEngine *engine, const MtwCaptureOptions *options,
						GError **error)
{
	(void)engine;
	return mtw_next_boot_plan(kernel.root->paths, options, error);
}

static inline gboolean script_arrange_next_boot(MtwEngine *base, const MtwCaptureOptions *options,
						guint duration_sec, GError **error)
{
	ScriptEngine *engine = (ScriptEngine *)base;

	(void)error;
	g_string_append_printf(engine->calls, "arrange %s %u;", options->device, duration_sec);
	engine->arranged = TRUE;
	return TRUE;
}

static inline void script_log(MtwEngine *engine, const char *text)
{
	(void)engine;
	(void)text;
}

static const MtwEngineOps script_engine_ops = {
	.check = script_check,
	.plan = script_plan,
	.start = script_start,
	.mark = script_mark,
	.stop = script_stop,
	.next_event = script_next_event,
	.counters = script_counters,
	.open_file = script_open_file,
	.session_id = script_session_id,
	.facts = script_facts,
	.keep_fact = script_keep_fact,
	.keep_file = script_keep_file,
	.collect = script_collect,
	.identifiers = script_identifiers,
	.log = script_log,
	.plan_next_boot = script_plan_next_boot,
	.arrange_next_boot = script_arrange_next_boot,
};

static inline void script_show(MtwView *base, JsonObject *event)
{
	ScriptView *view = (ScriptView *)base;
	const char *name = mtw_json_string(event, "event", "");
	const char *more = mtw_json_string(event, strcmp(name, "step") == 0 ? "step" : "id", NULL);

	g_string_append_printf(view->seen, "%s%s%s;", name, more != NULL ? " " : "",
			       more != NULL ? more : "");
	if (view->on_event != NULL)
		view->on_event(name);
}

static inline char *script_ask(MtwView *base, const MtwRequest *request)
{
	ScriptView *view = (ScriptView *)base;
	gsize length = strlen(request->id);

	g_string_append_printf(view->asked, "%s;", request->id);
	for (gsize i = 0; view->answers != NULL && view->answers[i] != NULL; i++)
		if (strncmp(view->answers[i], request->id, length) == 0 &&
		    view->answers[i][length] == '=')
			return g_strdup(view->answers[i] + length + 1);
	return NULL;
}

static inline gboolean script_capture_line(MtwView *base, char **ret_line)
{
	ScriptView *view = (ScriptView *)base;

	if (view->lines == NULL || *view->lines == NULL)
		return FALSE;
	*ret_line = strcmp(*view->lines, "<end>") == 0 ? NULL : g_strdup(*view->lines);
	view->lines++;
	return TRUE;
}

static inline gboolean script_is_gone(MtwView *view)
{
	return ((ScriptView *)view)->gone;
}

static inline gboolean script_can_edit(MtwView *view)
{
	(void)view;
	return FALSE;
}

static const MtwViewOps script_view_ops = {
	.show = script_show,
	.ask = script_ask,
	.capture_line = script_capture_line,
	.can_edit = script_can_edit,
	.is_gone = script_is_gone,
};

/* What the checks want to see, and the rules of masking. */
static inline void script_put_machine(void)
{
	g_autofree char *rules =
		g_canonicalize_filename("../../data/redact.d", g_getenv("MTW_TEST_DATA"));

	fake_root_put(kernel.root, "usr/share/mmiotrace-wizard/x", "");
	fake_root_link(kernel.root, "usr/share/mmiotrace-wizard/redact.d", rules);
	kernel_put("proc/self/status", "Name:\tx\nUid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff");
	kernel_put("proc/sys/kernel/arch", "x86_64");
	kernel_put(TRACING "tracing_cpumask", "3");
	kernel_put(TRACING "set_event", "");
}

static inline void script_put_facts(void)
{
	JsonObject *facts = script.engine.facts;

	json_object_set_string_member(facts, "device", NIC);
	json_object_set_int_member(facts, "vendor_id", 0x8086);
	json_object_set_int_member(facts, "device_id", 0x100e);
	json_object_set_string_member(facts, "driver", "nic");
	json_object_set_boolean_member(facts, "restored", TRUE);
	json_object_set_int_member(facts, "time_sec", 1767268800);
}

static inline int script_setup(void **state)
{
	kernel_setup(state);
	g_unsetenv("XDG_STATE_HOME");
	script_put_machine();
	script = (Script){
		.engine = { .base = { .ops = &script_engine_ops },
			    .calls = g_string_new(NULL),
			    .kept = g_string_new(NULL),
			    .facts = json_object_new() },
		.view = { .base = { .ops = &script_view_ops },
			  .asked = g_string_new(NULL),
			  .seen = g_string_new(NULL) },
		.answers = mtw_answers_new(),
		.caller = { .uid = geteuid(), .gid = getegid(), .name = (char *)"alice" },
		.output = fake_root_path(kernel.root, "out"),
	};
	script.caller.home = fake_root_path(kernel.root, "home/alice");
	script.options = (MtwWizardOptions){ .batch = TRUE,
					     .device = NIC,
					     .output = script.output,
					     .duration_sec = MTW_DURATION_UNSET,
					     .max_retries = 3,
					     .buffer_kb = 64000,
					     .load_driver = TRUE };
	mtw_answers_set(script.answers, "nick", "alice");
	script_put_facts();
	return 0;
}

static inline int script_teardown(void **state)
{
	mtw_wizard_free(script.wizard);
	mtw_answers_free(script.answers);
	g_string_free(script.engine.calls, TRUE);
	g_string_free(script.engine.kept, TRUE);
	json_object_unref(script.engine.facts);
	g_string_free(script.view.asked, TRUE);
	g_string_free(script.view.seen, TRUE);
	g_free(script.caller.home);
	g_free(script.output);
	g_free(script.message);
	return kernel_teardown(state);
}

static inline MtwWizard *script_wizard(void)
{
	if (script.wizard == NULL)
		script.wizard =
			mtw_wizard_new(kernel.root->paths, &script.engine.base, &script.view.base,
				       script.answers, &script.caller, &script.options);
	return script.wizard;
}

/* Runs it all. @error: (nullable): name of the error that it must end with */
static inline void script_run(const char *error)
{
	g_autoptr(GError) why = NULL;
	gboolean done = mtw_wizard_run(script_wizard(), &why);

	if (g_strcmp0(why != NULL ? mtw_error_name(why) : NULL, error) != 0)
		fail_msg("ended with %s: %s\n%s", why != NULL ? mtw_error_name(why) : "no error",
			 why != NULL ? why->message : "", script.view.seen->str);
	assert_true(done == (error == NULL));
	g_free(script.message);
	script.message = why != NULL ? g_strdup(why->message) : NULL;
}

static inline void assert_seen(const char *text)
{
	if (strstr(script.view.seen->str, text) == NULL)
		fail_msg("no \"%s\" in %s", text, script.view.seen->str);
}

static inline void assert_not_seen(const char *text)
{
	if (strstr(script.view.seen->str, text) != NULL)
		fail_msg("\"%s\" in %s", text, script.view.seen->str);
}

static inline void assert_calls(const char *wanted)
{
	assert_string_equal(script.engine.calls->str, wanted);
}

/* Whether an archive was made. */
static inline void assert_packed(gboolean wanted)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(script.output);

	if ((names->len == 1) != wanted)
		fail_msg("%u archives", names->len);
	if (wanted)
		assert_string_equal(names->pdata[0], "8086-100e-alice-mmiotrace.tar.gz");
}

#define SCRIPT_TEST(function) \
	cmocka_unit_test_setup_teardown(function, script_setup, script_teardown)

#define TRIES(...) ((const char *const *const[]){ __VA_ARGS__, NULL })
#define TRY(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define ONE_GOOD TRIES(TRY(UP, GOOD))
#define ANSWERS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* A person who says yes to everything. */
static const char *const willing[] = { "welcome=yes", "device=" NIC, "warnings=yes",
				       "prepare=yes", "nick=alice",  "story=It worked.",
				       "review=ok",   "agree=yes",   NULL };

/* Nobody answers for the person. */
static inline void walk_with_person(const char *const *answers)
{
	script.options.batch = FALSE;
	script.view.answers = answers;
	mtw_answers_free(script.answers);
	script.answers = mtw_answers_new();
}
