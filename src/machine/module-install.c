/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/module-install.h"

#include <string.h>

/* Whatever a shell would do more with than splitting into words. Quotes are left to the splitter.
 */
#define SHELL_CHARACTERS "$`|&<>(){}*?[]!#~\n"

static void step_free(gpointer data)
{
	MtwInstallStep *step = data;

	g_free(step->name);
	g_free(step->options);
	g_free(step);
}

static gboolean is_modprobe(const char *word)
{
	static const char *const spellings[] = { "modprobe", "/sbin/modprobe",
						 "/usr/sbin/modprobe" };

	for (gsize i = 0; i < G_N_ELEMENTS(spellings); i++)
		if (strcmp(word, spellings[i]) == 0)
			return TRUE;
	return FALSE;
}

/* The flags before the module's name. Returns FALSE for one that we do not know. */
static gboolean take_flags(char ***at, gboolean *ret_ignore_own)
{
	for (; **at != NULL && (**at)[0] == '-'; (*at)++) {
		const char *flag = **at;
		if (strcmp(flag, "-i") == 0 || strcmp(flag, "--ignore-install") == 0)
			*ret_ignore_own = TRUE;
		else if (strcmp(flag, "-q") != 0 && strcmp(flag, "--quiet") != 0)
			return FALSE;
	}
	return TRUE;
}

static MtwInstallStep *parse_step(const char *command)
{
	g_auto(GStrv) words = NULL;
	gboolean ignore_own = FALSE;
	MtwInstallStep *step;
	char **at;

	if (!g_shell_parse_argv(command, NULL, &words, NULL) || !is_modprobe(words[0]))
		return NULL;
	at = words + 1;
	if (!take_flags(&at, &ignore_own) || *at == NULL || **at == '\0')
		return NULL;
	step = g_new0(MtwInstallStep, 1);
	step->ignore_own = ignore_own;
	step->name = g_strdup(*at);
	step->options = g_strjoinv(" ", at + 1);
	return step;
}

GPtrArray *mtw_module_install_parse(const char *command)
{
	g_autoptr(GPtrArray) steps = g_ptr_array_new_with_free_func(step_free);
	g_auto(GStrv) all = g_strsplit(command, "&&", -1);
	/* "A && B" differs from "A ; B" only when A fails, and then we stop in any case. */
	g_autofree char *joined = g_strjoinv(";", all);
	g_auto(GStrv) parts = g_strsplit(joined, ";", -1);

	if (strpbrk(joined, SHELL_CHARACTERS) != NULL)
		return NULL;
	for (char **part = parts; *part != NULL; part++) {
		MtwInstallStep *step;
		if (*g_strstrip(*part) == '\0')
			continue;
		step = parse_step(*part);
		if (step == NULL)
			return NULL;
		g_ptr_array_add(steps, step);
	}
	return steps->len > 0 ? g_steal_pointer(&steps) : NULL;
}
