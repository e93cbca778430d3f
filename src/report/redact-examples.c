/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The examples of a rule are its tests. */
#include "report/redact-private.h"

#include "base/error.h"

#include <string.h>

/* A name that the first pattern of the rule fits. Returns: (transfer full) */
static char *file_name_for(const MtwRedactRule *rule)
{
	GString *name;

	if (rule->files == NULL || rule->files[0] == NULL)
		return g_strdup("dmesg.txt");
	name = g_string_new(rule->files[0]);
	g_string_replace(name, "*", "x", 0);
	g_string_replace(name, "?", "x", 0);
	return g_string_free(name, FALSE);
}

static gboolean run_example(MtwRedactRules *alone, const MtwRedactRule *rule,
			    const MtwRedactExample *example, GError **error)
{
	g_autoptr(MtwRedactor) redactor = mtw_redactor_new(alone);
	g_autofree char *name = file_name_for(rule);
	g_autoptr(MtwRedactResult) result =
		mtw_redactor_file(redactor, name, example->in, strlen(example->in));
	g_autoptr(GArray) left = NULL;

	if (!g_str_equal(result->text, example->out)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "%s:%u: [%s]: \"%s\" becomes \"%s\", not \"%s\"", rule->file,
			    rule->line, rule->name, example->in, result->text, example->out);
		return FALSE;
	}
	left = mtw_redactor_scan(redactor, name, result->text, result->bytes);
	if (left->len == 0)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
		    "%s:%u: [%s]: \"%s\" would be changed again", rule->file, rule->line,
		    rule->name, result->text);
	return FALSE;
}

/* @rule is lent to @alone for the time of its examples. */
static gboolean run_rule(MtwRedactRules *alone, MtwRedactRule *rule, GError **error)
{
	gboolean changes = FALSE, done = TRUE;

	g_ptr_array_add(alone->rules, rule);
	for (guint i = 0; i < rule->examples->len && done; i++) {
		const MtwRedactExample *example = rule->examples->pdata[i];
		changes = changes || !g_str_equal(example->in, example->out);
		done = run_example(alone, rule, example, error);
	}
	g_ptr_array_steal_index(alone->rules, 0);
	if (!done || changes)
		return done;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
		    "%s:%u: [%s]: Example is missing: a text that the rule changes", rule->file,
		    rule->line, rule->name);
	return FALSE;
}

gboolean mtw_redact_rules_check(const char *path, GError **error)
{
	g_autoptr(MtwRedactRules) rules = mtw_redact_rules_load_file(path, error);
	g_autoptr(MtwRedactRules) alone = mtw_redact_rules_new();

	if (rules == NULL)
		return FALSE;
	for (guint i = 0; i < rules->rules->len; i++)
		if (!run_rule(alone, rules->rules->pdata[i], error))
			return FALSE;
	return TRUE;
}
