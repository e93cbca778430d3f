/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bridge between the wizard's thread and a main loop: order, answers, closing in the middle. Needs no display. */
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "gui/bridge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>

#define MANY 2000

/* What the main loop's side saw, in its order: "show step;ask nick;end;". */
typedef struct {
	MtwBridge *bridge;
	GMainLoop *loop;
	GString *seen;
	GThread *main;
	const char *answer;   /* (nullable) of each question */
	const char *close_at; /* (nullable) id of the question at which the bridge is closed */
	const char *held;     /* (nullable) name of the event that is held back, once */
	const char *text;     /* (nullable) what is made of a text in the editor */
	gboolean spoils;      /* it cannot be saved the first time */
	gboolean closes;      /* in the middle of saving it */
	char *folder;
	char *file;
	guint shown;
	guint interrupts;
} Side;

static Side side;

static void note(const char *what, const char *which)
{
	assert_ptr_equal(g_thread_self(), side.main);
	g_string_append_printf(side.seen, "%s %s;", what, which);
}

static gboolean may_show(const char *name, JsonObject *event, gpointer user_data)
{
	(void)event;
	(void)user_data;
	if (g_strcmp0(name, side.held) != 0)
		return TRUE;
	side.held = NULL;
	note("hold", name);
	return FALSE;
}

static void on_show(const char *name, JsonObject *event, gpointer user_data)
{
	(void)user_data;
	if (g_str_equal(name, "counters"))
		assert_int_equal(mtw_json_int(event, "n", -1), side.shown++);
	else
		note("show", mtw_json_string(event, "text", name));
}

static void on_ask(const MtwRequest *request, gpointer user_data)
{
	(void)user_data;
	note("ask", request->id);
	if (g_strcmp0(request->id, side.close_at) == 0)
		mtw_bridge_close(side.bridge);
	else
		mtw_bridge_answer(side.bridge, g_strdup(side.answer));
}

static void on_edit(const char *path, const char *text, gpointer user_data)
{
	(void)user_data;
	assert_string_equal(path, side.file);
	note("edit", text);
	if (side.spoils)
		assert_int_equal(g_remove(side.file) | g_rmdir(side.folder), 0);
	mtw_bridge_answer(side.bridge, g_strdup(side.text));
	if (side.closes)
		mtw_bridge_close(side.bridge);
}

static void on_edited(const GError *error, gpointer user_data)
{
	(void)user_data;
	note("edited", error != NULL ? "not" : "well");
	if (error == NULL)
		return;
	assert_int_equal(g_mkdir(side.folder, 0700), 0);
	mtw_bridge_answer(side.bridge, g_strdup(side.text));
}

static void on_ended(const GError *error, gpointer user_data)
{
	(void)user_data;
	note("end", error != NULL ? error->message : "well");
	g_main_loop_quit(side.loop);
}

static const MtwBridgeOps ops = {
	.may_show = may_show,
	.show = on_show,
	.ask = on_ask,
	.edit = on_edit,
	.edited = on_edited,
	.ended = on_ended,
};

static void interrupt(gpointer user_data)
{
	assert_ptr_equal(user_data, &side);
	side.interrupts++;
}

static int setup(void **state)
{
	(void)state;
	side = (Side){ .loop = g_main_loop_new(NULL, FALSE),
		       .seen = g_string_new(NULL),
		       .main = g_thread_self(),
		       .answer = "yes",
		       .folder = g_dir_make_tmp("mtw-bridge-XXXXXX", NULL) };
	side.file = g_build_filename(side.folder, "file", NULL);
	side.bridge = mtw_bridge_new(&ops, NULL, NULL);
	mtw_bridge_set_interrupt(side.bridge, interrupt, &side);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	mtw_bridge_close(side.bridge);
	while (g_main_context_iteration(NULL, FALSE))
		;
	mtw_bridge_unref(side.bridge);
	g_main_loop_unref(side.loop);
	g_string_free(side.seen, TRUE);
	g_remove(side.file);
	g_rmdir(side.folder);
	g_free(side.file);
	g_free(side.folder);
	return 0;
}

/* Runs @work in a thread, and the main loop until its end. */
static void run(GThreadFunc work)
{
	GThread *thread = g_thread_new("walk", work, NULL);

	g_main_loop_run(side.loop);
	g_thread_join(thread);
}

static void assert_seen(const char *wanted)
{
	assert_string_equal(side.seen->str, wanted);
}

/* ---- the wizard's side ----------------------------------------------------------------------- */

static void tell(const char *name, const char *text)
{
	MtwView *view = mtw_bridge_view(side.bridge);
	JsonObject *event = json_object_new();

	json_object_set_string_member(event, "event", name);
	if (text != NULL)
		json_object_set_string_member(event, "text", text);
	view->ops->show(view, event);
	/* The wizard's copy changes and goes; the main loop's does not. */
	json_object_set_string_member(event, "text", "spoilt");
	json_object_unref(event);
}

static char *question(const char *id)
{
	MtwView *view = mtw_bridge_view(side.bridge);
	const MtwRequest request = { .id = id, .sentence = id, .detail = "" };

	return view->ops->ask(view, &request);
}

static void assert_answer(const char *id, const char *wanted)
{
	g_autofree char *answer = question(id);

	if (wanted == NULL)
		assert_null(answer);
	else
		assert_string_equal(answer, wanted);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static gpointer in_order(gpointer data)
{
	MtwView *view = mtw_bridge_view(side.bridge);

	tell("step", "first");
	for (guint i = 0; i < MANY; i++) {
		g_autoptr(JsonObject) event = json_object_new();
		json_object_set_string_member(event, "event", "counters");
		json_object_set_int_member(event, "n", i);
		view->ops->show(view, event);
	}
	assert_answer("nick", "yes");
	tell("message", "a\033[2Jb");
	assert_answer("story", "yes");
	mtw_bridge_end(side.bridge, NULL);
	return data;
}

static void test_order(void **state)
{
	(void)state;
	run(in_order);
	assert_int_equal(side.shown, MANY);
	assert_null(strchr(side.seen->str, '\033'));
	assert_true(g_str_has_prefix(side.seen->str, "show first;ask nick;show a"));
	assert_true(g_str_has_suffix(side.seen->str, "b;ask story;end well;"));
}

static gpointer closed(gpointer data)
{
	MtwView *view = mtw_bridge_view(side.bridge);
	g_autoptr(GError) error = NULL;
	char *line = NULL;

	assert_answer("nick", "yes");
	assert_answer("send", NULL);
	tell("message", "nobody hears this");
	assert_answer("later", NULL);
	assert_true(g_file_set_contents(side.file, "before", -1, NULL));
	assert_false(view->ops->edit(view, side.file, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INTERRUPTED));
	/* The end of input: a capture ends in order. */
	assert_true(view->ops->capture_line(view, &line));
	assert_null(line);
	mtw_bridge_end(side.bridge, error);
	return data;
}

static void test_close_at_question(void **state)
{
	(void)state;
	side.close_at = "send";
	run(closed);
	assert_true(
		g_str_has_prefix(side.seen->str, "ask nick;ask send;end nobody is there to edit "));
	/* "send" and "later": the wizard does not go on with harmless answers. */
	assert_int_equal(side.interrupts, 2);
}

static gpointer closed_before(gpointer data)
{
	assert_answer("nick", NULL);
	mtw_bridge_end(side.bridge, NULL);
	return data;
}

static void test_close_before_question(void **state)
{
	(void)state;
	mtw_bridge_close(side.bridge);
	run(closed_before);
	assert_seen("end well;");
}

static gpointer edits(gpointer data)
{
	MtwView *view = mtw_bridge_view(side.bridge);
	g_autoptr(GError) error = NULL;

	assert_false(view->ops->can_edit(view));
	view->ops->edit(view, side.file, &error);
	mtw_bridge_end(side.bridge, error);
	return data;
}

static void assert_edits(const char *wanted, const char *content)
{
	g_autofree char *text = NULL;

	assert_true(g_file_set_contents(side.file, "before \xff", -1, NULL));
	run(edits);
	assert_seen(wanted);
	text = mtw_file_read(side.file, MTW_FILE_SMALL_BYTES, NULL, NULL);
	assert_string_equal(text, content);
}

static void test_edit(void **state)
{
	(void)state;
	side.text = "after";
	assert_edits("edit before \uFFFD;edited well;end well;", "after");
}

static void test_edit_cancelled(void **state)
{
	(void)state;
	assert_edits("edit before \uFFFD;edited well;end well;", "before \xff");
}

/* The editor stays, and its text can be saved once more. */
static void test_edit_unsaved(void **state)
{
	(void)state;
	side.text = "after", side.spoils = TRUE;
	assert_edits("edit before \uFFFD;edited not;edited well;end well;", "after");
}

/* It is saved all the same. */
static void test_edit_closed(void **state)
{
	(void)state;
	side.text = "after", side.closes = TRUE;
	assert_edits("edit before \uFFFD;end well;", "after");
}

static gpointer edits_in_vain(gpointer data)
{
	MtwView *view = mtw_bridge_view(side.bridge);

	assert_false(view->ops->edit(view, side.folder, NULL));
	mtw_bridge_end(side.bridge, NULL);
	return data;
}

static void test_edit_unreadable(void **state)
{
	(void)state;
	run(edits_in_vain);
	assert_seen("end well;");
}

static void assert_line(const char *wanted)
{
	MtwView *view = mtw_bridge_view(side.bridge);
	g_autofree char *line = NULL;

	assert_true(view->ops->capture_line(view, &line));
	assert_string_equal(line, wanted);
}

static void assert_no_line(gboolean ended)
{
	MtwView *view = mtw_bridge_view(side.bridge);
	char *line = NULL;

	assert_int_equal(view->ops->capture_line(view, &line), ended);
	assert_null(line);
}

/* What was typed for one capture is not for the next one. */
static void test_lines(void **state)
{
	(void)state;
	assert_no_line(FALSE);
	mtw_bridge_line(side.bridge, "one");
	mtw_bridge_line(side.bridge, "two");
	mtw_bridge_line(side.bridge, NULL);
	assert_line("one");
	assert_line("two");
	assert_no_line(TRUE);
	mtw_bridge_line(side.bridge, "late");
	tell("step", "capture");
	assert_no_line(FALSE);
}

static gpointer replayed(gpointer data)
{
	assert_answer("welcome", "sure");
	assert_answer("device", "0000:01:00.0");
	/* Not the next one: from here on all is asked. */
	assert_answer("warnings", "yes");
	assert_answer("prepare", "yes");
	mtw_bridge_end(side.bridge, NULL);
	return data;
}

static void free_answer(gpointer answer)
{
	mtw_bridge_answer_free(answer);
}

static void test_replay(void **state)
{
	g_autoptr(GPtrArray) replay = g_ptr_array_new_with_free_func(free_answer);

	(void)state;
	g_ptr_array_add(replay, mtw_bridge_answer_new("welcome", "sure"));
	g_ptr_array_add(replay, mtw_bridge_answer_new("device", "0000:01:00.0"));
	g_ptr_array_add(replay, mtw_bridge_answer_new("other", "no"));
	g_ptr_array_add(replay, mtw_bridge_answer_new("prepare", "no"));
	mtw_bridge_unref(side.bridge);
	side.bridge = mtw_bridge_new(&ops, NULL, replay);
	run(replayed);
	assert_seen("ask warnings;ask prepare;end well;");
}

static gpointer holds(gpointer data)
{
	tell("verdict", NULL);
	tell("step", NULL);
	tell("message", NULL);
	mtw_bridge_end(side.bridge, NULL);
	return data;
}

static gboolean go_on(gpointer user_data)
{
	(void)user_data;
	/* Neither what was held nor what came after it was shown meanwhile. */
	assert_seen("show verdict;hold step;");
	mtw_bridge_resume(side.bridge);
	return G_SOURCE_REMOVE;
}

static void test_hold(void **state)
{
	GThread *thread;

	(void)state;
	side.held = "step";
	thread = g_thread_new("walk", holds, NULL);
	g_thread_join(thread);
	/* All of it waits already; the low priority comes when the loop has nothing else to do. */
	g_idle_add_full(G_PRIORITY_LOW, go_on, NULL, NULL);
	g_main_loop_run(side.loop);
	assert_seen("show verdict;hold step;show step;show message;end well;");
}

/* The window may go while something is held: then only the end comes. */
static gboolean close_it(gpointer user_data)
{
	(void)user_data;
	mtw_bridge_close(side.bridge);
	return G_SOURCE_REMOVE;
}

static void test_close_while_held(void **state)
{
	GThread *thread;

	(void)state;
	side.held = "step";
	thread = g_thread_new("walk", holds, NULL);
	g_thread_join(thread);
	g_idle_add_full(G_PRIORITY_LOW, close_it, NULL, NULL);
	g_main_loop_run(side.loop);
	assert_seen("show verdict;hold step;end well;");
}

static gpointer asks_nobody(gpointer data)
{
	MtwView *view = mtw_bridge_view(side.bridge);
	char *line = NULL;

	tell("message", "nobody hears this");
	assert_false(view->ops->capture_line(view, &line));
	return data;
}

/* The capture goes on elsewhere: nothing is said to it, and nothing is heard of it. */
static void test_leave(void **state)
{
	(void)state;
	mtw_bridge_leave(side.bridge);
	g_thread_join(g_thread_new("walk", asks_nobody, NULL));
	while (g_main_context_iteration(NULL, FALSE))
		;
	assert_seen("");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_order),
		TEST(test_close_at_question),
		TEST(test_close_before_question),
		TEST(test_edit),
		TEST(test_edit_cancelled),
		TEST(test_edit_closed),
		TEST(test_edit_unsaved),
		TEST(test_edit_unreadable),
		TEST(test_lines),
		TEST(test_replay),
		TEST(test_hold),
		TEST(test_close_while_held),
		TEST(test_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
