/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DESCRIBE: its questions have the general form; here stands what they are for. */
#include "gui/page.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

typedef struct {
	MtwPage parent;
} MtwPageDescribe;

typedef struct {
	MtwPageClass parent;
} MtwPageDescribeClass;

G_DEFINE_FINAL_TYPE(MtwPageDescribe, mtw_page_describe, MTW_TYPE_PAGE)

static void mtw_page_describe_class_init(MtwPageDescribeClass *class)
{
	(void)class;
}

static void mtw_page_describe_init(MtwPageDescribe *self)
{
	mtw_page_append(
		MTW_PAGE(self),
		mtw_label_new(_("What the developers want to know goes into the report, together "
				"with what could be found out already. Everything can be looked at "
				"before it is packed."),
			      NULL));
}
