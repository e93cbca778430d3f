/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kind of tracker that a test writes the script of. Its server is a file that gets a line for all it takes, so it
 * outlives a killed process. Also the events that the sender told.
 */
#pragma once

#include "test-submit-fixture.h"

#include "submit/send-private.h"

typedef struct {
	MtwFailureClass class;
	int code;
	gboolean maybe_done;
	gint64 retry_after_sec; /* 0: nothing */
	gboolean after;		/* the server has it all the same */
	gboolean in_find;	/* while looking */
} Fault;

/* What the next calls of one phase meet; then all goes well. */
typedef struct {
	const Fault *faults;
	guint n_faults, met;
} Plan;

typedef struct {
	char *server; /* path */
	Plan upload, issue;
	void (*in_upload)(MtwJob *job); /* (nullable) */
	const MtwSendOptions *options;
	/* Called wherever a process could be killed. */
	void (*step)(void);
} Script;

static Script script;

static void step(void)
{
	if (script.step != NULL)
		script.step();
}

static char *server_text(void)
{
	char *text = NULL;

	return g_file_get_contents(script.server, &text, NULL, NULL) ? text : g_strdup("");
}

/* How often the server took that. */
static inline guint server_count(const char *what)
{
	g_autofree char *text = server_text();
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint count = 0;

	for (char **line = lines; *line != NULL; line++)
		count += strcmp(*line, what) == 0;
	return count;
}

static void server_take(const char *what)
{
	g_auto(MtwFd) fd = open(script.server, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	g_autofree char *line = g_strdup_printf("%s\n", what);

	assert_true(mtw_file_write_all(fd, line, strlen(line), NULL));
}

static const Fault *next_fault(Plan *plan, gboolean in_find)
{
	if (plan->met >= plan->n_faults || plan->faults[plan->met].in_find != in_find)
		return NULL;
	return &plan->faults[plan->met++];
}

static gboolean fail_so(MtwJob *job, const Fault *fault, GError **error)
{
	MtwFailure *failure;

	mtw_transfer_fail(job->transfer, fault->class, fault->code, error,
			  "tracker.test: scripted");
	/* What only a real answer sets. */
	failure = (MtwFailure *)mtw_transfer_failure(job->transfer);
	failure->maybe_done = fault->maybe_done;
	failure->retry_after_sec = fault->retry_after_sec > 0 ? fault->retry_after_sec : -1;
	return FALSE;
}

static gboolean run_with(MtwJob *job, Plan *plan, const char *what, GError **error)
{
	const Fault *fault = next_fault(plan, FALSE);

	step();
	if (fault != NULL && !fault->after)
		return fail_so(job, fault, error);
	server_take(what);
	step();
	return fault == NULL || fail_so(job, fault, error);
}

static gboolean find_with(MtwJob *job, Plan *plan, const char *what, gboolean *ret_done,
			  GError **error)
{
	const Fault *fault = next_fault(plan, TRUE);

	server_take(what == NULL ? "?" : "look");
	if (fault != NULL)
		return fail_so(job, fault, error);
	*ret_done = server_count(what) > 0;
	return TRUE;
}

static gboolean run_upload(MtwJob *job, GError **error)
{
	const MtwJobFile *file = job->files->pdata[0];

	if (script.in_upload != NULL)
		script.in_upload(job);
	assert_string_equal(file->name, ARCHIVE_NAME);
	if (!run_with(job, &script.upload, "upload", error))
		return FALSE;
	json_object_set_string_member(job->facts, "scripted-file", file->sha256);
	return job->save(job, error);
}

static gboolean find_upload(MtwJob *job, gboolean *ret_done, GError **error)
{
	if (!find_with(job, &script.upload, "upload", ret_done, error))
		return FALSE;
	if (*ret_done)
		json_object_set_string_member(job->facts, "scripted-file", "found");
	return TRUE;
}

static gboolean run_issue(MtwJob *job, GError **error)
{
	assert_string_equal(job->letter->report_id, REPORT_ID);
	if (!run_with(job, &script.issue, "issue", error))
		return FALSE;
	json_object_set_string_member(job->facts, "url", "https://tracker.test/issues/1");
	return TRUE;
}

static gboolean find_issue(MtwJob *job, gboolean *ret_done, GError **error)
{
	if (!find_with(job, &script.issue, "issue", ret_done, error))
		return FALSE;
	if (*ret_done)
		json_object_set_string_member(job->facts, "url", "https://tracker.test/issues/1");
	return TRUE;
}

static gboolean run_note(MtwJob *job, GError **error)
{
	assert_string_equal(job->issue->number, "7");
	return run_with(job, &script.issue, "note", error);
}

static const MtwPhase upload_phase = { "upload", TRUE, run_upload, find_upload };
static const MtwPhase issue_phase = { "issue", FALSE, run_issue, find_issue };
static const MtwPhase note_phase = { "note", FALSE, run_note, NULL };
static const MtwPhase *const new_phases[] = { &upload_phase, &issue_phase, NULL };
static const MtwPhase *const note_phases[] = { &upload_phase, &note_phase, NULL };

static const MtwKind scripted_kind = {
	.id = "scripted",
	.title = "Scripted",
	.needs_network = TRUE,
	.phases = new_phases,
	.issue_phases = note_phases,
};

/* ---- events ---- */

static GPtrArray *events; /* (element-type JsonObject) */

static void take_event(JsonObject *event, gpointer user_data)
{
	(void)user_data;
	g_ptr_array_add(events, json_object_ref(event));
}

static inline guint count_events(const char *name)
{
	guint count = 0;

	for (guint i = 0; i < events->len; i++)
		count += strcmp(mtw_json_string(events->pdata[i], "event", ""), name) == 0;
	return count;
}

/* The last of that name. (transfer none) */
static inline JsonObject *last_event(const char *name)
{
	for (guint i = events->len; i > 0; i--)
		if (strcmp(mtw_json_string(events->pdata[i - 1], "event", ""), name) == 0)
			return events->pdata[i - 1];
	fail_msg("no event %s", name);
	return NULL;
}

static int script_setup(void **state)
{
	int result = queue_setup(state);

	script = (Script){ .server = queue_path(*state, "server") };
	events = g_ptr_array_new_with_free_func((GDestroyNotify)json_object_unref);
	return result;
}

static int script_teardown(void **state)
{
	g_free(script.server);
	g_ptr_array_unref(events);
	return queue_teardown(state);
}

#define SCRIPT_TEST(function) \
	cmocka_unit_test_setup_teardown(function, script_setup, script_teardown)

/* ---- sending ---- */

static inline gboolean send_with(MtwItem *item, const Queue *queue, const MtwSendOptions *options,
				 GError **error)
{
	script.options = options;
	return mtw_send_item_as(&scripted_kind, item, queue->target, options, error);
}

static inline void send_well(MtwItem *item, const Queue *queue)
{
	MtwSendOptions options = { .event = take_event };
	g_autoptr(GError) error = NULL;

	if (!send_with(item, queue, &options, &error))
		fail_msg("%s", error->message);
	assert_int_equal(mtw_item_state(item), MTW_ITEM_DONE);
}

static inline void send_badly(MtwItem *item, const Queue *queue, MtwErrorCode code)
{
	MtwSendOptions options = { .event = take_event };
	g_autoptr(GError) error = NULL;

	assert_false(send_with(item, queue, &options, &error));
	expect_error(&error, code);
}

#define PLAN(phase, ...)                                                    \
	do {                                                                \
		static const Fault faults_[] = { __VA_ARGS__ };             \
		script.phase = (Plan){ faults_, G_N_ELEMENTS(faults_), 0 }; \
	} while (0)

#define TRANSIENT                                                         \
	{                                                                 \
		.class = MTW_FAILURE_TRANSIENT, .code = MTW_ERROR_NETWORK \
	}
