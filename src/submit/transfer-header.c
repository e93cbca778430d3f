/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header of a request, and the credentials in it. */
#include "submit/transfer-private.h"

#include "base/error.h"

#include <string.h>

/* Nothing that could end a line and begin another one of its own. */
static gboolean is_one_line(const char *text)
{
	for (; *text != '\0'; text++)
		if (g_ascii_iscntrl(*text))
			return FALSE;
	return TRUE;
}

static gboolean is_header(const char *line)
{
	const char *colon = strchr(line, ':');

	if (colon == NULL || colon == line || !is_one_line(line))
		return FALSE;
	for (; line < colon; line++)
		if (!g_ascii_isalnum(*line) && strchr("!#$%&'*+-.^_`|~", *line) == NULL)
			return FALSE;
	return TRUE;
}

static gboolean refuse(MtwTransfer *transfer, const char *thing, const char *text, GError **error)
{
	return mtw_transfer_fail_as(transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_INVALID, FALSE,
				    error, "%s cannot be sent: \"%s\"", thing, text);
}

static gboolean is_part(const MtwFormPart *part)
{
	return is_one_line(part->name) && (part->type == NULL || is_one_line(part->type)) &&
	       (part->filename == NULL || is_one_line(part->filename));
}

gboolean mtw_request_check(MtwTransfer *transfer, const MtwHttpRequest *request, GError **error)
{
	for (const char *const *line = request->headers; line != NULL && *line != NULL; line++)
		if (!is_header(*line))
			return refuse(transfer, "a header", *line, error);
	if (request->type != NULL && !is_one_line(request->type))
		return refuse(transfer, "a content type", request->type, error);
	for (guint i = 0; i < request->n_parts; i++)
		if (!is_part(&request->parts[i]))
			return refuse(transfer, "a part of the form", request->parts[i].name,
				      error);
	return TRUE;
}

static void wipe_and_free(char *text)
{
	if (text != NULL)
		mtw_secret_wipe(text, strlen(text));
	g_free(text);
}

static gboolean add_line(MtwTransfer *transfer, const char *line)
{
	struct curl_slist *longer = curl_slist_append(transfer->lines, line);

	if (longer == NULL)
		transfer->option_code = CURLE_OUT_OF_MEMORY;
	else
		transfer->lines = longer;
	return longer != NULL;
}

static void add_basic(MtwTransfer *transfer)
{
	char *plain =
		g_strdup_printf("%s:%s", transfer->target->user, mtw_secret_text(transfer->secret));
	char *encoded = g_base64_encode((const guchar *)plain, strlen(plain));
	char *line = g_strconcat("Authorization: Basic ", encoded, NULL);

	add_line(transfer, line);
	wipe_and_free(plain);
	wipe_and_free(encoded);
	wipe_and_free(line);
}

static void add_named(MtwTransfer *transfer, const char *name, const char *before)
{
	char *line = g_strconcat(name, ": ", before, mtw_secret_text(transfer->secret), NULL);

	add_line(transfer, line);
	wipe_and_free(line);
}

static gboolean add_credentials(MtwTransfer *transfer, GError **error)
{
	g_autoptr(GError) reason = NULL;

	if (!mtw_secret_is_usable(transfer->secret, &reason))
		return mtw_transfer_fail_as(transfer, MTW_FAILURE_AUTH, MTW_ERROR_AUTH, FALSE,
					    error, "%s", reason->message);
	switch (transfer->target->auth) {
	case MTW_AUTH_BEARER:
		add_named(transfer, "Authorization", "Bearer ");
		return TRUE;
	case MTW_AUTH_HEADER:
		add_named(transfer, transfer->target->auth_name, "");
		return TRUE;
	case MTW_AUTH_BASIC:
		add_basic(transfer);
		return TRUE;
	default: /* in the body, or not at all: the kind's own work */
		return TRUE;
	}
}

gboolean mtw_request_set_headers(MtwTransfer *transfer, const MtwHttpRequest *request,
				 const char *url, gboolean expect, GError **error)
{
	add_line(transfer, expect ? "Expect: 100-continue" : "Expect:");
	if (request->type != NULL) {
		g_autofree char *type = g_strconcat("Content-Type: ", request->type, NULL);
		add_line(transfer, type);
	}
	for (const char *const *line = request->headers; line != NULL && *line != NULL; line++)
		add_line(transfer, *line);
	if (mtw_request_has_secret(transfer, request) && mtw_transfer_knows_server(transfer, url) &&
	    !add_credentials(transfer, error))
		return FALSE;
	mtw_transfer_option(transfer, CURLOPT_HTTPHEADER, transfer->lines);
	return TRUE;
}

void mtw_request_clear_headers(MtwTransfer *transfer)
{
	for (struct curl_slist *line = transfer->lines; line != NULL; line = line->next)
		mtw_secret_wipe(line->data, strlen(line->data));
	curl_slist_free_all(transfer->lines);
	transfer->lines = NULL;
}
