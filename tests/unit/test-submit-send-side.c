/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kind that stores the file at another target: its consent, its credentials, its failures. */
#include "test-submit-script.h"

#include "base/paths.h"

static const Fault *side_fault; /* (nullable): met once */
static char side_secret[16];	/* what the store was given last */

static gboolean run_store(MtwJob *job, GError **error)
{
	MtwJob *side = job->side_job(job, "store", error);
	MtwJob *again = side != NULL ? job->side_job(job, "store", error) : NULL;
	const MtwSecret *secret;
	const Fault *fault = side_fault;

	if (side == NULL)
		return FALSE;
	assert_ptr_equal(side, again);
	assert_string_equal(side->target->host, "store.test");
	assert_null(side->side_job(side, "store", NULL));
	secret = mtw_transfer_secret(side->transfer);
	g_strlcpy(side_secret, secret != NULL ? mtw_secret_text(secret) : "", sizeof side_secret);
	side_fault = NULL;
	if (fault != NULL)
		return fail_so(side, fault, error);
	server_take("store");
	json_object_set_string_member(side->facts, "put-name", "x.tar.gz");
	return side->save(side, error);
}

static const MtwPhase store_phase = { "store", TRUE, run_store, NULL };
static const MtwPhase *const link_phases[] = { &store_phase, &issue_phase, NULL };

static const MtwKind link_kind = {
	.id = "scripted-link",
	.needs_network = TRUE,
	.phases = link_phases,
};

/* The folder as the machine's root. Returns: (transfer full) */
static MtwPaths *paths_with_store(const Queue *queue, const char *more)
{
	MtwPaths *paths = mtw_paths_new(queue->folder);
	g_autofree char *folder = mtw_paths_build(paths, MTW_PATH_DATA, "targets.d", NULL);
	g_autofree char *path = g_build_filename(folder, "store.conf", NULL);
	g_autofree char *text = g_strdup_printf(
		"[Target]\nVersion=1\nName=Store\nKind=put\nURL=https://store.test/in\n%s", more);

	g_setenv("XDG_CONFIG_HOME", queue->folder, TRUE);
	assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
	write_file(path, text);
	return paths;
}

/* @agreed: the store that the person agreed to. Returns: (transfer full) */
static MtwItem *linked_item(const Queue *queue, const MtwTarget *agreed)
{
	const char *const paths[] = { queue->archive, NULL };
	MtwItemPlan plan = queue_plan(queue, paths);
	MtwItem *item;

	g_free(queue->target->store);
	queue->target->store = g_strdup("store");
	plan.store = agreed;
	item = mtw_item_new(queue->caller, &plan, NULL);
	assert_true(mtw_item_consent(item, queue->target, NULL));
	return item;
}

static MtwTarget *find_store(const MtwPaths *paths)
{
	g_autoptr(GError) error = NULL;
	MtwTarget *target = mtw_target_find(paths, "store", &error);

	if (target == NULL)
		fail_msg("%s", error->message);
	assert_null(target->disabled_why);
	return target;
}

static gboolean send_linked(MtwItem *item, const Queue *queue, const MtwPaths *paths,
			    MtwSecret *(*ask)(const MtwTarget *, gboolean, gpointer),
			    GError **error)
{
	MtwCredentialSource source = { .token_fd = -1, .no_keyring = TRUE };
	MtwSendOptions options = {
		.paths = paths, .event = take_event, .credentials = &source, .ask_secret = ask
	};

	return mtw_send_item_as(&link_kind, item, queue->target, &options, error);
}

static void test_stored_elsewhere(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwPaths) paths = paths_with_store(queue, "");
	g_autoptr(MtwTarget) store = NULL;
	g_autoptr(MtwItem) item = NULL;
	g_autoptr(GError) error = NULL;
	JsonObject *side;

	store = find_store(paths);
	item = linked_item(queue, store);
	assert_true(send_linked(item, queue, paths, NULL, &error));
	side = mtw_json_object(mtw_json_object(mtw_item_state_json(item), "facts"), "side");
	assert_string_equal(mtw_json_string(side, "put-name", ""), "x.tar.gz");
	assert_int_equal(server_count("store"), 1);
	assert_int_equal(server_count("issue"), 1);
}

static void test_store_nobody_agreed_to(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwPaths) paths = paths_with_store(queue, "");
	g_autoptr(MtwTarget) other = fixture_target("store");
	g_autoptr(MtwItem) item = NULL;
	g_autoptr(GError) error = NULL;

	item = linked_item(queue, other);
	assert_false(send_linked(item, queue, paths, NULL, &error));
	expect_text(error->message, "store.test");
	expect_error(&error, MTW_ERROR_DECLINED);
	g_clear_pointer(&item, mtw_item_free);
	item = linked_item(queue, NULL);
	assert_false(send_linked(item, queue, paths, NULL, &error));
	expect_error(&error, MTW_ERROR_DECLINED);
	assert_int_equal(server_count("store"), 0);
}

static void test_store_that_is_off(void **state)
{
	Queue *queue = *state;
	g_autoptr(MtwPaths) paths = paths_with_store(queue, "Enabled=false\n");
	g_autoptr(MtwItem) item = linked_item(queue, NULL);
	g_autoptr(GError) error = NULL;

	assert_false(send_linked(item, queue, paths, NULL, &error));
	expect_text(error->message, "switched off");
	expect_error(&error, MTW_ERROR_INVALID);
}

static void test_failure_of_the_store(void **state)
{
	static const Fault transient = TRANSIENT;
	Queue *queue = *state;
	g_autoptr(MtwPaths) paths = paths_with_store(queue, "");
	g_autoptr(MtwTarget) store = NULL;
	g_autoptr(MtwItem) item = NULL;
	g_autoptr(GError) error = NULL;

	store = find_store(paths);
	item = linked_item(queue, store);
	side_fault = &transient;
	assert_true(send_linked(item, queue, paths, NULL, &error));
	assert_int_equal(count_events("retry"), 1);
	assert_int_equal(server_count("store"), 1);
}

/* The store's credentials are asked for, not the tracker's. */
static MtwSecret *answer_store(const MtwTarget *target, gboolean refused, gpointer user_data)
{
	(void)user_data;
	assert_string_equal(target->id, "store");
	return refused ? mtw_secret_new("second", 6) : mtw_secret_new("first", 5);
}

static void test_credentials_of_the_store(void **state)
{
	static const Fault refused = { .class = MTW_FAILURE_AUTH, .code = MTW_ERROR_AUTH };
	Queue *queue = *state;
	g_autoptr(MtwPaths) paths = paths_with_store(queue, "Auth=bearer\n");
	g_autoptr(MtwTarget) store = NULL;
	g_autoptr(MtwItem) item = NULL;
	g_autoptr(GError) error = NULL;

	store = find_store(paths);
	item = linked_item(queue, store);
	side_fault = &refused;
	assert_true(send_linked(item, queue, paths, answer_store, &error));
	assert_string_equal(side_secret, "second");
	assert_int_equal(server_count("store"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRIPT_TEST(test_stored_elsewhere),
		SCRIPT_TEST(test_store_nobody_agreed_to),
		SCRIPT_TEST(test_store_that_is_off),
		SCRIPT_TEST(test_failure_of_the_store),
		SCRIPT_TEST(test_credentials_of_the_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
