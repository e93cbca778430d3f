/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Temporary folders and files for the tests of the report layer. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/file.h"
#include "base/message.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each test of a group has its own folder as *state. */
static inline int fixture_setup(void **state)
{
	*state = g_dir_make_tmp("mtw-report-XXXXXX", NULL);
	return *state != NULL ? 0 : -1;
}

static inline int fixture_remove_one(const char *path, const struct stat *status, int type,
				     struct FTW *ftw)
{
	(void)status;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline int fixture_teardown(void **state)
{
	nftw(*state, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	g_free(*state);
	return 0;
}

#define FIXTURE_TEST(function) \
	cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

/* Makes the parents too. */
static inline void fixture_write_bytes(const char *root, const char *name, const char *data,
				       gsize bytes)
{
	g_autofree char *path = g_build_filename(root, name, NULL);
	g_autofree char *parent = g_path_get_dirname(path);

	assert_int_equal(g_mkdir_with_parents(parent, 0755), 0);
	assert_true(g_file_set_contents(path, data, (gssize)bytes, NULL));
}

static inline void fixture_write(const char *root, const char *name, const char *text)
{
	fixture_write_bytes(root, name, text, strlen(text));
}

static inline void fixture_link(const char *root, const char *name, const char *target)
{
	g_autofree char *path = g_build_filename(root, name, NULL);
	g_autofree char *parent = g_path_get_dirname(path);

	assert_int_equal(g_mkdir_with_parents(parent, 0755), 0);
	assert_int_equal(symlink(target, path), 0);
}

static inline char *fixture_read(const char *root, const char *name)
{
	g_autofree char *path = g_build_filename(root, name, NULL);
	char *content = NULL;

	assert_true(g_file_get_contents(path, &content, NULL, NULL));
	return content;
}

static inline gboolean fixture_exists(const char *root, const char *name)
{
	g_autofree char *path = g_build_filename(root, name, NULL);
	struct stat status;

	return lstat(path, &status) == 0;
}

static inline guint fixture_count(const char *folder)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	return names->len;
}

/* Checks the code and that there is a message, and forgets the error. */
static inline void fixture_expect_error(GError **error, MtwErrorCode code)
{
	assert_non_null(*error);
	assert_true((*error)->domain == MTW_ERROR);
	if ((*error)->code != (int)code)
		fail_msg("error %d instead of %d: %s", (*error)->code, (int)code,
			 (*error)->message);
	assert_true(strlen((*error)->message) > 0);
	g_clear_error(error);
}
