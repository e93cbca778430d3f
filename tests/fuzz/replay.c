/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a fuzz target over the files of corpus folders, as a plain test with any compiler.
 *
 *     fuzz-NAME CORPUS-FOLDER...
 */
#include "fuzz.h"

static gboolean replay_file(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *content = NULL;
	gsize bytes;

	if (!g_file_get_contents(path, &content, &bytes, &error)) {
		fprintf(stderr, "%s\n", error->message);
		return FALSE;
	}
	LLVMFuzzerTestOneInput((const uint8_t *)content, bytes);
	return TRUE;
}

/* Returns: the number of files, or -1 */
static int replay_folder(const char *folder)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GDir) names = g_dir_open(folder, 0, &error);
	const char *name;
	int files = 0;

	if (names == NULL) {
		fprintf(stderr, "%s\n", error->message);
		return -1;
	}
	for (; (name = g_dir_read_name(names)) != NULL; files++)
		if (!replay_file(folder, name))
			return -1;
	return files;
}

int main(int argc, char **argv)
{
	int total = 0;

	for (int i = 1; i < argc; i++) {
		int files = replay_folder(argv[i]);
		if (files < 0)
			return EXIT_FAILURE;
		total += files;
	}
	printf("%d inputs\n", total);
	/* A test that tested nothing has failed. */
	return total > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
