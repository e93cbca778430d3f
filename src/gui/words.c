/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/words.h"

#include "gui/text.h"

#include <glib/gi18n.h>

static const MtwWords words[] = {
	{ .id = "welcome", .yes = N_("_Continue") },
	{ .id = "recover", .yes = N_("_Undo the Changes"), .no = N_("_Not Now") },
	{ .id = "driver",
	  .sentence =
		  N_("Several drivers fit this device. Which one is to be traced? Choose the one "
		     "that the driver developers asked about; without a wish, the one that has "
		     "the device now."),
	  .yes = N_("_Continue") },
	{ .id = "warnings", .yes = N_("_Go On All the Same") },
	{ .id = "prepare",
	  .asked = "Trace the driver at the next start of the computer?",
	  .yes = N_("_Trace at the Next Start") },
	{ .id = "prepare", .yes = N_("_Start the Capture") },
	{ .id = "story",
	  .sentence = N_("What was connected, what did you do, what did you see?"),
	  .yes = N_("_Continue") },
	{ .id = "review", .yes = N_("_Continue") },
	{ .id = "agree", .yes = N_("I _Agree"), .no = N_("I Do _Not Agree") },
	{ .id = "on-lost",
	  .yes = N_("Again with a _Larger Buffer"),
	  .no = N_("_Keep It as It Is") },
	{ .id = "pack", .yes = N_("Make a New _Archive"), .no = N_("_Keep the Old One") },
	{ .id = "send", .yes = N_("_Send Now"), .no = N_("Save _Instead") },
	{ .id = "duplicate", .yes = N_("_Send Once More"), .no = N_("Do _Not Send") },
	{ .id = "token", .yes = N_("_Continue"), .no = N_("Go On _Without") },
	{ .id = "remember-token", .yes = N_("_Keep It"), .no = N_("Do _Not Keep It") },
	{ .id = "finish", .yes = N_("_Open"), .no = N_("_Later") },
};

static const MtwWords yes_no = { .yes = N_("_Yes"), .no = N_("_No") };
static const MtwWords other = { .yes = N_("_Continue") };

static gboolean fits(const MtwWords *candidate, const MtwRequest *request)
{
	return g_str_equal(candidate->id, request->id) &&
	       (candidate->asked == NULL || g_str_equal(candidate->asked, request->sentence));
}

const MtwWords *mtw_words_of(const MtwRequest *request)
{
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (fits(&words[i], request))
			return &words[i];
	return request->kind == MTW_REQUEST_YES_NO ? &yes_no : &other;
}

const char *mtw_words_sentence(const MtwRequest *request)
{
	const char *own = mtw_words_of(request)->sentence;

	return mtw_gui_translate(own != NULL ? own : request->sentence);
}
