/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A person's folders, an archive and a target for the tests of queue and sender. */
#pragma once

#include "fake-root.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/message.h"
#include "submit/queue.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARCHIVE_NAME "10de1cb3-nick-mmiotrace.tar.gz"
#define REPORT_ID "01234567-89ab-8def-8123-456789abcdef"

typedef struct {
	char *folder;
	char *archive; /* path */
	MtwCaller *caller;
	MtwTarget *target;
	MtwLetter letter;
	MtwLink issue;
} Queue;

static inline char *queue_path(const Queue *queue, const char *name)
{
	return g_build_filename(queue->folder, name, NULL);
}

static inline MtwTarget *fixture_target(const char *id)
{
	MtwTarget *target = g_new0(MtwTarget, 1);

	target->id = g_strdup(id);
	target->paths = g_ptr_array_new_with_free_func(g_free);
	target->name = g_strdup("Test tracker");
	target->kind = g_strdup("scripted");
	target->enabled = TRUE;
	target->url = g_strdup("https://tracker.test");
	target->host = g_strdup("tracker.test");
	target->too_big = g_array_new(FALSE, FALSE, sizeof(MtwTooBig));
	char **texts[] = { &target->project,	    &target->product,	  &target->component,
			   &target->version,	    &target->tracker,	  &target->queue,
			   &target->store,	    &target->from,	  &target->to,
			   &target->user,	    &target->privacy_uri, &target->help_uri,
			   &target->token_help_uri, &target->auth_name,	  &target->fallback,
			   &target->title,	    &target->body };
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		*texts[i] = g_strdup("");
	char ***lists[] = { &target->labels, &target->match, &target->file_types,
			    &target->network.redirect_hosts };
	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
		*lists[i] = g_new0(char *, 1);
	target->network.retries = 3;
	target->network.retry_cap_sec = 0; /* no waiting */
	return target;
}

static inline void write_file(const char *path, const char *text)
{
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static inline int queue_setup(void **state)
{
	Queue *queue = g_new0(Queue, 1);

	g_unsetenv("SUDO_UID");
	g_unsetenv("PKEXEC_UID");
	queue->folder = g_dir_make_tmp("mtw-queue-XXXXXX", NULL);
	queue->archive = queue_path(queue, ARCHIVE_NAME);
	write_file(queue->archive, "the archive");
	g_setenv("XDG_STATE_HOME", queue->folder, TRUE);
	queue->caller = mtw_caller_get(NULL);
	queue->target = fixture_target("test");
	queue->letter = (MtwLetter){ (char *)REPORT_ID, (char *)"A trace [01234567]",
				     (char *)"Text\nReport-ID: " REPORT_ID "\n" };
	queue->issue = (MtwLink){ (char *)"gitlab", (char *)"https://tracker.test", (char *)"a/b",
				  (char *)"7", (char *)"https://tracker.test/a/b/-/issues/7" };
	*state = queue;
	return queue->caller != NULL ? 0 : -1;
}

static inline int queue_teardown(void **state)
{
	Queue *queue = *state;

	mtw_folder_remove(queue->folder, NULL);
	g_free(queue->folder);
	g_free(queue->archive);
	mtw_caller_free(queue->caller);
	mtw_target_free(queue->target);
	g_free(queue);
	return 0;
}

#define QUEUE_TEST(function) cmocka_unit_test_setup_teardown(function, queue_setup, queue_teardown)

/* expect_error: the error is of this code, and is cleared. */
static inline void expect_error(GError **error, MtwErrorCode code)
{
	if (!g_error_matches(*error, MTW_ERROR, (int)code))
		fail_msg("expected code %d, got: %s", (int)code,
			 *error != NULL ? (*error)->message : "no error");
	g_clear_error(error);
}

static inline void expect_text(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("no \"%s\" in: %s", part, text);
}

static inline MtwItemPlan queue_plan(const Queue *queue, const char *const *paths)
{
	return (MtwItemPlan){
		.target = queue->target,
		.letter = &queue->letter,
		.paths = paths,
		.archive_sha256 =
			"0000000000000000000000000000000000000000000000000000000000000000",
	};
}

static inline MtwItem *queue_try_item(const Queue *queue, GError **error)
{
	const char *const paths[] = { queue->archive, NULL };
	MtwItemPlan plan = queue_plan(queue, paths);

	return mtw_item_new(queue->caller, &plan, error);
}

/* queue_item: of the archive, locked. Returns: (transfer full) */
static inline MtwItem *queue_item(const Queue *queue)
{
	g_autoptr(GError) error = NULL;
	MtwItem *item = queue_try_item(queue, &error);

	if (item == NULL)
		fail_msg("%s", error->message);
	return item;
}

/* queue_consented: the same, with the person's yes. Returns: (transfer full) */
static inline MtwItem *queue_consented(const Queue *queue)
{
	g_autoptr(GError) error = NULL;
	MtwItem *item = queue_item(queue);

	if (!mtw_item_consent(item, queue->target, &error))
		fail_msg("%s", error->message);
	return item;
}

static inline char *item_path(const MtwItem *item, const char *name)
{
	return g_build_filename(mtw_item_folder(item), name, NULL);
}

static inline char *stored_archive(const MtwItem *item)
{
	return g_build_filename(mtw_item_folder(item), "files", ARCHIVE_NAME, NULL);
}

static inline guint count_in_folder(const char *path)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(path);

	return names->len;
}

/*
 * small_disk: a file system of @bytes at @path, which only this process sees. FALSE: only root can have that; @why tells
 * so.
 */
static inline gboolean small_disk(const char *path, guint bytes, const char **why)
{
	g_autofree char *options = g_strdup_printf("size=%u,mode=700", bytes);

	*why = "a small file system to fill needs root and a mount namespace";
	return geteuid() == 0 && g_mkdir_with_parents(path, 0700) == 0 &&
	       unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("tmpfs", path, "tmpfs", 0, options) == 0;
}

/* fill_disk: until nothing more fits. */
static inline void fill_disk(const char *path)
{
	static const char block[512];
	g_auto(MtwFd) fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	while (write(fd, block, sizeof block) > 0)
		;
	assert_int_equal(errno, ENOSPC);
}
