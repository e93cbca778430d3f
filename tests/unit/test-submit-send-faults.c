/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sender makes of failures: again, later, or a person has to do something. */
#include "test-submit-script.h"

static JsonObject *failure_of(MtwItem *item)
{
	return mtw_json_object(mtw_item_state_json(item), "failure");
}

static void expect_failure_class(MtwItem *item, const char *class)
{
	assert_string_equal(mtw_json_string(failure_of(item), "class", ""), class);
}

static const char *mark_of(MtwItem *item, const char *phase)
{
	return mtw_json_string(mtw_json_object(mtw_item_state_json(item), "phases"), phase, "none");
}

static gint64 next_try_of(MtwItem *item)
{
	return mtw_json_int(mtw_item_state_json(item), "next_try_sec", -1);
}

static gint64 now_sec(void)
{
	return g_get_real_time() / G_USEC_PER_SEC;
}

/* ---- again ---- */

static void test_transient_twice(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	JsonObject *retry;

	PLAN(upload, TRANSIENT, TRANSIENT);
	send_well(item, queue);
	assert_int_equal(server_count("upload"), 1);
	/* It is known that the server has nothing. */
	assert_int_equal(server_count("look"), 0);
	assert_int_equal(count_events("retry"), 2);
	retry = last_event("retry");
	assert_int_equal(mtw_json_int(retry, "try", 0), 2);
	assert_int_equal(mtw_json_int(retry, "of", 0), 3);
	expect_text(mtw_json_string(retry, "message", ""), "scripted");
	assert_null(failure_of(item));
	assert_int_equal(next_try_of(item), 0);
}

static void test_transient_for_ever(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(upload, TRANSIENT, TRANSIENT, TRANSIENT, TRANSIENT, TRANSIENT, TRANSIENT);
	send_badly(item, queue, MTW_ERROR_NETWORK);
	/* Once, and as often again as the target says. */
	assert_int_equal(script.upload.met, 4);
	assert_int_equal(count_events("retry"), 3);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_CONSENTED);
	expect_failure_class(item, "transient");
	assert_true(next_try_of(item) >= now_sec() - 60);
	assert_int_equal(mtw_json_int(mtw_item_state_json(item), "tries", 0), 4);
	send_well(item, queue);
	assert_int_equal(script.upload.met, 6);
}

static void test_one_try(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	MtwSendOptions options = { .event = take_event, .one_try = TRUE };
	g_autoptr(GError) error = NULL;

	PLAN(upload, TRANSIENT, TRANSIENT);
	assert_false(send_with(item, queue, &options, &error));
	expect_error(&error, MTW_ERROR_NETWORK);
	assert_int_equal(script.upload.met, 1);
	assert_int_equal(count_events("retry"), 0);
}

static void test_server_asks_to_wait(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(upload,
	     { .class = MTW_FAILURE_TRANSIENT, .code = MTW_ERROR_NETWORK, .retry_after_sec = 1 });
	send_well(item, queue);
	assert_int_equal(mtw_json_int(last_event("retry"), "in_sec", 0), 1);
}

static void test_server_asks_for_too_long(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	gint64 before = now_sec();

	PLAN(upload, { .class = MTW_FAILURE_TRANSIENT,
		       .code = MTW_ERROR_NETWORK,
		       .retry_after_sec = 100000 });
	send_badly(item, queue, MTW_ERROR_NETWORK);
	assert_int_equal(count_events("retry"), 0);
	assert_true(next_try_of(item) >= before + 100000);
	assert_int_equal(mtw_json_int(failure_of(item), "retry_after", 0), 100000);
}

/* A request failed that did not matter, then this computer: no other try helps. */
static void test_own_failure(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(upload, { .class = MTW_FAILURE_TRANSIENT, .code = MTW_ERROR_DISK });
	send_badly(item, queue, MTW_ERROR_DISK);
	assert_int_equal(script.upload.met, 1);
	assert_int_equal(count_events("retry"), 0);
	assert_string_equal(mark_of(item, "upload"), "started");
}

/* ---- what the server has is not known ---- */

static void test_answer_lost(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(upload, { .class = MTW_FAILURE_TRANSIENT,
		       .code = MTW_ERROR_NETWORK,
		       .maybe_done = TRUE,
		       .after = TRUE });
	PLAN(issue, { .class = MTW_FAILURE_TRANSIENT,
		      .code = MTW_ERROR_NETWORK,
		      .maybe_done = TRUE,
		      .after = TRUE });
	send_well(item, queue);
	assert_int_equal(server_count("upload"), 1);
	assert_int_equal(server_count("issue"), 1);
	assert_int_equal(server_count("look"), 2);
	assert_non_null(mtw_item_url(item));
	/* Also then the end is told. */
	assert_true(mtw_json_bool(last_event("progress"), "confirmed", FALSE));
}

static void test_lost_before_it_came_there(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(issue,
	     { .class = MTW_FAILURE_TRANSIENT, .code = MTW_ERROR_NETWORK, .maybe_done = TRUE });
	send_well(item, queue);
	assert_int_equal(server_count("look"), 1);
	assert_int_equal(server_count("issue"), 1);
}

/* As long as it cannot be found out, nothing is done twice. */
static void test_cannot_look(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(issue,
	     { .class = MTW_FAILURE_TRANSIENT,
	       .code = MTW_ERROR_NETWORK,
	       .maybe_done = TRUE,
	       .after = TRUE },
	     { .class = MTW_FAILURE_TRANSIENT, .code = MTW_ERROR_NETWORK, .in_find = TRUE },
	     { .class = MTW_FAILURE_TRANSIENT, .code = MTW_ERROR_NETWORK, .in_find = TRUE },
	     { .class = MTW_FAILURE_TRANSIENT, .code = MTW_ERROR_NETWORK, .in_find = TRUE });
	send_badly(item, queue, MTW_ERROR_NETWORK);
	assert_string_equal(mark_of(item, "issue"), "started");
	assert_int_equal(server_count("issue"), 1);
	send_well(item, queue);
	assert_int_equal(server_count("issue"), 1);
}

static void test_not_allowed_to_look(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(issue,
	     { .class = MTW_FAILURE_TRANSIENT,
	       .code = MTW_ERROR_NETWORK,
	       .maybe_done = TRUE,
	       .after = TRUE },
	     { .class = MTW_FAILURE_PERMANENT, .code = MTW_ERROR_REJECTED, .in_find = TRUE });
	send_badly(item, queue, MTW_ERROR_NOT_FILED);
	assert_string_equal(mark_of(item, "issue"), "started");
	assert_int_equal(server_count("issue"), 1);
}

/* ---- a person has to do something ---- */

static void test_refused(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(upload, { .class = MTW_FAILURE_PERMANENT, .code = MTW_ERROR_REJECTED });
	send_badly(item, queue, MTW_ERROR_REJECTED);
	assert_int_equal(script.upload.met, 1);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_REFUSED);
	assert_string_equal(mark_of(item, "upload"), "none");
	expect_failure_class(item, "permanent");
	/* The person wants it all the same. */
	send_well(item, queue);
}

static void test_too_big(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(upload, { .class = MTW_FAILURE_TOO_BIG, .code = MTW_ERROR_REJECTED });
	send_badly(item, queue, MTW_ERROR_REJECTED);
	assert_int_equal(script.upload.met, 1);
	expect_failure_class(item, "too-big");
}

static void test_uploaded_but_not_filed(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_autofree char *id = g_strdup(mtw_item_id(item));

	PLAN(issue, { .class = MTW_FAILURE_PERMANENT, .code = MTW_ERROR_REJECTED });
	send_badly(item, queue, MTW_ERROR_NOT_FILED);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_UPLOADED);
	g_clear_pointer(&item, mtw_item_free);
	item = mtw_item_open(queue->caller, id, TRUE, NULL);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_UPLOADED);
	send_well(item, queue);
	assert_int_equal(server_count("upload"), 1);
	assert_int_equal(server_count("issue"), 1);
}

static void test_captcha(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(issue, { .class = MTW_FAILURE_PERSON, .code = MTW_ERROR_REJECTED });
	send_badly(item, queue, MTW_ERROR_NOT_FILED);
	expect_failure_class(item, "person");
	assert_int_equal(mtw_item_state(item), MTW_ITEM_UPLOADED);
}

static void test_tls(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);

	PLAN(upload, { .class = MTW_FAILURE_PERMANENT, .code = MTW_ERROR_TLS });
	send_badly(item, queue, MTW_ERROR_TLS);
	assert_int_equal(script.upload.met, 1);
	PLAN(issue, { .class = MTW_FAILURE_PERMANENT, .code = MTW_ERROR_TLS });
	send_badly(item, queue, MTW_ERROR_TLS);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_UPLOADED);
}

/* ---- credentials ---- */

static guint asked, refusals;

static MtwSecret *answer(const MtwTarget *target, gboolean refused, gpointer user_data)
{
	const char *const *answers = user_data;
	const char *text = answers != NULL ? answers[asked] : NULL;

	assert_string_equal(target->id, "test");
	asked++;
	refusals += refused;
	return text != NULL ? mtw_secret_new(text, strlen(text)) : NULL;
}

static void expect_secret(MtwJob *job)
{
	const char *const *answers = script.options->user_data;

	assert_string_equal(mtw_secret_text(mtw_transfer_secret(job->transfer)),
			    answers[asked - 1]);
}

static gboolean send_asking(MtwItem *item, const Queue *queue, const char *const *answers,
			    GError **error)
{
	MtwCredentialSource source = { .token_fd = -1, .no_keyring = TRUE };
	MtwSendOptions options = { .credentials = &source,
				   .ask_secret = answer,
				   .user_data = (gpointer)answers };

	asked = refusals = 0;
	g_setenv("XDG_CONFIG_HOME", queue->folder, TRUE);
	queue->target->auth = MTW_AUTH_BEARER;
	return send_with(item, queue, &options, error);
}

#define REFUSED                                                   \
	{                                                         \
		.class = MTW_FAILURE_AUTH, .code = MTW_ERROR_AUTH \
	}

static void test_refused_then_right(void **state)
{
	static const char *const answers[] = { "token-one", "token-two", "token-three" };
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_autoptr(GError) error = NULL;

	script.in_upload = expect_secret;
	PLAN(upload, REFUSED);
	PLAN(issue, REFUSED);
	assert_true(send_asking(item, queue, answers, &error));
	assert_int_equal(asked, 3);
	assert_int_equal(refusals, 2);
	assert_int_equal(server_count("upload"), 1);
}

static void test_refused_again_and_again(void **state)
{
	static const char *const answers[] = { "one", "two", "three", "four" };
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_autoptr(GError) error = NULL;

	PLAN(upload, REFUSED, REFUSED, REFUSED, REFUSED);
	assert_false(send_asking(item, queue, answers, &error));
	expect_error(&error, MTW_ERROR_AUTH);
	assert_int_equal(asked, 3);
	assert_int_equal(refusals, 2);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_CONSENTED);
	expect_failure_class(item, "authentication");
}

static void test_no_token(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_autoptr(GError) error = NULL;

	assert_false(send_asking(item, queue, NULL, &error));
	expect_error(&error, MTW_ERROR_AUTH);
	assert_int_equal(asked, 1);
	assert_int_equal(server_count("upload"), 0);
}

static void test_nobody_is_asked_without_need(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	MtwSendOptions options = { .ask_secret = answer };
	g_autoptr(GError) error = NULL;

	asked = 0;
	assert_true(send_with(item, queue, &options, &error));
	assert_int_equal(asked, 0);
}

static void expect_without(MtwItem *item, const char *name, const char *secret)
{
	g_autofree char *path = item_path(item, name);
	g_autofree char *text = mtw_file_read(path, 100000, NULL, NULL);

	assert_non_null(text);
	assert_null(strstr(text, secret));
}

static void test_secret_is_written_nowhere(void **state)
{
	static const char *const answers[] = { "glpat-SEEDED" };
	Queue *queue = *state;
	g_autoptr(MtwItem) item = queue_consented(queue);
	g_autoptr(GError) error = NULL;

	PLAN(issue, { .class = MTW_FAILURE_PERMANENT, .code = MTW_ERROR_REJECTED });
	assert_false(send_asking(item, queue, answers, &error));
	assert_null(strstr(error->message, "SEEDED"));
	expect_without(item, "state.json", "SEEDED");
	expect_without(item, "meta.json", "SEEDED");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRIPT_TEST(test_transient_twice),
		SCRIPT_TEST(test_transient_for_ever),
		SCRIPT_TEST(test_one_try),
		SCRIPT_TEST(test_server_asks_to_wait),
		SCRIPT_TEST(test_server_asks_for_too_long),
		SCRIPT_TEST(test_own_failure),
		SCRIPT_TEST(test_answer_lost),
		SCRIPT_TEST(test_lost_before_it_came_there),
		SCRIPT_TEST(test_cannot_look),
		SCRIPT_TEST(test_not_allowed_to_look),
		SCRIPT_TEST(test_refused),
		SCRIPT_TEST(test_too_big),
		SCRIPT_TEST(test_uploaded_but_not_filed),
		SCRIPT_TEST(test_captcha),
		SCRIPT_TEST(test_tls),
		SCRIPT_TEST(test_refused_then_right),
		SCRIPT_TEST(test_refused_again_and_again),
		SCRIPT_TEST(test_no_token),
		SCRIPT_TEST(test_nobody_is_asked_without_need),
		SCRIPT_TEST(test_secret_is_written_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
