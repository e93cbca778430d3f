/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/failure.h"

void mtw_failure_clear(MtwFailure *failure)
{
	g_free(failure->server_says);
	*failure = (MtwFailure){ .retry_after_sec = -1 };
}

const char *mtw_failure_class_name(MtwFailureClass class)
{
	static const char *const names[] = {
		[MTW_FAILURE_NONE] = "none",	       [MTW_FAILURE_TRANSIENT] = "transient",
		[MTW_FAILURE_PERMANENT] = "permanent", [MTW_FAILURE_TOO_BIG] = "too-big",
		[MTW_FAILURE_AUTH] = "authentication", [MTW_FAILURE_PERSON] = "person",
		[MTW_FAILURE_CANCELLED] = "cancelled",
	};

	return names[class];
}
