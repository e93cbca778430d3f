/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "submit/link.h"

#include <string.h>

static void test_safe(void **state)
{
	static const char *const safe[] = {
		"https://gitlab.freedesktop.org", "HTTPS://example.org/a?b=c#d",
		"http://127.0.0.1:18080/x",	  "https://[::1]:8443/",
		"https://example.org/@name",	  "https://example.org/?q=a@b",
	};
	static const char *const unsafe[] = {
		"",
		"example.org",
		"https:/example.org",
		"https:///example.org",
		"https://",
		"//example.org",
		"ftp://example.org",
		"file:///etc/passwd",
		"file://localhost/etc/passwd",
		"javascript://example.org/%0aalert(1)",
		"telnet://example.org",
		"dict://example.org",
		"https://user@example.org",
		"https://user:secret@example.org",
		"https://@example.org",
		"https://:@example.org",
		"https://example.org\\@evil.org",
		"https://example.org/a b",
		"https://example.org/\n",
		"https://example.org/\x1b[31m",
		"https://ex\xc3\xa4mple.org",
		"https://example.org:port",
		"https://example.org:99999",
		"https://exa%00mple.org",
		" https://example.org",
		"https://example.org/<b>",
		"https://example.org/\"x",
		"https://example.org/a\\b",
		"https://example.org/{x}",
		"x https://example.org",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(safe); i++)
		if (!mtw_url_is_safe(safe[i]))
			fail_msg("%s is safe", safe[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(unsafe); i++)
		if (mtw_url_is_safe(unsafe[i]))
			fail_msg("%s is not safe", unsafe[i]);
}

static void test_same_origin(void **state)
{
	(void)state;
	assert_true(mtw_url_same_origin("https://example.org/a", "HTTPS://EXAMPLE.ORG:443/b?c"));
	assert_true(mtw_url_same_origin("http://example.org", "http://example.org:80"));
	assert_true(mtw_url_same_origin("http://[::1]:81/", "http://[::1]:81/x"));
	assert_false(mtw_url_same_origin("https://example.org", "http://example.org"));
	assert_false(mtw_url_same_origin("https://example.org", "https://example.org:8443"));
	assert_false(mtw_url_same_origin("https://example.org", "https://www.example.org"));
	assert_false(mtw_url_same_origin("https://example.org", "https://example.org.evil.org"));
	assert_false(mtw_url_same_origin("https://example.org", "https://evil.org/@example.org"));
	assert_false(mtw_url_same_origin("x", "x"));
}

static void test_loopback(void **state)
{
	static const char *const here[] = {
		"http://localhost",
		"http://LOCALHOST:80/",
		"http://127.0.0.1/",
		"http://127.8.9.10/x",
		"https://[::1]/",
		"sftp://127.0.0.1:2222",
		/* How libcurl reads it, it is. */
		"http://2130706433/",
	};
	static const char *const elsewhere[] = {
		"http://example.org",
		"http://localhost.example.org",
		"http://127.0.0.1.nip.io",
		"http://128.0.0.1",
		"http://10.0.0.1",
		"http://[::2]",
		"http://0.0.0.0",
		"localhost",
		"http://x@example.org/localhost",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(here); i++)
		if (!mtw_url_is_loopback(here[i]))
			fail_msg("%s is this computer", here[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(elsewhere); i++)
		if (mtw_url_is_loopback(elsewhere[i]))
			fail_msg("%s is not this computer", elsewhere[i]);
}

typedef struct {
	const char *text, *kind, *base, *project, *number, *url;
} Known;

static void assert_link(const Known *known, const GPtrArray *targets)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwLink) link = mtw_link_parse(known->text, targets, &error);

	if (link == NULL)
		fail_msg("%s: %s", known->text, error->message);
	assert_string_equal(link->kind, known->kind);
	assert_string_equal(link->base, known->base);
	assert_string_equal(link->project, known->project);
	assert_string_equal(link->number, known->number);
	assert_string_equal(link->url, known->url);
}

#define GITLAB "https://gitlab.freedesktop.org"
#define NOUVEAU_12 GITLAB "/drm/nouveau/-/issues/12"
#define KERNEL "https://bugzilla.kernel.org"

static void test_parse(void **state)
{
	static const Known known[] = {
		{ NOUVEAU_12, "gitlab", GITLAB, "drm/nouveau", "12", NOUVEAU_12 },
		{ "  " NOUVEAU_12 "?x=y#note_345 \n", "gitlab", GITLAB, "drm/nouveau", "12",
		  NOUVEAU_12 },
		{ GITLAB "/a/b/c/-/work_items/7/", "gitlab", GITLAB, "a/b/c", "7",
		  GITLAB "/a/b/c/-/work_items/7" },
		{ GITLAB "/a/b/-/issues/incident/7", "gitlab", GITLAB, "a/b", "7",
		  GITLAB "/a/b/-/issues/incident/7" },
		{ KERNEL "/show_bug.cgi?id=215001#c4", "bugzilla", KERNEL, "", "215001",
		  KERNEL "/show_bug.cgi?id=215001" },
		{ "https://example.org/bugs/show_bug.cgi?format=x&id=5", "bugzilla",
		  "https://example.org/bugs", "", "5",
		  "https://example.org/bugs/show_bug.cgi?id=5" },
		{ "https://example.org/redmine/issues/34?tab=notes", "redmine",
		  "https://example.org/redmine", "", "34",
		  "https://example.org/redmine/issues/34" },
		{ "http://127.0.0.1:13000/issues/34", "redmine", "http://127.0.0.1:13000", "", "34",
		  "http://127.0.0.1:13000/issues/34" },
		{ "https://rt.example.org/Ticket/Display.html?id=9", "rt", "https://rt.example.org",
		  "", "9", "https://rt.example.org/Ticket/Display.html?id=9" },
		{ "https://example.org/rt/SelfService/Display.html?id=9", "rt",
		  "https://example.org/rt", "", "9",
		  "https://example.org/rt/SelfService/Display.html?id=9" },
		{ "https://codeberg.org/owner/repo/issues/3", "gitea", "https://codeberg.org",
		  "owner/repo", "3", "https://codeberg.org/owner/repo/issues/3" },
		{ "https://github.com/owner/repo/issues/3#issuecomment-1", "github-link",
		  "https://github.com", "owner/repo", "3",
		  "https://github.com/owner/repo/issues/3" },
		{ "https://bugs.launchpad.net/ubuntu/+source/linux/+bug/55", "launchpad",
		  "https://launchpad.net", "ubuntu/+source/linux", "55",
		  "https://bugs.launchpad.net/ubuntu/+source/linux/+bug/55" },
		{ "https://launchpad.net/bugs/55", "launchpad", "https://launchpad.net", "", "55",
		  "https://launchpad.net/bugs/55" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
		assert_link(&known[i], NULL);
}

static void test_no_link(void **state)
{
	static const char *const wrong[] = {
		"",
		"12",
		"#12",
		"gitlab.freedesktop.org/drm/nouveau/-/issues/12",
		"https://gitlab.freedesktop.org",
		"https://gitlab.freedesktop.org/drm/nouveau",
		"https://gitlab.freedesktop.org/drm/nouveau/-/issues",
		"https://gitlab.freedesktop.org/drm/nouveau/-/issues/new",
		"https://gitlab.freedesktop.org/drm/nouveau/-/issues/12x",
		"https://gitlab.freedesktop.org/drm/nouveau/-/issues/-12",
		"https://gitlab.freedesktop.org/drm/nouveau/-/merge_requests/12",
		"https://gitlab.freedesktop.org/drm/nouveau/-/issues/1234567890123456789",
		"https://bugzilla.kernel.org/show_bug.cgi",
		"https://bugzilla.kernel.org/show_bug.cgi?id=alias",
		"https://bugzilla.kernel.org/show_bug.cgi?xid=1",
		"https://bugzilla.kernel.org/215001",
		"https://launchpad.net.evil.org/bugs/55",
		"https://github.com/owner/issues/3/4",
		"ftp://example.org/issues/3",
		"https://example.org/issues/3\nhttps://example.org",
		"https://example.org/issues/\xc2\xb2",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(MtwLink) link = mtw_link_parse(wrong[i], NULL, &error);
		if (link != NULL)
			fail_msg("%s is %s", wrong[i], link->url);
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_USAGE));
		assert_non_null(strstr(error->message, "/-/issues/123"));
		assert_null(strchr(error->message, '\n'));
	}
}

/* A password that was pasted with an address is not in the message. */
static void test_no_secret_shown(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(mtw_link_parse("https://alice:sesame@example.org/issues/3", NULL, &error));
	assert_null(strstr(error->message, "sesame"));
}

static void add_target(GPtrArray *targets, const char *id, const char *kind, const char *url,
		       const char *project)
{
	g_autofree char *text = g_strdup_printf("[Target]\nKind=%s\nURL=%s\n%s%s\n", kind, url,
						project[0] != '\0' ? "Project=" : "", project);
	const char *const texts[] = { text, NULL };
	MtwTarget *target = mtw_target_parse(id, texts, NULL, NULL, NULL);

	assert_non_null(target);
	g_ptr_array_add(targets, target);
}

static GPtrArray *some_targets(void)
{
	GPtrArray *targets = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_target_free);

	add_target(targets, "git", "gitea", "https://example.org/git", "owner/repo");
	add_target(targets, "kernel", "bugzilla", KERNEL, "");
	add_target(targets, "lab", "gitlab", "https://example.org/lab", "group/project");
	add_target(targets, "mine", "redmine", "https://mine.example.org/a/b", "x");
	add_target(targets, "nouveau", "gitlab", GITLAB, "drm/nouveau");
	add_target(targets, "nova", "gitlab", GITLAB, "drm/nova");
	add_target(targets, "root", "gitlab", "https://example.org", "x/y");
	add_target(targets, "stick", "redmine", "https://mine.example.org", "x");
	return targets;
}

/* What looks alike is told apart by the targets that there are. */
static void test_targets_decide(void **state)
{
	static const Known known[] = {
		{ "https://example.org/git/owner/repo/issues/3", "gitea", "https://example.org/git",
		  "owner/repo", "3", "https://example.org/git/owner/repo/issues/3" },
		{ "https://example.org/lab/group/project/-/issues/3", "gitlab",
		  "https://example.org/lab", "group/project", "3",
		  "https://example.org/lab/group/project/-/issues/3" },
		/* GitLab's own form of old. */
		{ GITLAB "/drm/nouveau/issues/3", "gitlab", GITLAB, "drm/nouveau", "3",
		  GITLAB "/drm/nouveau/issues/3" },
		{ "https://mine.example.org/a/b/issues/3", "redmine",
		  "https://mine.example.org/a/b", "", "3",
		  "https://mine.example.org/a/b/issues/3" },
		{ "https://mine.example.org/issues/3", "redmine", "https://mine.example.org", "",
		  "3", "https://mine.example.org/issues/3" },
		{ KERNEL "/215001", "bugzilla", KERNEL, "", "215001", KERNEL "/215001" },
		/* Typed without the "s": it is the same server, and the target's way to it is taken. */
		{ "http://bugzilla.kernel.org/show_bug.cgi?id=5", "bugzilla", KERNEL, "", "5",
		  KERNEL "/show_bug.cgi?id=5" },
		{ "https://bugzilla.kernel.org.evil.org/show_bug.cgi?id=5", "bugzilla",
		  "https://bugzilla.kernel.org.evil.org", "", "5",
		  "https://bugzilla.kernel.org.evil.org/show_bug.cgi?id=5" },
	};
	g_autoptr(GPtrArray) targets = some_targets();

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
		assert_link(&known[i], targets);
}

static void assert_target(const char *text, const GPtrArray *targets, const char *id)
{
	g_autoptr(MtwLink) link = mtw_link_parse(text, targets, NULL);
	const MtwTarget *target = mtw_link_target(link, targets);

	if (id == NULL) {
		assert_null(target);
		return;
	}
	assert_non_null(target);
	assert_string_equal(target->id, id);
}

static void test_target(void **state)
{
	g_autoptr(GPtrArray) targets = some_targets();

	(void)state;
	assert_target(NOUVEAU_12, targets, "nouveau");
	assert_target(GITLAB "/drm/nova/-/issues/1", targets, "nova");
	assert_target(GITLAB "/mesa/mesa/-/issues/1", targets, "nouveau");
	assert_target("https://mine.example.org/a/b/issues/3", targets, "mine");
	assert_target("http://bugzilla.kernel.org/show_bug.cgi?id=5", targets, "kernel");
	assert_target("https://gitlab.example.org/a/b/-/issues/1", targets, NULL);
	assert_target("http://bugzilla.kernel.org:443/show_bug.cgi?id=5", targets, NULL);
	add_target(targets, "hub", "github-link", "https://api.github.com", "a/b");
	add_target(targets, "pad", "launchpad", "https://bugs.launchpad.net", "linux");
	assert_target("https://github.com/o/r/issues/1", targets, "hub");
	assert_target("https://bugs.launchpad.net/bugs/1", targets, "pad");
	assert_target("https://launchpad.net/linux/+bug/1", targets, "pad");
	/* Never a target without TLS for an address with it. */
	g_ptr_array_set_size(targets, 0);
	add_target(targets, "plain", "bugzilla", "http://bugzilla.kernel.org", "");
	assert_target(KERNEL "/show_bug.cgi?id=5", targets, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_safe),	       cmocka_unit_test(test_same_origin),
		cmocka_unit_test(test_loopback),       cmocka_unit_test(test_parse),
		cmocka_unit_test(test_no_link),	       cmocka_unit_test(test_no_secret_shown),
		cmocka_unit_test(test_targets_decide), cmocka_unit_test(test_target),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
