/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/visitors.h"

typedef struct {
	char *session;
	guint watch_id;
} Visitor;

struct _MtwVisitors {
	GHashTable *table; /* bus name to Visitor */
	void (*on_gone)(gpointer user_data);
	gpointer user_data;
};

static void visitor_free(gpointer data)
{
	Visitor *visitor = data;

	g_bus_unwatch_name(visitor->watch_id);
	g_free(visitor->session);
	g_free(visitor);
}

static void on_vanished(GDBusConnection *bus, const char *name, gpointer user_data)
{
	MtwVisitors *visitors = user_data;

	(void)bus;
	g_hash_table_remove(visitors->table, name);
	visitors->on_gone(visitors->user_data);
}

void mtw_visitors_add(MtwVisitors *visitors, GDBusConnection *bus, const char *name,
		      const char *session)
{
	Visitor *visitor = g_new0(Visitor, 1);

	visitor->session = g_strdup(session);
	visitor->watch_id = g_bus_watch_name_on_connection(bus, name, G_BUS_NAME_WATCHER_FLAGS_NONE,
							   NULL, on_vanished, visitors, NULL);
	g_hash_table_replace(visitors->table, g_strdup(name), visitor);
}

guint mtw_visitors_count(const MtwVisitors *visitors)
{
	return g_hash_table_size(visitors->table);
}

void mtw_visitors_tell(const MtwVisitors *visitors, MtwHost *host)
{
	g_auto(MtwHostStatus) status = { 0 };
	gboolean watched = FALSE;
	GHashTableIter iter;
	gpointer visitor;

	mtw_host_status(host, &status);
	g_hash_table_iter_init(&iter, visitors->table);
	while (g_hash_table_iter_next(&iter, NULL, &visitor))
		watched |= g_str_equal(((const Visitor *)visitor)->session, status.session);
	mtw_host_set_watched(host, watched);
}

MtwVisitors *mtw_visitors_new(void (*on_gone)(gpointer user_data), gpointer user_data)
{
	MtwVisitors *visitors = g_new0(MtwVisitors, 1);

	visitors->table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, visitor_free);
	visitors->on_gone = on_gone;
	visitors->user_data = user_data;
	return visitors;
}

void mtw_visitors_free(MtwVisitors *visitors)
{
	g_hash_table_unref(visitors->table);
	g_free(visitors);
}
