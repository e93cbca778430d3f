/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/shrink-chunk.h"

#include "base/error.h"
#include "base/file.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

/* Twice what xz -6 looks back. */
#define CHUNK_BYTES ((gsize)16 * 1024 * 1024)
/* After each of them a worker looks whether it is to stop. */
#define STEP_BYTES ((gsize)64 * 1024)
/* Each one needs some 130 MiB. */
#define THREADS_MAX 4
#define LOOK_USEC (G_USEC_PER_SEC / 10)

typedef struct {
	char *in;
	gsize bytes;
	GByteArray *out;
	int packed_bytes;      /* atomic: of @in */
	guint64 begin, end;    /* of the packed original */
	gboolean done, failed; /* under the lock */
	char *problem;	       /* (nullable) */
} Chunk;

struct _MtwChunks {
	const char *format;
	int out;
	guint64 total;
	const MtwShrinkHooks *hooks;
	char *block;
	guint64 read_bytes;
	GQueue pending; /* (element-type Chunk): in their order */
	GThreadPool *pool;
	guint threads;
	int stop; /* atomic */
	GMutex lock;
	GCond changed;
};

static void chunk_free(Chunk *chunk)
{
	g_free(chunk->in);
	g_byte_array_unref(chunk->out);
	g_free(chunk->problem);
	g_free(chunk);
}

/* ---- one chunk, in a thread of its own ---- */

static la_ssize_t take_packed(struct archive *archive, void *data, const void *block, size_t bytes)
{
	(void)archive;
	g_byte_array_append(((Chunk *)data)->out, block, (guint)bytes);
	return (la_ssize_t)bytes;
}

/* The strongest levels that need little memory to unpack. */
static gboolean set_filter(struct archive *archive, const char *format)
{
	if (strcmp(format, "tar.xz") == 0)
		return archive_write_add_filter_xz(archive) == ARCHIVE_OK &&
		       archive_write_set_filter_option(archive, "xz", "compression-level", "6") ==
			       ARCHIVE_OK;
	return archive_write_add_filter_zstd(archive) == ARCHIVE_OK &&
	       archive_write_set_filter_option(archive, "zstd", "compression-level", "19") ==
		       ARCHIVE_OK;
}

static gboolean begin_stream(struct archive *archive, const char *format, Chunk *chunk)
{
	struct archive_entry *entry = archive_entry_new();
	gboolean ok;

	archive_entry_set_pathname(entry, "data");
	archive_entry_set_filetype(entry, AE_IFREG);
	ok = archive_write_set_format_raw(archive) == ARCHIVE_OK && set_filter(archive, format) &&
	     archive_write_set_bytes_in_last_block(archive, 1) == ARCHIVE_OK &&
	     archive_write_open(archive, chunk, NULL, take_packed, NULL) == ARCHIVE_OK &&
	     archive_write_header(archive, entry) == ARCHIVE_OK;
	archive_entry_free(entry);
	return ok;
}

static gboolean pack_steps(struct archive *archive, Chunk *chunk, const int *stop)
{
	gsize done = 0;

	while (done < chunk->bytes && g_atomic_int_get(stop) == 0) {
		gsize bytes = MIN(chunk->bytes - done, STEP_BYTES);
		if (archive_write_data(archive, chunk->in + done, bytes) != (la_ssize_t)bytes)
			return FALSE;
		done += bytes;
		g_atomic_int_set(&chunk->packed_bytes, (int)done);
	}
	return archive_write_close(archive) == ARCHIVE_OK && done == chunk->bytes;
}

static void pack(gpointer data, gpointer user_data)
{
	Chunk *chunk = data;
	MtwChunks *chunks = user_data;
	struct archive *archive = archive_write_new();
	gboolean ok = begin_stream(archive, chunks->format, chunk) &&
		      pack_steps(archive, chunk, &chunks->stop);

	if (!ok)
		chunk->problem = g_strdup(archive_error_string(archive));
	archive_write_free(archive);
	g_mutex_lock(&chunks->lock);
	chunk->failed = !ok;
	chunk->done = TRUE;
	g_cond_signal(&chunks->changed);
	g_mutex_unlock(&chunks->lock);
}

/* ---- all of them ---- */

MtwChunks *mtw_chunks_new(const char *format, int out, guint64 total, const MtwShrinkHooks *hooks)
{
	MtwChunks *chunks = g_new0(MtwChunks, 1);

	chunks->format = format;
	chunks->out = out;
	chunks->total = total;
	chunks->hooks = hooks;
	g_queue_init(&chunks->pending);
	g_mutex_init(&chunks->lock);
	g_cond_init(&chunks->changed);
	chunks->threads = MIN(g_get_num_processors(), THREADS_MAX);
	/* Not exclusive: that cannot fail. */
	chunks->pool = g_thread_pool_new(pack, chunks, (int)chunks->threads, FALSE, NULL);
	return chunks;
}

void mtw_chunks_free(MtwChunks *chunks)
{
	if (chunks == NULL)
		return;
	g_atomic_int_set(&chunks->stop, 1);
	g_thread_pool_free(chunks->pool, FALSE, TRUE);
	g_queue_clear_full(&chunks->pending, (GDestroyNotify)chunk_free);
	g_mutex_clear(&chunks->lock);
	g_cond_clear(&chunks->changed);
	g_free(chunks->block);
	g_free(chunks);
}

static guint64 share_done(const Chunk *chunk)
{
	double share = (double)g_atomic_int_get(&chunk->packed_bytes) / (double)chunk->bytes;

	return (guint64)((double)(chunk->end - chunk->begin) * share);
}

static gboolean go_on(MtwChunks *chunks, GError **error)
{
	const Chunk *first = g_queue_peek_head(&chunks->pending);
	guint64 done = first != NULL ? first->begin : chunks->read_bytes;

	for (GList *at = chunks->pending.head; at != NULL; at = at->next)
		done += share_done(at->data);
	return mtw_shrink_go_on(chunks->hooks, MIN(done, chunks->total), chunks->total, error);
}

/* Returns within moments. */
static gboolean wait_a_little(MtwChunks *chunks, const Chunk *chunk)
{
	gint64 end = g_get_monotonic_time() + LOOK_USEC;
	gboolean done;

	g_mutex_lock(&chunks->lock);
	while (!chunk->done && g_cond_wait_until(&chunks->changed, &chunks->lock, end))
		;
	done = chunk->done;
	g_mutex_unlock(&chunks->lock);
	return done;
}

static gboolean write_first(MtwChunks *chunks, GError **error)
{
	Chunk *chunk = g_queue_peek_head(&chunks->pending);
	gboolean ok;

	do {
		if (!go_on(chunks, error))
			return FALSE;
	} while (!wait_a_little(chunks, chunk));
	if (chunk->failed)
		g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "packing: %s",
			    chunk->problem != NULL ? chunk->problem : "libarchive failed");
	ok = !chunk->failed &&
	     mtw_file_write_all(chunks->out, chunk->out->data, chunk->out->len, error);
	g_queue_pop_head(&chunks->pending);
	chunk_free(chunk);
	return ok;
}

char *mtw_chunks_block(MtwChunks *chunks, gsize *ret_bytes)
{
	if (chunks->block == NULL)
		chunks->block = g_malloc(CHUNK_BYTES);
	*ret_bytes = CHUNK_BYTES;
	return chunks->block;
}

gboolean mtw_chunks_add(MtwChunks *chunks, gsize bytes, guint64 read_bytes, GError **error)
{
	Chunk *chunk = g_new0(Chunk, 1);

	chunk->in = g_steal_pointer(&chunks->block);
	chunk->bytes = bytes;
	chunk->out = g_byte_array_new();
	chunk->begin = chunks->read_bytes;
	chunk->end = MAX(read_bytes, chunk->begin);
	chunks->read_bytes = chunk->end;
	g_queue_push_tail(&chunks->pending, chunk);
	g_thread_pool_push(chunks->pool, chunk, NULL);
	while (g_queue_get_length(&chunks->pending) > chunks->threads)
		if (!write_first(chunks, error))
			return FALSE;
	return TRUE;
}

gboolean mtw_chunks_finish(MtwChunks *chunks, GError **error)
{
	while (g_queue_get_length(&chunks->pending) > 0)
		if (!write_first(chunks, error))
			return FALSE;
	return go_on(chunks, error);
}
