/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that comes back to a capture which another one began: what it does next is what that one would have done. */
#include "test-wizard-send.h"

#define PROFILES "usr/share/mmiotrace-wizard/profiles/"
#define PROFILE(title, more) "[Profile]\nTitle=" title "\n" more

static const char *const collectors[] = { "vbios", "edid-binary", NULL };
static MtwCaptureOptions running;
static JsonObject *started; /* (nullable): with what the last try was */

static gboolean start(MtwEngine *engine, const MtwCaptureOptions *options, GError **error)
{
	g_clear_pointer(&started, json_object_unref);
	started = mtw_capture_options_to_json(options);
	return script_start(engine, options, error);
}

static int setup(void **state)
{
	static MtwEngineOps ops;
	int result = send_setup(state);

	ops = script_engine_ops;
	ops.start = start;
	script.engine.base.ops = &ops;
	fake_root_put(kernel.root, PROFILES "generic.conf", PROFILE("For all", ""));
	fake_root_put(kernel.root, PROFILES "wished.conf",
		      PROFILE("Wished for", "Collectors=vbios;edid-binary;\n"));
	running = (MtwCaptureOptions){ .device = NIC,
				       .driver = "other",
				       .module_options = "debug=16",
				       .buffer_kb = 32000,
				       .profile = "wished",
				       .notes = "With debug.\n",
				       .load_driver = TRUE,
				       .collectors = collectors,
				       .consent_edid = TRUE,
				       .consent_vbios = TRUE };
	script.options.no_sending = TRUE;
	return result;
}

static int teardown(void **state)
{
	g_clear_pointer(&started, json_object_unref);
	return send_teardown(state);
}

#define ATTACH_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

/* @tries: the first one runs already. */
static void attach(const char *const *const *tries, const char *on_lost)
{
	g_autofree char *lost = g_strconcat("on-lost=", on_lost, NULL);
	const char *const answers[] = { lost, "nick=alice", "review=ok", NULL };
	g_autoptr(GError) error = NULL;

	walk_with_person(answers);
	script.options.device = NULL;
	script.options.buffer_kb = 0;
	script.options.max_retries = MTW_RETRIES_DEFAULT;
	script.options.running = &running;
	script.engine.tries = tries;
	script.engine.events = tries[0];
	script.engine.starts = 1;
	mtw_wizard_attach(script_wizard(), &error);
	assert_packed(TRUE);
}

/* With all that the first try was made with, and twice the buffer. */
static void test_another_try_is_like_the_first(void **state)
{
	MtwCaptureOptions wanted = running;
	g_autoptr(JsonObject) object = NULL;
	g_autofree char *expected = NULL;
	g_autofree char *got = NULL;

	(void)state;
	attach(TRIES(TRY(UP, LOST), TRY(UP, GOOD)), "retry");
	assert_calls("start 64000;");
	assert_non_null(started);
	/* As from every wizard. */
	json_object_remove_member(started, "countdown_sec");
	wanted.buffer_kb = 64000;
	object = mtw_capture_options_to_json(&wanted);
	json_object_remove_member(object, "countdown_sec");
	expected = mtw_json_line(object);
	got = mtw_json_line(started);
	assert_string_equal(got, expected);
}

/* Somebody else loads the driver: so it stays. */
static void test_driver_is_not_loaded(void **state)
{
	(void)state;
	running.load_driver = FALSE;
	attach(TRIES(TRY(UP, LOST), TRY(UP, GOOD)), "retry");
	assert_false(mtw_json_bool(started, "load_driver", TRUE));
}

/* The engine chose the size, and wrote it down. */
static void test_size_of_the_engine(void **state)
{
	(void)state;
	running.buffer_kb = 0;
	json_object_set_int_member(script.engine.facts, "buffer_kb", 16000);
	attach(TRIES(TRY(UP, LOST), TRY(UP, GOOD)), "retry");
	assert_calls("start 32000;");
}

/* The session's other tries are known: of them the best one is what is told of. */
static void test_try_of_another_process(void **state)
{
	(void)state;
	script.engine.kept_verdict = "{\"grade\":\"good\",\"lost\":{\"events\":0}}";
	attach(TRIES(TRY(UP, DONE(",\"try\":2" VERDICT("lost", "7")))), "keep");
	assert_string_equal(mtw_json_string(script.wizard->verdict, "grade", ""), "good");
}

/* Nobody wants it larger without an end. */
static void test_tries_are_counted(void **state)
{
	(void)state;
	attach(TRIES(TRY(UP, DONE(",\"try\":4" VERDICT("lost", "7")))), "retry");
	assert_calls("");
	assert_null(strstr(script.view.asked->str, "on-lost;"));
}

/* The person chose it; the device would have another. */
static void test_profile(void **state)
{
	(void)state;
	attach(TRIES(TRY(UP, GOOD)), "");
	assert_string_equal(script.wizard->profile->id, "wished");
	assert_string_equal(mtw_json_string(script.engine.facts, "profile", ""), "wished");
}

static void attach_without(const char *profile)
{
	running.profile = profile;
	attach(TRIES(TRY(UP, GOOD)), "");
	assert_string_equal(script.wizard->profile->id, "generic");
	assert_string_equal(mtw_json_string(script.engine.facts, "profile", ""), "generic");
}

/* Another program began it. */
static void test_no_profile(void **state)
{
	(void)state;
	attach_without(NULL);
}

/* Its file is not there any more: the capture is worth more. */
static void test_profile_is_gone(void **state)
{
	(void)state;
	attach_without("gone");
}

static void test_device_is_gone(void **state)
{
	(void)state;
	running.device = "0000:77:00.0";
	script.options.running = &running;
	assert_false(mtw_wizard_attach(script_wizard(), NULL));
	assert_not_seen("step capture;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ATTACH_TEST(test_another_try_is_like_the_first),
		ATTACH_TEST(test_driver_is_not_loaded),
		ATTACH_TEST(test_size_of_the_engine),
		ATTACH_TEST(test_try_of_another_process),
		ATTACH_TEST(test_tries_are_counted),
		ATTACH_TEST(test_profile),
		ATTACH_TEST(test_no_profile),
		ATTACH_TEST(test_profile_is_gone),
		ATTACH_TEST(test_device_is_gone),
	};

	return cmocka_run_group_tests_name("wizard-attach", tests, NULL, NULL);
}
