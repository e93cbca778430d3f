/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many texts searched at once (Aho and Corasick): one table look-up a byte, whatever their number.
 * The case of ASCII letters does not matter.
 */
#pragma once

#include <glib.h>

typedef struct _MtwMatcher MtwMatcher;

/* mtw_matcher_new: Returns: (transfer full) */
MtwMatcher *mtw_matcher_new(void);
void mtw_matcher_free(MtwMatcher *matcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwMatcher, mtw_matcher_free)

/*
 * mtw_matcher_add: before mtw_matcher_compile. The same text can be added with several @id.
 * Returns: FALSE when the table would become too large; then it is not added
 */
gboolean mtw_matcher_add(MtwMatcher *matcher, const char *text, gsize bytes, guint id);

/* mtw_matcher_compile: makes the table. */
void mtw_matcher_compile(MtwMatcher *matcher);

/* The text with @id stands at @start to @end. */
typedef void (*MtwMatcherFound)(guint id, gsize start, gsize end, gpointer user_data);

/* mtw_matcher_run: tells every occurrence, by its end. */
void mtw_matcher_run(const MtwMatcher *matcher, const char *text, gsize bytes,
		     MtwMatcherFound found, gpointer user_data);
