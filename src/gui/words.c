/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/words.h"

#include "gui/text.h"

#include <glib/gi18n.h>

static const MtwWords words[] = {
	{ "welcome", NULL, N_("_Continue"), NULL },
	{ "recover", NULL, N_("_Undo the Changes"), N_("_Not Now") },
	{ "warnings", NULL, N_("_Go On All the Same"), NULL },
	{ "prepare", NULL, N_("_Start the Capture"), NULL },
	{ "story", N_("What was connected, what did you do, what did you see?"), N_("_Continue"),
	  NULL },
	{ "review", NULL, N_("_Continue"), NULL },
	{ "agree", NULL, N_("I _Agree"), N_("I Do _Not Agree") },
	{ "pack", NULL, N_("Make a New _Archive"), N_("_Keep the Old One") },
	{ "issue",
	  N_("Does it belong to a report that is there already? Then its address, please. "
	     "Leave this empty for a new report."),
	  N_("_Continue"), NULL },
	{ "send", NULL, N_("_Send Now"), N_("Do _Not Send") },
	{ "duplicate", NULL, N_("_Send Once More"), N_("Do _Not Send") },
	{ "token",
	  N_("The server wants to know who sends this: a token (API key), or the password, of your "
	     "account there."),
	  N_("_Continue"), N_("Go On _Without") },
	{ "remember-token", NULL, N_("_Keep It"), N_("Do _Not Keep It") },
	{ "finish", NULL, N_("_Open"), N_("_Later") },
};

static const MtwWords yes_no = { "", NULL, N_("_Yes"), N_("_No") };
static const MtwWords other = { "", NULL, N_("_Continue"), NULL };

const MtwWords *mtw_words_of(const MtwRequest *request)
{
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_str_equal(words[i].id, request->id))
			return &words[i];
	return request->kind == MTW_REQUEST_YES_NO ? &yes_no : &other;
}

const char *mtw_words_sentence(const MtwRequest *request)
{
	const char *own = mtw_words_of(request)->sentence;

	return mtw_gui_translate(own != NULL ? own : request->sentence);
}
