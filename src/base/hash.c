/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/hash.h"

#include "base/error.h"

#include <openssl/evp.h>

struct _MtwHash {
	EVP_MD_CTX *context;
	gboolean failed; /* told at the end */
};

MtwHash *mtw_hash_new(void)
{
	MtwHash *hash = g_new0(MtwHash, 1);

	hash->context = EVP_MD_CTX_new();
	hash->failed =
		hash->context == NULL || EVP_DigestInit_ex(hash->context, EVP_sha256(), NULL) != 1;
	return hash;
}

void mtw_hash_free(MtwHash *hash)
{
	if (hash == NULL)
		return;
	EVP_MD_CTX_free(hash->context);
	g_free(hash);
}

void mtw_hash_add(MtwHash *hash, const void *data, gsize bytes)
{
	if (!hash->failed)
		hash->failed = EVP_DigestUpdate(hash->context, data, bytes) != 1;
}

gboolean mtw_hash_finish(MtwHash *hash, char **ret_text, GError **error)
{
	guchar digest[EVP_MAX_MD_SIZE];
	unsigned int bytes = 0;
	GString *text;

	if (hash->failed || EVP_DigestFinal_ex(hash->context, digest, &bytes) != 1) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "SHA-256: libcrypto failed");
		return FALSE;
	}
	text = g_string_sized_new(2 * (gsize)bytes);
	for (unsigned int i = 0; i < bytes; i++)
		g_string_append_printf(text, "%02x", digest[i]);
	*ret_text = g_string_free(text, FALSE);
	return TRUE;
}
