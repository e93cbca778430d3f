/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where targets come from, and who may not put one there. */
#include "test-submit-target-data.h"

#include "fake-root.h"

#include "base/error.h"

#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHIPPED "usr/share/targets.d/"
#define SYSTEM "etc/mmiotrace-wizard/targets.d/"
#define CONFIG "/config"
#define USER "config/mmiotrace-wizard/targets.d/"

static int setup(void **state)
{
	FakeRoot *root = fake_root_new();
	g_autofree char *data = fake_root_path(root, "usr/share");

	mtw_paths_set(root->paths, MTW_PATH_DATA, data);
	g_unsetenv("XDG_CONFIG_HOME");
	g_setenv("HOME", "/nowhere", TRUE);
	fake_root_put(root, SHIPPED "one.conf", GOOD "Name=shipped\nBodyFile=body.md\n");
	fake_root_put(root, SHIPPED "body.md", "shipped @DEVICE@\n");
	fake_root_put(root, SHIPPED "two.conf", GOOD "Enabled=false\n");
	*state = root;
	return 0;
}

static const MtwTarget *find_in(const GPtrArray *targets, const char *id)
{
	for (guint i = 0; i < targets->len; i++) {
		const MtwTarget *target = targets->pdata[i];
		if (g_str_equal(target->id, id))
			return target;
	}
	return NULL;
}

static void test_list(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(GPtrArray) targets = NULL;

	fake_root_put(root, SYSTEM "two.conf", "[Target]\nEnabled=true\n");
	fake_root_put(root, SYSTEM "a-3.conf", GOOD);
	/* Not targets. */
	fake_root_put(root, SYSTEM "README", "text");
	fake_root_put(root, SYSTEM ".hidden.conf", "text");
	fake_root_put(root, SYSTEM "a.conf~", "text");
	targets = mtw_target_list(root->paths, problems);
	assert_int_equal(problems->len, 0);
	assert_int_equal(targets->len, 3);
	assert_string_equal(((const MtwTarget *)targets->pdata[0])->id, "a-3");
	assert_true(find_in(targets, "two")->enabled);
	assert_int_equal(find_in(targets, "two")->paths->len, 2);
	assert_true(g_str_has_suffix(find_in(targets, "two")->paths->pdata[1], SYSTEM "two.conf"));
	assert_string_equal(find_in(targets, "one")->name, "shipped");
	assert_string_equal(find_in(targets, "one")->body, "shipped @DEVICE@\n");
}

/* The text of a target is looked for where the key stands. */
static void test_body_file(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwTarget) kept = NULL;
	g_autoptr(MtwTarget) own = NULL;
	g_autoptr(MtwTarget) missing = NULL;

	fake_root_put(root, SYSTEM "body.md", "of the machine\n");
	fake_root_put(root, SYSTEM "one.conf", "[Target]\nName=x\n");
	kept = mtw_target_find(root->paths, "one", NULL);
	assert_string_equal(kept->body, "shipped @DEVICE@\n");
	fake_root_put(root, SYSTEM "one.conf", "[Target]\nBodyFile=body.md\n");
	own = mtw_target_find(root->paths, "one", NULL);
	assert_string_equal(own->body, "of the machine\n");
	fake_root_remove(root, SYSTEM "body.md");
	missing = mtw_target_find(root->paths, "one", NULL);
	assert_false(missing->enabled);
	assert_non_null(strstr(missing->disabled_why, SYSTEM "one.conf:2: BodyFile: "));
}

static void assert_body_refused(FakeRoot *root, const char *name, const char *why)
{
	g_autofree char *text = g_strdup_printf("[Target]\nBodyFile=%s\n", name);
	g_autoptr(MtwTarget) target = NULL;

	fake_root_put(root, SYSTEM "one.conf", text);
	target = mtw_target_find(root->paths, "one", NULL);
	if (target->enabled || strstr(target->disabled_why, why) == NULL)
		fail_msg("%s: %s, not %s", name,
			 target->enabled ? "was taken" : target->disabled_why, why);
}

static void test_bad_body(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *fifo = fake_root_path(root, SYSTEM "fifo");
	g_autofree char *long_text = g_strnfill(64 * 1024 + 1, 'x');

	fake_root_put(root, SYSTEM "place", "one\ntwo @PLACE@\n");
	fake_root_put(root, SYSTEM "block", "x: @DESCRIPTION@\n");
	fake_root_put(root, SYSTEM "latin", "\xe4\n");
	fake_root_put(root, SYSTEM "escape", "\x1b[31m\n");
	fake_root_put_bytes(root, SYSTEM "nul", "a\0b\n", 4);
	fake_root_put(root, SYSTEM "long", long_text);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_body_refused(root, "../one.conf", "the name of a file");
	assert_body_refused(root, "/etc/passwd", "the name of a file");
	assert_body_refused(root, "..", "the name of a file");
	assert_body_refused(root, ".hidden", "the name of a file");
	assert_body_refused(root, "place", SYSTEM "place:2: there is no place @PLACE@");
	assert_body_refused(root, "block", "nothing else may be in its line");
	assert_body_refused(root, "latin", "plain text");
	assert_body_refused(root, "escape", "plain text");
	assert_body_refused(root, "nul", "plain text");
	assert_body_refused(root, "long", "BodyFile: ");
	assert_body_refused(root, "fifo", "BodyFile: ");
}

/* A file that is no good takes its target away: what stands below it is not what was wanted. */
static void test_broken(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(GPtrArray) targets = NULL;
	g_autoptr(GError) error = NULL;

	fake_root_put(root, SYSTEM "one.conf", "[Target\n");
	fake_root_put(root, SYSTEM "two.conf", "[Target]\nURL=nowhere\n");
	fake_root_put(root, SYSTEM "Big.conf", GOOD);
	fake_root_put(root, SYSTEM "a.b.conf", GOOD);
	fake_root_put(root, SYSTEM "folder.conf/x", "");
	fake_root_link(root, SYSTEM "gone.conf", "nothing");
	fake_root_put(root, SYSTEM "good.conf", GOOD);
	targets = mtw_target_list(root->paths, problems);
	assert_null(find_in(targets, "one"));
	assert_false(find_in(targets, "two")->enabled);
	assert_true(find_in(targets, "good")->enabled);
	for (guint i = 0; i < problems->len; i++)
		assert_int_equal(((const MtwMessage *)problems->pdata[i])->level,
				 MTW_LEVEL_WARNING);
	assert_null(mtw_target_find(root->paths, "one", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	assert_non_null(strstr(error->message, SYSTEM "one.conf:1: "));
	assert_int_equal(problems->len, 6);
}

static void test_find(void **state)
{
	static const char *const wrong[] = {
		"onee", "", ".", "..", "../targets.d/one", "one.conf"
	};
	FakeRoot *root = *state;

	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;
		assert_null(mtw_target_find(root->paths, wrong[i], &error));
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
		assert_non_null(strstr(error->message, "one, two"));
	}
}

/* What another target is needed for is there. */
static void test_references(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(GPtrArray) targets = NULL;

	fake_root_put(root, SYSTEM "a.conf", GOOD "OnTooBig=fallback:gone\n");
	fake_root_put(root, SYSTEM "b.conf", GOOD "OnTooBig=fallback:two\n");
	fake_root_put(root, SYSTEM "c.conf", GOOD "Store=gone\n");
	fake_root_put(root, SYSTEM "d.conf", GOOD "Store=two\n");
	targets = mtw_target_list(root->paths, problems);
	assert_true(find_in(targets, "a")->enabled && find_in(targets, "b")->enabled);
	assert_false(find_in(targets, "c")->enabled);
	assert_true(find_in(targets, "d")->enabled);
	assert_int_equal(problems->len, 2);
}

/* A new file, over what is there. */
static void test_load(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "home/one.conf");
	g_autofree char *shipped = fake_root_path(root, SHIPPED "one.conf");
	g_autofree char *bad_name = fake_root_path(root, "home/One.conf");
	g_autoptr(MtwTarget) over = NULL;
	g_autoptr(MtwTarget) same = NULL;
	g_autoptr(GError) error = NULL;

	fake_root_put(root, "home/one.conf", "[Target]\nLabels=new\n");
	fake_root_put(root, "home/One.conf", GOOD);
	over = mtw_target_load(root->paths, path, NULL, NULL);
	assert_usable(over);
	assert_string_equal(over->name, "shipped");
	assert_string_equal(over->labels[0], "new");
	same = mtw_target_load(root->paths, shipped, NULL, NULL);
	assert_int_equal(same->paths->len, 1);
	assert_null(mtw_target_load(root->paths, bad_name, NULL, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	g_clear_error(&error);
	assert_null(mtw_target_load(root->paths, "/nowhere/x.conf", NULL, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
}

static void test_nothing_installed(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(GPtrArray) targets = NULL;

	fake_root_remove(root, "usr");
	targets = mtw_target_list(root->paths, problems);
	assert_int_equal(targets->len, 0);
	assert_int_equal(problems->len, 0);
}

/* In a process of its own, as user @uid with that home. Returns: the name of the target "one" */
static char *name_as(FakeRoot *root, uid_t uid, const char *config)
{
	char name[64] = "";
	int ends[2], status;
	ssize_t got;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		g_autoptr(MtwTarget) target = NULL;
		if (config != NULL)
			g_setenv("XDG_CONFIG_HOME", config, TRUE);
		if (uid != geteuid() && setresuid(uid, uid, uid) != 0)
			_exit(1);
		target = mtw_target_find(root->paths, "one", NULL);
		_exit(write(ends[1], target->name, strlen(target->name)) < 0);
	}
	close(ends[1]);
	got = read(ends[0], name, sizeof name - 1);
	close(ends[0]);
	waitpid(child, &status, 0);
	assert_true(got > 0 && status == 0);
	return g_strdup(name);
}

static void assert_name_as(FakeRoot *root, uid_t uid, const char *config, const char *wanted)
{
	g_autofree char *name = name_as(root, uid, config);

	assert_string_equal(name, wanted);
}

static void test_user_folder(void **state)
{
	FakeRoot *root = *state;
	const struct passwd *entry = getpwnam("nobody");
	uid_t uid = geteuid() != 0 ? geteuid() : entry != NULL ? entry->pw_uid : 0;

	if (uid == 0)
		skip();
	fake_root_put(root, SYSTEM "one.conf", "[Target]\nName=of this machine\n");
	fake_root_put(root, USER "one.conf", "[Target]\nName=of the user\n");
	assert_int_equal(chmod(root->folder, 0755), 0);
	assert_name_as(root, uid, CONFIG, "of the user");
	assert_name_as(root, uid, "config", "of this machine");
}

/* Root reads its own folder, if it is nobody else's, and none when it works for somebody. */
static void test_root(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *folder = fake_root_path(root, USER);
	const struct passwd *nobody = getpwuid(65534);

	if (geteuid() != 0)
		skip();
	fake_root_put(root, USER "one.conf", "[Target]\nName=of root\n");
	assert_int_equal(chmod(folder, 0755), 0);
	assert_name_as(root, 0, CONFIG, "of root");
	/* Not even what stands in that person's home. */
	g_setenv("SUDO_UID", "65534", TRUE);
	if (nobody != NULL) {
		g_autofree char *home = g_strconcat(
			nobody->pw_dir, "/.config/mmiotrace-wizard/targets.d/one.conf", NULL);
		fake_root_put(root, home, "[Target]\nName=of nobody\n");
	}
	assert_name_as(root, 0, CONFIG, "shipped");
	g_unsetenv("SUDO_UID");
	assert_int_equal(chmod(folder, 0777), 0);
	assert_name_as(root, 0, CONFIG, "shipped");
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(chown(folder, 65534, 65534), 0);
	assert_name_as(root, 0, CONFIG, "shipped");
}

#define WITH_TARGETS(test) cmocka_unit_test_setup_teardown(test, setup, fake_root_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_TARGETS(test_list),	WITH_TARGETS(test_body_file),
		WITH_TARGETS(test_bad_body),	WITH_TARGETS(test_broken),
		WITH_TARGETS(test_find),	WITH_TARGETS(test_references),
		WITH_TARGETS(test_load),	WITH_TARGETS(test_nothing_installed),
		WITH_TARGETS(test_user_folder), WITH_TARGETS(test_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
