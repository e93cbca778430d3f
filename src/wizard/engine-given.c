/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/engine-given.h"

#include "base/error.h"

#include <fcntl.h>
#include <unistd.h>

typedef struct {
	MtwEngine base;
	char *session;
	JsonObject *facts;
	GHashTable *fds; /* name -> descriptor */
	MtwGivenKeeper keeper;
} Given;

static void close_value(gpointer value)
{
	close(GPOINTER_TO_INT(value));
}

static int given_open_file(MtwEngine *engine, const char *name, GError **error)
{
	gpointer fd;
	int copy = -1;

	if (g_hash_table_lookup_extended(((Given *)engine)->fds, name, NULL, &fd))
		copy = fcntl(GPOINTER_TO_INT(fd), F_DUPFD_CLOEXEC, 3);
	if (copy < 0)
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND, "there is no file %s", name);
	return copy;
}

static const char *given_session_id(MtwEngine *engine)
{
	return ((Given *)engine)->session;
}

static JsonObject *given_facts(MtwEngine *engine)
{
	return ((Given *)engine)->facts;
}

static gboolean given_keep_fact(MtwEngine *engine, const char *name, JsonNode *value,
				GError **error)
{
	Given *given = (Given *)engine;

	(void)error;
	if (given->keeper.keep != NULL)
		given->keeper.keep(name, value, given->keeper.user_data);
	json_object_set_member(given->facts, name, value);
	return TRUE;
}

static void given_log(MtwEngine *engine, const char *text)
{
	Given *given = (Given *)engine;

	if (given->keeper.log != NULL)
		given->keeper.log(text, given->keeper.user_data);
}

/* Everything was collected by whoever gave the files. */
static GPtrArray *given_collect(MtwEngine *engine, GError **error)
{
	(void)engine;
	(void)error;
	return mtw_messages_new();
}

/* Whoever gave the files knew them, too. */
static GPtrArray *given_identifiers(MtwEngine *engine)
{
	(void)engine;
	return mtw_identifiers_new();
}

static void given_free(MtwEngine *engine)
{
	Given *given = (Given *)engine;

	g_free(given->session);
	json_object_unref(given->facts);
	g_hash_table_unref(given->fds);
	g_free(given);
}

/* The rest of the interface is for captures, and no step from DESCRIBE on makes one. */
static const MtwEngineOps given_ops = {
	.free = given_free,
	.open_file = given_open_file,
	.session_id = given_session_id,
	.keep_fact = given_keep_fact,
	.facts = given_facts,
	.collect = given_collect,
	.identifiers = given_identifiers,
	.log = given_log,
};

MtwEngine *mtw_engine_new_given(const char *session, JsonObject *facts,
				const MtwGivenKeeper *keeper)
{
	Given *given = g_new0(Given, 1);

	given->base.ops = &given_ops;
	given->session = g_strdup(session);
	given->facts = json_object_ref(facts);
	given->fds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, close_value);
	if (keeper != NULL)
		given->keeper = *keeper;
	return &given->base;
}

void mtw_engine_give(MtwEngine *engine, const char *name, int fd)
{
	g_hash_table_replace(((Given *)engine)->fds, g_strdup(name), GINT_TO_POINTER(fd));
}
