/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder of a web server that takes PUT (nginx, Apache, an artefact store): store-http.h does the work. */
#include "base/message.h"
#include "submit/kinds.h"
#include "submit/store-http.h"

#include <glib/gi18n.h>

static gboolean check(const MtwTarget *target, GError **error)
{
	static const char *const schemes[] = { "https", "http", NULL };

	return mtw_store_check(target, schemes, error);
}

static const MtwPhase *const phases[] = { &mtw_store_upload_phase, &mtw_store_letter_phase, NULL };

const MtwKind mtw_kind_put = {
	.id = "put",
	.title = N_("Web folder (PUT)"),
	.needs_network = TRUE,
	.is_bare_store = TRUE,
	.check = check,
	.whoami = mtw_store_whoami,
	.phases = phases,
};
