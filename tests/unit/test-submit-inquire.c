/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions to the server before anything is sent. */
#include "test-submit-script.h"

#include "base/message.h"

/* What each question meets. */
static const Fault *limit_fault, *who_fault, *search_fault;
static guint asked_limit, asked_who, asked_search, asked_person;

static gboolean limit(MtwJob *job, guint64 *ret_max_bytes, GError **error)
{
	asked_limit++;
	*ret_max_bytes = 5000;
	return limit_fault == NULL || fail_so(job, limit_fault, error);
}

static gboolean whoami(MtwJob *job, char **ret_name, GError **error)
{
	const MtwSecret *secret = mtw_transfer_secret(job->transfer);

	asked_who++;
	if (who_fault != NULL && (secret == NULL || strcmp(mtw_secret_text(secret), "right") != 0))
		return fail_so(job, who_fault, error);
	*ret_name = g_strdup("nick");
	return TRUE;
}

static gboolean search(MtwJob *job, char **ret_url, GError **error)
{
	asked_search++;
	if (search_fault != NULL)
		return fail_so(job, search_fault, error);
	*ret_url = g_strdup_printf("%s/issues/1", job->target->url);
	return TRUE;
}

static const MtwKind asking_kind = {
	.id = "asking",
	.needs_network = TRUE,
	.limit = limit,
	.whoami = whoami,
	.search = search,
	.phases = new_phases,
};

static const Fault unreachable = TRANSIENT;
static const Fault untrusted = { .class = MTW_FAILURE_PERMANENT, .code = MTW_ERROR_TLS };
static const Fault refused = { .class = MTW_FAILURE_AUTH, .code = MTW_ERROR_AUTH };

static int inquire_setup(void **state)
{
	Queue *queue;
	int result = script_setup(state);

	queue = *state;
	queue->target->search_duplicates = TRUE;
	limit_fault = who_fault = search_fault = NULL;
	asked_limit = asked_who = asked_search = asked_person = 0;
	return result;
}

#define INQUIRE_TEST(function) \
	cmocka_unit_test_setup_teardown(function, inquire_setup, script_teardown)

static MtwSecret *answer(const MtwTarget *target, gboolean is_refused, gpointer user_data)
{
	const char *const *answers = user_data;
	const char *text = answers[asked_person++];

	(void)target;
	(void)is_refused;
	return text != NULL ? mtw_secret_new(text, strlen(text)) : NULL;
}

static gboolean inquire(const Queue *queue, const MtwSendOptions *options, MtwInquiry *inquiry,
			GError **error)
{
	return mtw_send_inquire_as(&asking_kind, queue->target, &queue->letter, NULL, options,
				   inquiry, error);
}

static void test_all_is_told(void **state)
{
	Queue *queue = *state;
	MtwSendOptions options = { 0 };
	g_auto(MtwInquiry) inquiry = { 0 };

	assert_true(inquire(queue, &options, &inquiry, NULL));
	assert_int_equal(inquiry.max_bytes, 5000);
	assert_string_equal(inquiry.who, "nick");
	assert_string_equal(inquiry.duplicate, "https://tracker.test/issues/1");
	assert_int_equal(inquiry.notes->len, 0);
}

static void test_no_search_is_wanted(void **state)
{
	Queue *queue = *state;
	MtwSendOptions options = { 0 };
	g_auto(MtwInquiry) inquiry = { 0 };
	g_auto(MtwInquiry) to_issue = { 0 };

	queue->target->search_duplicates = FALSE;
	assert_true(inquire(queue, &options, &inquiry, NULL));
	queue->target->search_duplicates = TRUE;
	assert_true(mtw_send_inquire_as(&asking_kind, queue->target, &queue->letter, &queue->issue,
					&options, &to_issue, NULL));
	assert_int_equal(asked_search, 0);
}

static void test_server_that_does_not_answer(void **state)
{
	Queue *queue = *state;
	MtwSendOptions options = { 0 };
	g_auto(MtwInquiry) inquiry = { 0 };

	limit_fault = who_fault = search_fault = &unreachable;
	queue->target->max_bytes = 77;
	assert_true(inquire(queue, &options, &inquiry, NULL));
	assert_int_equal(inquiry.max_bytes, 77);
	assert_null(inquiry.who);
	assert_null(inquiry.duplicate);
	assert_int_equal(inquiry.notes->len, 3);
	expect_text(mtw_messages_find(inquiry.notes, "limit")->detail, "scripted");
}

static void test_no_network(void **state)
{
	Queue *queue = *state;
	MtwSendOptions options = { .no_network = TRUE };
	g_auto(MtwInquiry) inquiry = { 0 };
	g_autoptr(GError) error = NULL;
	g_autofree char *who = NULL;

	queue->target->auth = MTW_AUTH_BEARER;
	assert_true(inquire(queue, &options, &inquiry, NULL));
	assert_int_equal(inquiry.notes->len, 1);
	assert_false(mtw_send_test_auth_as(&asking_kind, queue->target, &options, &who, &error));
	expect_error(&error, MTW_ERROR_NETWORK);
	assert_int_equal(asked_who + asked_limit + asked_search, 0);
}

static void test_server_that_is_not_trusted(void **state)
{
	Queue *queue = *state;
	MtwSendOptions options = { 0 };
	g_auto(MtwInquiry) inquiry = { 0 };
	g_autoptr(GError) error = NULL;

	limit_fault = &untrusted;
	assert_false(inquire(queue, &options, &inquiry, &error));
	expect_error(&error, MTW_ERROR_TLS);
}

static void test_credentials(void **state)
{
	static const char *const answers[] = { "wrong", "right", NULL };
	static const char *const all_wrong[] = { "a", "b", "c", "d", NULL };
	Queue *queue = *state;
	MtwCredentialSource source = { .token_fd = -1, .no_keyring = TRUE };
	MtwSendOptions options = { .credentials = &source,
				   .ask_secret = answer,
				   .user_data = (gpointer)answers };
	g_auto(MtwInquiry) inquiry = { 0 };
	g_autoptr(GError) error = NULL;
	g_autofree char *who = NULL;

	g_setenv("XDG_CONFIG_HOME", queue->folder, TRUE);
	queue->target->auth = MTW_AUTH_BEARER;
	who_fault = &refused;
	assert_true(inquire(queue, &options, &inquiry, &error));
	assert_string_equal(inquiry.who, "nick");
	assert_int_equal(asked_person, 2);
	asked_person = 0;
	options.user_data = (gpointer)all_wrong;
	assert_false(mtw_send_test_auth_as(&asking_kind, queue->target, &options, &who, &error));
	expect_error(&error, MTW_ERROR_AUTH);
	assert_int_equal(asked_person, 3);
}

static void test_test_auth(void **state)
{
	Queue *queue = *state;
	MtwSendOptions options = { 0 };
	MtwKind without = asking_kind;
	g_autoptr(GError) error = NULL;
	g_autofree char *who = NULL;

	assert_true(mtw_send_test_auth_as(&asking_kind, queue->target, &options, &who, &error));
	assert_string_equal(who, "nick");
	g_clear_pointer(&who, g_free);
	who_fault = &unreachable;
	assert_false(mtw_send_test_auth_as(&asking_kind, queue->target, &options, &who, &error));
	expect_error(&error, MTW_ERROR_NETWORK);
	without.whoami = NULL;
	assert_false(mtw_send_test_auth_as(&without, queue->target, &options, &who, &error));
	expect_error(&error, MTW_ERROR_USAGE);
}

/* Nobody is asked for a token that answers no question. */
static void test_kind_without_questions(void **state)
{
	Queue *queue = *state;
	MtwSendOptions options = { 0 };
	g_auto(MtwInquiry) inquiry = { 0 };

	queue->target->auth = MTW_AUTH_BEARER;
	assert_true(mtw_send_inquire_as(&scripted_kind, queue->target, &queue->letter, NULL,
					&options, &inquiry, NULL));
	assert_int_equal(inquiry.notes->len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		INQUIRE_TEST(test_all_is_told),
		INQUIRE_TEST(test_no_search_is_wanted),
		INQUIRE_TEST(test_server_that_does_not_answer),
		INQUIRE_TEST(test_no_network),
		INQUIRE_TEST(test_server_that_is_not_trusted),
		INQUIRE_TEST(test_credentials),
		INQUIRE_TEST(test_test_auth),
		INQUIRE_TEST(test_kind_without_questions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
