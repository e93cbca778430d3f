/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where profiles come from, and who may not put one there. */
#include "test-profile-data.h"

#include "base/error.h"

#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHIPPED "usr/share/profiles/"
#define SYSTEM "etc/mmiotrace-wizard/profiles/"
#define CONFIG "/config"
#define USER "config/mmiotrace-wizard/profiles/"

static void put(FakeRoot *root, const char *folder, const char *id, const char *title)
{
	g_autofree char *path = g_strdup_printf("%s%s.conf", folder, id);
	g_autofree char *text = g_strdup_printf("[Profile]\nTitle=%s\n", title);

	fake_root_put(root, path, text);
}

static int setup(void **state)
{
	FakeRoot *root = fake_root_new();
	g_autofree char *data = fake_root_path(root, "usr/share");

	mtw_paths_set(root->paths, MTW_PATH_DATA, data);
	put(root, SHIPPED, "generic", "shipped generic");
	put(root, SHIPPED, "nouveau", "shipped nouveau");
	*state = root;
	return 0;
}

static const MtwProfile *find_in(const GPtrArray *profiles, const char *id)
{
	for (guint i = 0; i < profiles->len; i++) {
		const MtwProfile *profile = profiles->pdata[i];
		if (g_str_equal(profile->id, id))
			return profile;
	}
	return NULL;
}

static void test_list(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) profiles = NULL;
	const MtwProfile *nouveau;

	put(root, SYSTEM, "nouveau", "of this machine");
	put(root, SYSTEM, "added", "added");
	/* Not profiles. */
	fake_root_put(root, SYSTEM "README", "text");
	fake_root_put(root, SYSTEM ".hidden.conf", "text");
	fake_root_put(root, SYSTEM "added.conf~", "text");
	profiles = mtw_profile_list(root->paths);
	assert_int_equal(profiles->len, 3);
	assert_string_equal(((const MtwProfile *)profiles->pdata[0])->id, "added");
	nouveau = find_in(profiles, "nouveau");
	assert_string_equal(nouveau->title, "of this machine");
	assert_int_equal(nouveau->origin, MTW_PROFILE_SYSTEM);
	assert_true(g_str_has_suffix(nouveau->path, SYSTEM "nouveau.conf"));
	assert_int_equal(find_in(profiles, "generic")->origin, MTW_PROFILE_SHIPPED);
}

/* A broken file hides neither the others nor the one that it would replace. */
static void test_broken(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) profiles = NULL;
	g_autoptr(GPtrArray) problems = NULL;
	g_autoptr(GError) error = NULL;
	g_autofree char *fifo = fake_root_path(root, SYSTEM "pipe.conf");
	const MtwMessage *problem;

	fake_root_put(root, SYSTEM "nouveau.conf", "[Profile]\nTitel=x\n");
	fake_root_put(root, SYSTEM "folder.conf/file", "x");
	fake_root_link(root, SYSTEM "loop.conf", "loop.conf");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	profiles = mtw_profile_list(root->paths);
	assert_int_equal(profiles->len, 2);
	assert_string_equal(find_in(profiles, "nouveau")->title, "shipped nouveau");
	problems = mtw_profile_problems(root->paths);
	assert_int_equal(problems->len, 4);
	problem = problems->pdata[2];
	assert_string_equal(problem->id, "profile");
	assert_int_equal(problem->level, MTW_LEVEL_WARNING);
	assert_true(g_str_has_suffix(problem->detail,
				     SYSTEM "nouveau.conf:2: there is no key Titel in a group "
					    "[Profile]"));
	/* Who asks for it by name must know. */
	assert_null(mtw_profile_find(root->paths, "nouveau", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
}

static void test_find(void **state)
{
	static const char *const wrong[] = {
		"nouveux", "", ".", "..", "../profiles/nouveau", "/etc/passwd", "nouveau.conf"
	};
	FakeRoot *root = *state;
	g_autoptr(MtwProfile) profile = mtw_profile_find(root->paths, "nouveau", NULL);

	assert_string_equal(profile->title, "shipped nouveau");
	assert_int_equal(profile->origin, MTW_PROFILE_SHIPPED);
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;
		assert_null(mtw_profile_find(root->paths, wrong[i], &error));
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
		assert_non_null(strstr(error->message, "generic, nouveau"));
	}
}

static void test_nothing_installed(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) profiles = NULL;
	g_autoptr(GPtrArray) problems = NULL;
	g_autoptr(GError) error = NULL;
	const MtwPciDevice device = { .vendor = 1 };

	fake_root_remove(root, "usr");
	profiles = mtw_profile_list(root->paths);
	problems = mtw_profile_problems(root->paths);
	assert_int_equal(profiles->len, 0);
	assert_int_equal(problems->len, 0);
	assert_null(mtw_profile_for(root->paths, &device));
	assert_null(mtw_profile_find(root->paths, "generic", &error));
	assert_non_null(strstr(error->message, "none"));
}

/* Among equals the administrator's is taken. */
static void test_for_equals(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwProfile) profile = NULL;
	const MtwPciDevice device = { .vendor = 0x10de, .class_code = 0x030000 };

	fake_root_put(root, SHIPPED "a.conf", "[Profile]\nTitle=a\n[Match]\nClass=03\n");
	fake_root_put(root, SYSTEM "z.conf", "[Profile]\nTitle=z\n[Match]\nClass=03\n");
	profile = mtw_profile_for(root->paths, &device);
	assert_string_equal(profile->id, "z");
	mtw_profile_free(g_steal_pointer(&profile));
	/* But a better one comes before it. */
	fake_root_put(root, SHIPPED "b.conf", "[Profile]\nTitle=b\n[Match]\nClass=0300\n");
	profile = mtw_profile_for(root->paths, &device);
	assert_string_equal(profile->id, "b");
}

/* In a process of its own, as user @uid. Returns: the title of the profile "nouveau" */
static char *title_as(FakeRoot *root, uid_t uid, const char *config)
{
	char title[64] = "";
	int ends[2], status;
	ssize_t got;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		g_autoptr(GPtrArray) profiles = NULL;
		if (config != NULL)
			g_setenv("XDG_CONFIG_HOME", config, TRUE);
		else
			g_unsetenv("XDG_CONFIG_HOME");
		if (uid != geteuid() && setresuid(uid, uid, uid) != 0)
			_exit(1);
		profiles = mtw_profile_list(root->paths);
		const char *text = find_in(profiles, "nouveau")->title;
		_exit(write(ends[1], text, strlen(text)) < 0);
	}
	close(ends[1]);
	got = read(ends[0], title, sizeof title - 1);
	close(ends[0]);
	waitpid(child, &status, 0);
	assert_true(got > 0 && status == 0);
	return g_strdup(title);
}

/* A user for whom there is an entry, and who is not root. */
static uid_t other_user(void)
{
	struct passwd *entry;

	if (geteuid() != 0)
		return geteuid();
	entry = getpwnam("nobody");
	return entry != NULL ? entry->pw_uid : 0;
}

static void test_user_folder(void **state)
{
	FakeRoot *root = *state;
	uid_t uid = other_user();
	g_autofree char *of_config = NULL;
	g_autofree char *of_relative = NULL;

	if (uid == 0)
		skip();
	put(root, SYSTEM, "nouveau", "of this machine");
	put(root, USER, "nouveau", "of the user");
	assert_int_equal(chmod(root->folder, 0755), 0);
	of_config = title_as(root, uid, CONFIG);
	assert_string_equal(of_config, "of the user");
	of_relative = title_as(root, uid, "config");
	assert_string_equal(of_relative, "of this machine");
}

static void test_home_folder(void **state)
{
	FakeRoot *root = *state;
	uid_t uid = other_user();
	struct passwd *entry = getpwuid(uid);
	g_autofree char *folder = NULL;
	g_autofree char *title = NULL;

	if (uid == 0 || entry == NULL)
		skip();
	folder = g_strconcat(entry->pw_dir, "/.config/mmiotrace-wizard/profiles/", NULL);
	put(root, folder, "nouveau", "of the user");
	assert_int_equal(chmod(root->folder, 0755), 0);
	g_setenv("HOME", entry->pw_dir, TRUE);
	title = title_as(root, uid, NULL);
	assert_string_equal(title, "of the user");
}

/* Root does not do what a user's file says, also not under sudo. */
static void test_root_reads_no_user(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *title = NULL;

	if (geteuid() != 0)
		skip();
	put(root, USER, "nouveau", "of the user");
	put(root, "root/.config/mmiotrace-wizard/profiles/", "nouveau", "of root");
	g_setenv("SUDO_UID", "65534", TRUE);
	title = title_as(root, 0, CONFIG);
	g_unsetenv("SUDO_UID");
	assert_string_equal(title, "shipped nouveau");
}

#define WITH_PROFILES(test) cmocka_unit_test_setup_teardown(test, setup, fake_root_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_PROFILES(test_list),	 WITH_PROFILES(test_broken),
		WITH_PROFILES(test_find),	 WITH_PROFILES(test_nothing_installed),
		WITH_PROFILES(test_for_equals),	 WITH_PROFILES(test_user_folder),
		WITH_PROFILES(test_home_folder), WITH_PROFILES(test_root_reads_no_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
