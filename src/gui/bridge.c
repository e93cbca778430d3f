/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/bridge.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "submit/secret.h"

#include <string.h>

/* What the editor takes: as much as a description may have, and more than any collected text. */
#define EDIT_MAX_BYTES (8 * 1024 * 1024)

typedef enum {
	ITEM_EVENT,
	ITEM_ASK,
	ITEM_EDIT,
	ITEM_EDITED,
	ITEM_END,
} ItemKind;

/* One thing for the main loop. */
typedef struct {
	ItemKind kind;
	JsonObject *event;
	const MtwRequest *request; /* of the wizard's stack: it waits */
	char *path;
	char *text;
	GError *error; /* (nullable) */
} Item;

struct _MtwBridge {
	MtwView base;
	gatomicrefcount references;
	const MtwBridgeOps *ops;
	gpointer user_data;
	GMainContext *context;
	gboolean held; /* the main loop's thread only, as the next one */
	gboolean left;
	void (*interrupt)(gpointer user_data); /* (nullable) */
	gpointer interrupt_data;

	GMutex lock; /* of all that follows */
	GCond changed;
	GQueue items;	    /* (element-type Item) */
	gboolean scheduled; /* the main loop is going to look at them */
	gboolean closed;
	gboolean answered; /* the open question, or the editor */
	char *answer;	   /* (nullable) */
	GQueue lines;	   /* (element-type utf8) */
	gboolean lines_ended;
	GQueue replay; /* (element-type MtwBridgeAnswer) */
};

static gboolean deliver(gpointer data);

static void item_free(gpointer data)
{
	Item *item = data;

	g_clear_pointer(&item->event, json_object_unref);
	g_free(item->path);
	g_free(item->text);
	g_clear_error(&item->error);
	g_free(item);
}

/* A line may be anything that a person typed, an answer a secret. */
static void forget(char *text)
{
	if (text != NULL)
		mtw_secret_wipe(text, strlen(text));
	g_free(text);
}

MtwBridgeAnswer *mtw_bridge_answer_new(const char *id, const char *answer)
{
	MtwBridgeAnswer *made = g_new0(MtwBridgeAnswer, 1);

	made->id = g_strdup(id);
	made->answer = g_strdup(answer);
	return made;
}

void mtw_bridge_answer_free(MtwBridgeAnswer *answer)
{
	g_free(answer->id);
	g_free(answer->answer);
	g_free(answer);
}

static void free_answer(gpointer data)
{
	mtw_bridge_answer_free(data);
}

MtwBridge *mtw_bridge_ref(MtwBridge *bridge)
{
	g_atomic_ref_count_inc(&bridge->references);
	return bridge;
}

void mtw_bridge_unref(MtwBridge *bridge)
{
	if (!g_atomic_ref_count_dec(&bridge->references))
		return;
	g_queue_clear_full(&bridge->items, item_free);
	g_queue_clear_full(&bridge->lines, g_free);
	g_queue_clear_full(&bridge->replay, free_answer);
	forget(bridge->answer);
	g_main_context_unref(bridge->context);
	g_mutex_clear(&bridge->lock);
	g_cond_clear(&bridge->changed);
	g_free(bridge);
}

static void unref(gpointer data)
{
	mtw_bridge_unref(data);
}

/* ---- from the wizard's thread ---------------------------------------------------------------- */

/* With the lock held. */
static void schedule(MtwBridge *bridge)
{
	GSource *source;

	if (bridge->scheduled)
		return;
	bridge->scheduled = TRUE;
	source = g_idle_source_new();
	g_source_set_priority(source, G_PRIORITY_DEFAULT);
	g_source_set_callback(source, deliver, mtw_bridge_ref(bridge), unref);
	g_source_attach(source, bridge->context);
	g_source_unref(source);
}

/* Takes @item over. With the lock held. */
static void post(MtwBridge *bridge, Item *item)
{
	if (bridge->closed && item->kind != ITEM_END) {
		item_free(item);
		return;
	}
	g_queue_push_tail(&bridge->items, item);
	schedule(bridge);
}

static Item *item_new(ItemKind kind)
{
	Item *item = g_new0(Item, 1);

	item->kind = kind;
	return item;
}

/* What was typed before belongs to another capture. */
static void forget_lines(MtwBridge *bridge)
{
	g_queue_clear_full(&bridge->lines, g_free);
	bridge->lines_ended = FALSE;
}

static void show(MtwView *view, JsonObject *event)
{
	MtwBridge *bridge = (MtwBridge *)view;
	Item *item = item_new(ITEM_EVENT);

	item->event = mtw_json_clean(event);
	g_mutex_lock(&bridge->lock);
	if (g_str_equal(mtw_json_string(event, "event", ""), "step"))
		forget_lines(bridge);
	post(bridge, item);
	g_mutex_unlock(&bridge->lock);
}

/* Waits for mtw_bridge_answer or mtw_bridge_close. With the lock held. Returns: (transfer full) (nullable) */
static char *wait(MtwBridge *bridge, Item *item)
{
	bridge->answered = FALSE;
	post(bridge, item);
	while (!bridge->answered && !bridge->closed)
		g_cond_wait(&bridge->changed, &bridge->lock);
	return g_steal_pointer(&bridge->answer);
}

/* One that is not the next of them ends the replay: the questions are others now. */
static char *take_replayed(MtwBridge *bridge, const MtwRequest *request)
{
	MtwBridgeAnswer *next = g_queue_pop_head(&bridge->replay);
	char *answer = NULL;

	if (next == NULL)
		return NULL;
	if (g_str_equal(next->id, request->id))
		answer = g_strdup(next->answer);
	else
		g_queue_clear_full(&bridge->replay, free_answer);
	mtw_bridge_answer_free(next);
	return answer;
}

static char *ask_in_thread(MtwView *view, const MtwRequest *request)
{
	MtwBridge *bridge = (MtwBridge *)view;
	char *answer = NULL;
	gboolean closed;

	g_mutex_lock(&bridge->lock);
	if (!bridge->closed)
		answer = take_replayed(bridge, request);
	if (answer == NULL) {
		Item *item = item_new(ITEM_ASK);
		item->request = request;
		answer = wait(bridge, item);
	}
	closed = bridge->closed;
	g_mutex_unlock(&bridge->lock);
	if (closed && bridge->interrupt != NULL)
		bridge->interrupt(bridge->interrupt_data);
	return answer;
}

static gboolean capture_line(MtwView *view, char **ret_line)
{
	MtwBridge *bridge = (MtwBridge *)view;
	gboolean has;

	g_mutex_lock(&bridge->lock);
	*ret_line = g_queue_pop_head(&bridge->lines);
	has = *ret_line != NULL || bridge->lines_ended || bridge->closed;
	g_mutex_unlock(&bridge->lock);
	return has;
}

/* The questions come one by one; a text is edited where the review offers it. */
static gboolean can_edit(MtwView *view)
{
	(void)view;
	return FALSE;
}

/* Returns: (transfer full) (nullable): NULL on error */
static Item *read_text(const char *path, GError **error)
{
	g_autofree char *text = mtw_file_read(path, EDIT_MAX_BYTES, NULL, error);
	Item *item;

	if (text == NULL)
		return NULL;
	item = item_new(ITEM_EDIT);
	item->path = g_strdup(path);
	item->text = g_utf8_make_valid(text, -1);
	return item;
}

/* @text: (nullable): NULL: the file stays as it is. Returns: (transfer full) */
static Item *save_text(const char *path, const char *text)
{
	Item *item = item_new(ITEM_EDITED);

	if (text != NULL)
		mtw_file_write_atomic(path, text, strlen(text), 0600, &item->error);
	return item;
}

/* What was typed does not get lost when it cannot be saved: the editor stays open. */
static gboolean edit_in_thread(MtwView *view, const char *path, GError **error)
{
	MtwBridge *bridge = (MtwBridge *)view;
	Item *item = read_text(path, error);
	gboolean closed = FALSE, done = FALSE;

	if (item == NULL)
		return FALSE;
	g_mutex_lock(&bridge->lock);
	while (!done) {
		g_autofree char *text = wait(bridge, item);
		closed = text == NULL && bridge->closed;
		g_mutex_unlock(&bridge->lock);
		item = save_text(path, text);
		g_mutex_lock(&bridge->lock);
		done = item->error == NULL;
	}
	post(bridge, item);
	g_mutex_unlock(&bridge->lock);
	if (closed)
		g_set_error(error, MTW_ERROR, MTW_ERROR_INTERRUPTED, "nobody is there to edit %s",
			    path);
	return !closed;
}

void mtw_bridge_set_interrupt(MtwBridge *bridge, void (*interrupt)(gpointer user_data),
			      gpointer user_data)
{
	bridge->interrupt = interrupt;
	bridge->interrupt_data = user_data;
}

void mtw_bridge_end(MtwBridge *bridge, const GError *error)
{
	Item *item = item_new(ITEM_END);

	if (error != NULL)
		item->error = g_error_copy(error);
	g_mutex_lock(&bridge->lock);
	post(bridge, item);
	g_mutex_unlock(&bridge->lock);
}

static const MtwViewOps view_ops = {
	.show = show,
	.ask = ask_in_thread,
	.capture_line = capture_line,
	.can_edit = can_edit,
	.edit = edit_in_thread,
};

MtwView *mtw_bridge_view(MtwBridge *bridge)
{
	return &bridge->base;
}

MtwBridge *mtw_bridge_new(const MtwBridgeOps *ops, gpointer user_data, const GPtrArray *replay)
{
	MtwBridge *bridge = g_new0(MtwBridge, 1);

	bridge->base.ops = &view_ops;
	g_atomic_ref_count_init(&bridge->references);
	bridge->ops = ops;
	bridge->user_data = user_data;
	bridge->context = g_main_context_ref_thread_default();
	g_mutex_init(&bridge->lock);
	g_cond_init(&bridge->changed);
	for (guint i = 0; replay != NULL && i < replay->len; i++) {
		const MtwBridgeAnswer *given = replay->pdata[i];
		g_queue_push_tail(&bridge->replay, mtw_bridge_answer_new(given->id, given->answer));
	}
	return bridge;
}

/* ---- in the main loop ------------------------------------------------------------------------ */

static const char *name_of(const Item *item)
{
	return mtw_json_string(item->event, "event", "");
}

/* Returns: FALSE when it was held back */
static gboolean may_deliver(MtwBridge *bridge, const Item *item)
{
	if (item->kind == ITEM_EVENT && bridge->ops->may_show != NULL)
		bridge->held =
			!bridge->ops->may_show(name_of(item), item->event, bridge->user_data);
	return !bridge->held;
}

static void deliver_item(MtwBridge *bridge, const Item *item)
{
	const MtwBridgeOps *ops = bridge->ops;

	switch (item->kind) {
	case ITEM_EVENT:
		ops->show(name_of(item), item->event, bridge->user_data);
		break;
	case ITEM_ASK:
		ops->ask(item->request, bridge->user_data);
		break;
	case ITEM_EDIT:
		ops->edit(item->path, item->text, bridge->user_data);
		break;
	case ITEM_EDITED:
		ops->edited(item->error, bridge->user_data);
		break;
	default:
		ops->ended(item->error, bridge->user_data);
	}
}

static Item *take_item(MtwBridge *bridge)
{
	Item *item;

	g_mutex_lock(&bridge->lock);
	item = g_queue_pop_head(&bridge->items);
	if (item == NULL)
		bridge->scheduled = FALSE;
	g_mutex_unlock(&bridge->lock);
	return item;
}

static void put_back(MtwBridge *bridge, Item *item)
{
	g_mutex_lock(&bridge->lock);
	if (bridge->closed)
		item_free(item);
	else
		g_queue_push_head(&bridge->items, item);
	bridge->scheduled = FALSE;
	g_mutex_unlock(&bridge->lock);
}

/* All that is there; the callbacks are free to call everything of this file. */
static gboolean deliver(gpointer data)
{
	MtwBridge *bridge = data;
	Item *item;

	while (!bridge->left && (item = take_item(bridge)) != NULL) {
		if (!may_deliver(bridge, item)) {
			put_back(bridge, item);
			return G_SOURCE_REMOVE;
		}
		deliver_item(bridge, item);
		item_free(item);
	}
	return G_SOURCE_REMOVE;
}

void mtw_bridge_resume(MtwBridge *bridge)
{
	bridge->held = FALSE;
	g_mutex_lock(&bridge->lock);
	schedule(bridge);
	g_mutex_unlock(&bridge->lock);
}

void mtw_bridge_leave(MtwBridge *bridge)
{
	bridge->left = TRUE;
}

void mtw_bridge_answer(MtwBridge *bridge, char *answer)
{
	g_mutex_lock(&bridge->lock);
	if (bridge->closed) {
		forget(answer);
	} else {
		forget(bridge->answer);
		bridge->answer = answer;
		bridge->answered = TRUE;
		g_cond_broadcast(&bridge->changed);
	}
	g_mutex_unlock(&bridge->lock);
}

void mtw_bridge_line(MtwBridge *bridge, const char *line)
{
	g_mutex_lock(&bridge->lock);
	if (line != NULL)
		g_queue_push_tail(&bridge->lines, g_strdup(line));
	else
		bridge->lines_ended = TRUE;
	g_mutex_unlock(&bridge->lock);
}

/* The end that may be among them must come. */
static void drop_items(MtwBridge *bridge)
{
	GQueue kept = G_QUEUE_INIT;
	Item *item;

	while ((item = g_queue_pop_head(&bridge->items)) != NULL) {
		if (item->kind == ITEM_END)
			g_queue_push_tail(&kept, item);
		else
			item_free(item);
	}
	bridge->items = kept;
}

void mtw_bridge_close(MtwBridge *bridge)
{
	bridge->held = FALSE;
	g_mutex_lock(&bridge->lock);
	bridge->closed = TRUE;
	drop_items(bridge);
	/* What was answered already stays: it may be a text to be saved. */
	g_cond_broadcast(&bridge->changed);
	if (!g_queue_is_empty(&bridge->items))
		schedule(bridge);
	g_mutex_unlock(&bridge->lock);
}
