/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/secret.h"

#include "base/error.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Has pages of its own: what is locked and left out of dumps is whole pages. */
struct _MtwSecret {
	gsize pages_bytes;
	gsize bytes;
	char text[];
};

void mtw_secret_wipe(void *data, gsize bytes)
{
	explicit_bzero(data, bytes);
}

/* No core dump of this process, no debugger of the same user that looks at its memory. */
static void forbid_dumps(void)
{
	static gsize once;

	if (g_once_init_enter(&once)) {
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
		g_once_init_leave(&once, 1);
	}
}

/* Without the right to lock so much (RLIMIT_MEMLOCK) the secret could be swapped out: no reason to stop. */
static MtwSecret *allocate(gsize bytes)
{
	gsize page = (gsize)sysconf(_SC_PAGESIZE);
	gsize pages_bytes = (sizeof(MtwSecret) + bytes + 1 + page - 1) / page * page;
	MtwSecret *secret =
		mmap(NULL, pages_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (secret == MAP_FAILED) {
		secret = g_malloc0(sizeof(MtwSecret) + bytes + 1);
	} else {
		mlock(secret, pages_bytes);
		madvise(secret, pages_bytes, MADV_DONTDUMP);
		secret->pages_bytes = pages_bytes;
	}
	secret->bytes = bytes;
	return secret;
}

MtwSecret *mtw_secret_new(const char *text, gsize bytes)
{
	MtwSecret *secret;

	forbid_dumps();
	while (bytes > 0 && strchr("\r\n", text[bytes - 1]) != NULL && text[bytes - 1] != '\0')
		bytes--;
	secret = allocate(bytes);
	memcpy(secret->text, text, bytes);
	return secret;
}

MtwSecret *mtw_secret_copy(const MtwSecret *secret)
{
	return secret != NULL ? mtw_secret_new(secret->text, secret->bytes) : NULL;
}

void mtw_secret_free(MtwSecret *secret)
{
	gsize pages_bytes;

	if (secret == NULL)
		return;
	pages_bytes = secret->pages_bytes;
	mtw_secret_wipe(secret->text, secret->bytes);
	if (pages_bytes > 0)
		munmap(secret, pages_bytes);
	else
		g_free(secret);
}

const char *mtw_secret_text(const MtwSecret *secret)
{
	return secret->text;
}

gboolean mtw_secret_is_usable(const MtwSecret *secret, GError **error)
{
	if (secret->bytes == 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "the token is empty");
		return FALSE;
	}
	for (gsize i = 0; i < secret->bytes; i++) {
		if (!g_ascii_iscntrl(secret->text[i]))
			continue;
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "the token has a control character or more than one line");
		return FALSE;
	}
	return TRUE;
}
