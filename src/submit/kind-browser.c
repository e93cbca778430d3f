/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracker's page for a new report, filled in; the person attaches the archive and sends it. */
#include "submit/kinds.h"
#include "submit/prefill.h"
#include "submit/store.h"

#include <glib/gi18n.h>

static gboolean check(const MtwTarget *target, GError **error)
{
	return mtw_prefill_check(target->url, error);
}

static gboolean run_page(MtwJob *job, GError **error)
{
	g_autofree char *url = mtw_prefill_url(job->target->url, job->letter, NULL);

	json_object_set_string_member(job->facts, "open", url);
	mtw_store_show_file(job, N_("Nothing was sent yet: open the page, attach the archive and "
				    "send it there."));
	return job->save(job, error);
}

static const MtwPhase page_phase = {
	.id = "page",
	.run = run_page,
};

static const MtwPhase *const phases[] = { &page_phase, NULL };

const MtwKind mtw_kind_browser = {
	.id = "browser",
	.title = N_("Browser"),
	.check = check,
	.phases = phases,
};
