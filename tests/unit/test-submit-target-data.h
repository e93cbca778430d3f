/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of targets share. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "submit/target.h"

#include <string.h>

/* Base64 of 32 bytes. */
#define HASH43 "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"
#define HASH64 HASH43 "="

/* Four lines. */
#define GOOD                        \
	"[Target]\n"                \
	"Kind=gitlab\n"             \
	"URL=https://example.org\n" \
	"Project=group/project\n"

static inline MtwTarget *parse_one(const char *text, GPtrArray *problems)
{
	const char *const texts[] = { text, NULL };
	g_autoptr(GError) error = NULL;
	MtwTarget *target = mtw_target_parse("test", texts, NULL, problems, &error);

	if (target == NULL)
		fail_msg("%s", error->message);
	return target;
}

static inline void assert_usable(const MtwTarget *target)
{
	if (!target->enabled)
		fail_msg("%s",
			 target->disabled_why != NULL ? target->disabled_why : "switched off");
}

/* @why: how the reason begins */
static inline void assert_off(const MtwTarget *target, const char *why)
{
	assert_false(target->enabled);
	assert_non_null(target->disabled_why);
	if (!g_str_has_prefix(target->disabled_why, why))
		fail_msg("%s, not %s", target->disabled_why, why);
}

static inline void assert_problem(const GPtrArray *problems, guint index, const char *detail)
{
	const MtwMessage *problem = problems->pdata[index];

	assert_string_equal(problem->detail, detail);
}
