/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tokens in the person's keyring. Over SSH, in a container or while the desktop comes up there may be no session bus, or
 * one that does not answer: nothing here waits for long, and a missing keyring is no error.
 */
#include "base/error.h"
#include "submit/credentials-private.h"

#include <libsecret/secret.h>
#include <stdlib.h>

#define ANSWER_SEC 3
/* The person may have to type the password of the keyring. */
#define PERSON_SEC 60
#define GIVE_UP_MSEC 500

static const SecretSchema schema = {
	.name = "mmiotrace-wizard.token",
	.flags = SECRET_SCHEMA_NONE,
	.attributes = {
		{ "app", SECRET_SCHEMA_ATTRIBUTE_STRING },
		{ "target-id", SECRET_SCHEMA_ATTRIBUTE_STRING },
		{ "user", SECRET_SCHEMA_ATTRIBUTE_STRING },
	},
};

/* A call on its way. Its answer may come when nobody waits any more, so both sides hold it. */
typedef struct {
	int holders;
	GAsyncResult *result; /* (nullable) */
	gboolean late;
} Call;

typedef struct {
	GMainContext *context; /* of its own: nothing of the program's own loop runs meanwhile */
	GCancellable *cancellable;
	GHashTable *attributes;
	Call *call;
} Keyring;

static void call_release(Call *call)
{
	if (--call->holders > 0)
		return;
	g_clear_object(&call->result);
	g_free(call);
}

static void on_answer(GObject *source, GAsyncResult *result, gpointer data)
{
	Call *call = data;

	(void)source;
	call->result = g_object_ref(result);
	call_release(call);
}

static gboolean on_late(gpointer data)
{
	*(gboolean *)data = TRUE;
	return G_SOURCE_REMOVE;
}

/* Until the answer is there, or the time is over. */
static void iterate(Keyring *keyring, guint msec)
{
	GSource *timer = g_timeout_source_new(msec);

	keyring->call->late = FALSE;
	g_source_set_callback(timer, on_late, &keyring->call->late, NULL);
	g_source_attach(timer, keyring->context);
	while (keyring->call->result == NULL && !keyring->call->late)
		g_main_context_iteration(keyring->context, TRUE);
	g_source_destroy(timer);
	g_source_unref(timer);
}

/* It was asked and said nothing: not again in this process. Atomic. */
static gboolean silent;

/* Returns: (transfer none) (nullable): NULL when there was no answer in time */
static GAsyncResult *wait_for(Keyring *keyring, guint sec)
{
	iterate(keyring, sec * 1000);
	if (keyring->call->result != NULL)
		return keyring->call->result;
	g_atomic_int_set(&silent, TRUE);
	g_cancellable_cancel(keyring->cancellable);
	iterate(keyring, GIVE_UP_MSEC);
	return NULL;
}

/* A session bus is never started for this. */
static gboolean has_bus(void)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
	g_autofree char *path = runtime != NULL ? g_build_filename(runtime, "bus", NULL) : NULL;

	return !g_atomic_int_get(&silent) &&
	       (secure_getenv("DBUS_SESSION_BUS_ADDRESS") != NULL ||
		(path != NULL && g_file_test(path, G_FILE_TEST_EXISTS)));
}

static void keyring_open(Keyring *keyring, const MtwTarget *target)
{
	keyring->context = g_main_context_new();
	keyring->cancellable = g_cancellable_new();
	keyring->attributes =
		secret_attributes_build(&schema, "app", "mmiotrace-wizard", "target-id", target->id,
					"user", target->user, NULL);
	keyring->call = g_new0(Call, 1);
	keyring->call->holders = 2;
	g_main_context_push_thread_default(keyring->context);
}

/* The connection is given up with it: it was made for this context. */
static void keyring_close(Keyring *keyring)
{
	secret_service_disconnect();
	g_main_context_pop_thread_default(keyring->context);
	call_release(keyring->call);
	g_hash_table_unref(keyring->attributes);
	g_object_unref(keyring->cancellable);
	g_main_context_unref(keyring->context);
}

/* Returns: FALSE: no answer. @ret_item: (transfer full) (nullable) */
static gboolean search(const MtwTarget *target, SecretSearchFlags flags, guint sec,
		       SecretItem **ret_item)
{
	Keyring keyring;
	g_autoptr(GError) error = NULL;
	GList *items = NULL;
	GAsyncResult *result;

	*ret_item = NULL;
	keyring_open(&keyring, target);
	secret_password_searchv(&schema, keyring.attributes, flags, keyring.cancellable, on_answer,
				keyring.call);
	result = wait_for(&keyring, sec);
	if (result != NULL)
		items = secret_password_search_finish(result, &error);
	if (items != NULL && SECRET_IS_ITEM(items->data))
		*ret_item = g_object_ref(items->data);
	g_list_free_full(items, g_object_unref);
	keyring_close(&keyring);
	return result != NULL && error == NULL;
}

/* Returns: (transfer full) (nullable) */
static MtwSecret *secret_of(SecretItem *item)
{
	SecretValue *value = secret_item_get_secret(item);
	MtwSecret *secret = NULL;
	const char *text;
	gsize bytes;

	if (value == NULL)
		return NULL;
	text = secret_value_get(value, &bytes);
	if (bytes > 0)
		secret = mtw_secret_new(text, bytes);
	secret_value_unref(value);
	return secret;
}

gboolean mtw_keyring_find(const MtwTarget *target, MtwSecret **ret_secret)
{
	g_autoptr(SecretItem) item = NULL;

	*ret_secret = NULL;
	if (!has_bus() || !search(target, SECRET_SEARCH_LOAD_SECRETS, ANSWER_SEC, &item))
		return FALSE;
	/* Only who has a token there is asked to unlock the keyring. */
	if (item != NULL && secret_item_get_locked(item)) {
		g_clear_object(&item);
		search(target, SECRET_SEARCH_UNLOCK | SECRET_SEARCH_LOAD_SECRETS, PERSON_SEC,
		       &item);
	}
	if (item != NULL)
		*ret_secret = secret_of(item);
	return TRUE;
}

gboolean mtw_keyring_store(const MtwTarget *target, const MtwSecret *secret)
{
	g_autofree char *label = g_strdup_printf("mmiotrace-wizard: %s", target->name);
	g_autoptr(SecretItem) before = NULL;
	Keyring keyring;
	GAsyncResult *result;
	gboolean stored;

	if (!has_bus() || !search(target, SECRET_SEARCH_NONE, ANSWER_SEC, &before))
		return FALSE;
	keyring_open(&keyring, target);
	secret_password_storev(&schema, keyring.attributes, SECRET_COLLECTION_DEFAULT, label,
			       mtw_secret_text(secret), keyring.cancellable, on_answer,
			       keyring.call);
	result = wait_for(&keyring, PERSON_SEC);
	stored = result != NULL && secret_password_store_finish(result, NULL);
	keyring_close(&keyring);
	return stored;
}

gboolean mtw_keyring_clear(const MtwTarget *target, GError **error)
{
	g_autoptr(SecretItem) item = NULL;
	g_autoptr(GError) reason = NULL;
	Keyring keyring;
	GAsyncResult *result;

	if (!has_bus() || !search(target, SECRET_SEARCH_NONE, ANSWER_SEC, &item) || item == NULL)
		return TRUE;
	keyring_open(&keyring, target);
	secret_password_clearv(&schema, keyring.attributes, keyring.cancellable, on_answer,
			       keyring.call);
	result = wait_for(&keyring, PERSON_SEC);
	if (result != NULL)
		secret_password_clear_finish(result, &reason);
	keyring_close(&keyring);
	if (result != NULL && reason == NULL)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "the keyring still has the token of %s: %s",
		    target->name, reason != NULL ? reason->message : "it does not answer");
	return FALSE;
}
