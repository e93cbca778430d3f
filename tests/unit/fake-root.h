/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder that looks like / for tests: empty, or the desktop of tests/data/make-fake-root. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/paths.h"

typedef struct {
	char *folder;
	MtwPaths *paths;
} FakeRoot;

/* fake_root_new: an empty folder. Returns: (transfer full) */
FakeRoot *fake_root_new(void);

/* fake_root_new_desktop: made once a program, then copied. Returns: (transfer full) */
FakeRoot *fake_root_new_desktop(void);

/* fake_root_free: removes the folder too. */
void fake_root_free(FakeRoot *root);

/* fake_root_put: a file with @text, and its parents; a file that is there is replaced. */
void fake_root_put(FakeRoot *root, const char *path, const char *text);
void fake_root_put_bytes(FakeRoot *root, const char *path, const void *data, gsize bytes);

/* fake_root_link: a symbolic link; @target is its text. Replaces what is there. */
void fake_root_link(FakeRoot *root, const char *path, const char *target);

/* fake_root_remove: a file, a link or a folder with everything in it. */
void fake_root_remove(FakeRoot *root, const char *path);

/* fake_root_read: Returns: (transfer full): the test fails when there is no such file */
char *fake_root_read(FakeRoot *root, const char *path);

/* fake_root_path: Returns: (transfer full) */
char *fake_root_path(const FakeRoot *root, const char *path);

/* For cmocka: *state is an empty FakeRoot, or the desktop. */
int fake_root_setup(void **state);
int fake_root_setup_desktop(void **state);
int fake_root_teardown(void **state);

#define FAKE_ROOT_TEST(function) \
	cmocka_unit_test_setup_teardown(function, fake_root_setup, fake_root_teardown)
#define FAKE_DESKTOP_TEST(function) \
	cmocka_unit_test_setup_teardown(function, fake_root_setup_desktop, fake_root_teardown)
