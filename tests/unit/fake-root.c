/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include <ftw.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
	(void)status;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_tree(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void run(const char *const *argv)
{
	g_autoptr(GError) error = NULL;
	int wait_status = -1;

	g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
		     &wait_status, &error);
	assert_null(error);
	assert_true(g_spawn_check_wait_status(wait_status, NULL));
}

FakeRoot *fake_root_new(void)
{
	FakeRoot *root = g_new0(FakeRoot, 1);

	root->folder = g_dir_make_tmp("mtw-root-XXXXXX", NULL);
	assert_non_null(root->folder);
	root->paths = mtw_paths_new(root->folder);
	/* config.h may put it below a prefix of the build. */
	g_autofree char *state = fake_root_path(root, "var/lib/mmiotrace-wizard");
	mtw_paths_set(root->paths, MTW_PATH_STATE, state);
	return root;
}

static char *master;

static void remove_master(void)
{
	remove_tree(master);
	g_free(master);
	master = NULL;
}

static void make_master(void)
{
	const char *ready = g_getenv("MTW_TEST_DESKTOP");
	const char *data = g_getenv("MTW_TEST_DATA");
	g_autofree char *script =
		g_build_filename(data != NULL ? data : "tests/data", "make-fake-root", NULL);

	/* The build made one for all tests. */
	if (ready != NULL) {
		master = g_strdup(ready);
		return;
	}
	master = g_dir_make_tmp("mtw-desktop-XXXXXX", NULL);
	assert_non_null(master);
	atexit(remove_master);
	run((const char *const[]){ script, master, NULL });
}

FakeRoot *fake_root_new_desktop(void)
{
	FakeRoot *root = fake_root_new();
	g_autofree char *all = NULL;

	if (master == NULL)
		make_master();
	all = g_build_filename(master, ".", NULL);
	run((const char *const[]){ "cp", "-a", all, root->folder, NULL });
	return root;
}

void fake_root_free(FakeRoot *root)
{
	remove_tree(root->folder);
	mtw_paths_free(root->paths);
	g_free(root->folder);
	g_free(root);
}

char *fake_root_path(const FakeRoot *root, const char *path)
{
	return g_build_filename(root->folder, path, NULL);
}

static char *fresh_path(FakeRoot *root, const char *path)
{
	char *full = fake_root_path(root, path);
	g_autofree char *parent = g_path_get_dirname(full);

	assert_int_equal(g_mkdir_with_parents(parent, 0755), 0);
	unlink(full);
	return full;
}

void fake_root_put_bytes(FakeRoot *root, const char *path, const void *data, gsize bytes)
{
	g_autofree char *full = fresh_path(root, path);

	assert_true(g_file_set_contents(full, data, (gssize)bytes, NULL));
}

void fake_root_put(FakeRoot *root, const char *path, const char *text)
{
	fake_root_put_bytes(root, path, text, strlen(text));
}

void fake_root_link(FakeRoot *root, const char *path, const char *target)
{
	g_autofree char *full = fresh_path(root, path);

	assert_int_equal(symlink(target, full), 0);
}

void fake_root_remove(FakeRoot *root, const char *path)
{
	g_autofree char *full = fake_root_path(root, path);

	remove_tree(full);
}

char *fake_root_read(FakeRoot *root, const char *path)
{
	g_autofree char *full = fake_root_path(root, path);
	char *text = NULL;

	assert_true(g_file_get_contents(full, &text, NULL, NULL));
	return text;
}

int fake_root_setup(void **state)
{
	*state = fake_root_new();
	return 0;
}

int fake_root_setup_desktop(void **state)
{
	*state = fake_root_new_desktop();
	return 0;
}

int fake_root_teardown(void **state)
{
	fake_root_free(*state);
	return 0;
}
