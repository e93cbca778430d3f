/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing leaves this computer: the archive stays where it is, for a person to hand on. */
#include "submit/kinds.h"
#include "submit/store.h"

#include <glib/gi18n.h>

static gboolean run_keep(MtwJob *job, GError **error)
{
	mtw_store_show_file(job, N_("The archive is ready. Nothing was sent."));
	return job->save(job, error);
}

static const MtwPhase keep_phase = {
	.id = "keep",
	.run = run_keep,
};

static const MtwPhase *const phases[] = { &keep_phase, NULL };

const MtwKind mtw_kind_file = {
	.id = "file",
	.title = N_("Save only"),
	.is_local = TRUE,
	.phases = phases,
};
