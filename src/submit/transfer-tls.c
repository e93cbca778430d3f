/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who the server is: always verified, for plain TLS and for STARTTLS. */
#include "submit/transfer-private.h"

#include "base/file.h"

#include <string.h>

#define CA_MAX_BYTES (16 * 1024 * 1024)

/*
 * The target's own authorities beside the system's: libcurl would take its file instead of the built-in one, so it
 * gets both as one text. A folder of authorities (CAPATH) stays in force anyway.
 */
static void set_authorities(MtwTransfer *transfer, const char *path)
{
	const char *system_path = curl_version_info(CURLVERSION_NOW)->cainfo;
	g_autoptr(GError) error = NULL;
	g_autofree char *own = mtw_file_read(path, CA_MAX_BYTES, NULL, &error);
	g_autofree char *system = NULL;
	g_autofree char *both = NULL;
	struct curl_blob blob = { .flags = CURL_BLOB_COPY };

	if (own == NULL) {
		g_strlcpy(transfer->curl_says, error->message, sizeof transfer->curl_says);
		mtw_transfer_note_option(transfer, CURLE_SSL_CACERT_BADFILE);
		return;
	}
	if (strstr(own, "-----BEGIN ") == NULL) {
		g_snprintf(transfer->curl_says, sizeof transfer->curl_says,
			   "%s has no certificate (PEM) in it", path);
		mtw_transfer_note_option(transfer, CURLE_SSL_CACERT_BADFILE);
		return;
	}
	if (system_path != NULL)
		system = mtw_file_read(system_path, CA_MAX_BYTES, NULL, NULL);
	both = g_strconcat(system != NULL ? system : "", "\n", own, NULL);
	blob.data = both;
	blob.len = strlen(both);
	/* A libcurl that cannot do that (of GnuTLS) trusts the target's own alone. */
	if (curl_easy_setopt(transfer->easy, CURLOPT_CAINFO_BLOB, &blob) != CURLE_OK)
		mtw_transfer_option(transfer, CURLOPT_CAINFO, path);
}

void mtw_transfer_set_tls(MtwTransfer *transfer)
{
	const MtwTargetNetwork *network = &transfer->target->network;

	mtw_transfer_option(transfer, CURLOPT_SSL_VERIFYPEER, 1L);
	mtw_transfer_option(transfer, CURLOPT_SSL_VERIFYHOST, 2L);
	mtw_transfer_option(transfer, CURLOPT_SSLVERSION,
			    network->tls13 ? (long)CURL_SSLVERSION_TLSv1_3
					   : (long)CURL_SSLVERSION_TLSv1_2);
	if (network->pinned_pubkey != NULL)
		mtw_transfer_option(transfer, CURLOPT_PINNEDPUBLICKEY, network->pinned_pubkey);
	if (network->ca_file != NULL)
		set_authorities(transfer, network->ca_file);
}
