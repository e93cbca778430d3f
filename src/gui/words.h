/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the window's buttons say to each question; and the question itself where the wizard's own words are for a terminal. */
#pragma once

#include "wizard/request.h"

typedef struct {
	const char *id;
	const char *asked;    /* msgid (nullable): only when the request says this */
	const char *sentence; /* msgid (nullable): instead of the request's */
	const char *yes;      /* msgid with a mnemonic: the main button */
	const char *
		no; /* msgid with a mnemonic (nullable): the other button: no, or an empty answer */
} MtwWords;

/* mtw_words_of: for any request. Returns: (transfer none) */
const MtwWords *mtw_words_of(const MtwRequest *request);

/* mtw_words_sentence: translated. */
const char *mtw_words_sentence(const MtwRequest *request);
