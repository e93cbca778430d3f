/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which addresses and credentials go together, and that no secret is in a file. */
#include "test-submit-target-data.h"

#include "base/error.h"

typedef struct {
	const char *kind, *text, *why; /* why: NULL: it is good */
} Case;

static void check(const Case *one)
{
	g_autofree char *text = g_strdup_printf("[Target]\nKind=%s\n%s\n", one->kind, one->text);
	g_autoptr(MtwTarget) target = parse_one(text, NULL);

	if (one->why == NULL && !target->enabled)
		fail_msg("%s: %s", one->text, target->disabled_why);
	if (one->why != NULL && (target->enabled || strstr(target->disabled_why, one->why) == NULL))
		fail_msg("%s: %s, not %s", one->text,
			 target->enabled ? "was taken" : target->disabled_why, one->why);
}

static void test_schemes(void **state)
{
	static const Case cases[] = {
		{ "put", "URL=https://example.org/x", NULL },
		{ "put", "URL=sftp://example.org/x", "sftp:// is not for Kind=put" },
		{ "put", "URL=smtp://example.org", "smtp:// is not for Kind=put" },
		{ "put", "URL=ftp://example.org", "ftp: is not taken" },
		{ "put", "URL=file:///etc/passwd", "URL is an address" },
		{ "put", "URL=file://localhost/etc/passwd", "URL is an address" },
		{ "put", "URL=telnet://example.org", "telnet: is not taken" },
		{ "put", "URL=dict://example.org/x", "dict: is not taken" },
		{ "put", "URL=scp://example.org/x", "scp: is not taken" },
		{ "put", "URL=example.org", "URL is an address" },
		{ "put", "URL=https:///x", "URL is an address" },
		{ "put", "URL=https://example.org/a b", "URL is an address" },
		{ "put", "URL=https://example.org/a\\nb", "URL is one line" },
		{ "put", "URL=https://example.org/?x=y", "no \"?\" in it" },
		{ "put", "URL=https://example.org/#x", "no \"#\" in it" },
		{ "sftp", "URL=sftp://example.org/x", NULL },
		{ "sftp", "URL=https://example.org/x", "https:// is not for Kind=sftp" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		check(&cases[i]);
}

/* Without TLS: on this computer, or when it is said twice and nothing is to be stolen. */
static void test_plain(void **state)
{
	static const Case cases[] = {
		{ "put", "URL=http://127.0.0.1:8080\nAuth=basic", NULL },
		{ "put", "URL=http://[::1]:8080\nAuth=bearer", NULL },
		{ "put", "URL=http://localhost\nAuth=none", NULL },
		{ "put", "URL=http://example.org\nAuth=none", ":3: URL: http:// is not encrypted" },
		{ "put", "URL=http://127.0.0.1.example.org\nAuth=none",
		  "http:// is not encrypted" },
		{ "put", "URL=http://localhost.example.org\nAuth=none",
		  "http:// is not encrypted" },
		{ "put", "URL=http://example.org\nAuth=none\n[Network]\nPlainHTTP=true", NULL },
		{ "put", "URL=http://example.org\nAuth=basic\n[Network]\nPlainHTTP=true",
		  "no credentials go there" },
		{ "gitlab", "URL=http://example.org\nProject=a/b\n[Network]\nPlainHTTP=true",
		  "no credentials go there" },
		{ "put", "URL=http://example.org\nAuth=none\n[Network]\nPlainHTTP=false",
		  "http:// is not encrypted" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		check(&cases[i]);
}

static void test_auth_by_kind(void **state)
{
	static const struct {
		const char *text;
		MtwAuth auth;
		const char *name;
	} cases[] = {
		{ "Kind=gitlab\nURL=https://x.org\nProject=a/b", MTW_AUTH_BEARER, "" },
		{ "Kind=bugzilla\nURL=https://x.org\nProduct=a\nComponent=b", MTW_AUTH_JSON,
		  "Bugzilla_api_key" },
		{ "Kind=redmine\nURL=https://x.org\nProject=a", MTW_AUTH_HEADER,
		  "X-Redmine-API-Key" },
		{ "Kind=rt\nURL=https://x.org\nQueue=a", MTW_AUTH_HEADER, "Authorization" },
		{ "Kind=put\nURL=https://x.org", MTW_AUTH_NONE, "" },
		{ "Kind=webdav\nURL=https://x.org", MTW_AUTH_BASIC, "" },
		{ "Kind=sftp\nURL=sftp://x.org", MTW_AUTH_SSH, "" },
		{ "Kind=sftp\nURL=sftp://x.org\nAuth=basic", MTW_AUTH_BASIC, "" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = g_strdup_printf("[Target]\n%s\n", cases[i].text);
		g_autoptr(MtwTarget) target = parse_one(text, NULL);
		assert_usable(target);
		assert_int_equal(target->auth, cases[i].auth);
		assert_string_equal(target->auth_name, cases[i].name);
	}
}

/* What the kind cannot do without. */
static void test_kind_check(void **state)
{
	static const Case cases[] = {
		{ "gitlab", "URL=https://example.org", "Project" },
		{ "gitlab", "Project=a/b", "URL" },
		{ "bugzilla", "URL=https://example.org\nProduct=a", "Component" },
		{ "gitea", "URL=https://example.org\nProject=a", "owner/repository" },
		{ "gitlab", "URL=https://example.org\nProject=a/../b", "Project is names" },
		{ "gitlab", "URL=https://example.org\nProject=/a", "Project is names" },
		{ "gitlab", "URL=https://example.org\nProject=a?b", "Project is names" },
		{ "gitlab", "URL=https://example.org\nProject=a%2fb", "Project is names" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		check(&cases[i]);
}

/* Each is refused as a whole, at its line, without the secret in the message. */
static void test_secrets(void **state)
{
	static const char *const lines[] = {
		"Token=sesame",
		"AccessToken=sesame",
		"Password=sesame",
		"passwd=sesame",
		"PASSPHRASE=sesame",
		"ApiKey=sesame",
		"Secret=sesame",
		"ClientSecret=sesame",
		"PrivateKey=sesame",
		"Key=sesame",
		"Pass=sesame",
		"Pwd=sesame",
		"Credentials=sesame",
		"Cookie=sesame",
		"Authorization=sesame",
		"Password[de]=sesame",
		"URL=https://alice:sesame@example.org",
		"URL=https://sesame@example.org",
		"HelpURI=https://example.org/?private_token=sesame",
		"Colour=see https://x.org and https://a:sesame@example.org/",
		"URL=https://b.s3.example.org/x?X-Amz-Date=1&X-Amz-Signature=sesame",
		"URL=https://x.org/?sig=1&access_token=sesame",
		"URL=sftp://sesame@example.org",
		"# x\n[Network]\nToken=sesame",
		"[Other]\nPassword=sesame",
		"[Other x]\nTokenHelpURI=sesame",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autofree char *text = g_strdup_printf("[Target]\nKind=file\n%s\n", lines[i]);
		const char *const texts[] = { text, NULL };
		g_autoptr(GPtrArray) problems = mtw_messages_new();
		g_autoptr(GError) error = NULL;
		if (mtw_target_parse("test", texts, NULL, problems, &error) != NULL)
			fail_msg("%s was taken", lines[i]);
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
		assert_true(g_str_has_prefix(error->message, "test.conf:"));
		assert_non_null(strstr(error->message, "must not be in this file"));
		assert_null(strstr(error->message, "sesame"));
		assert_int_equal(problems->len, 0);
	}
}

/* Also in a file that another one overrides, and when the message is about something else. */
static void test_secret_anywhere(void **state)
{
	static const char *const overridden[] = {
		GOOD "Password=sesame\n",
		"[Target]\nPassword=\n",
		NULL,
	};
	static const char *const wrong[] = {
		"Auth=bearer sesame",
		"Auth=header:X sesame",
		"URL=https://example.org/se same",
		"URL=sesame",
	};
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(mtw_target_parse("test", overridden, NULL, NULL, &error));
	assert_non_null(strstr(error->message, ":5: Password"));
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autofree char *text = g_strdup_printf("[Target]\nKind=put\n%s\n", wrong[i]);
		g_autoptr(MtwTarget) target = parse_one(text, NULL);
		assert_off(target, "test.conf:3: ");
		assert_null(strstr(target->disabled_why, "sesame"));
	}
}

/* These only sound like one. */
static void test_no_secret(void **state)
{
	g_autoptr(MtwTarget) target =
		parse_one(GOOD "TokenHelpURI=https://example.org/userprefs.cgi?tab=apikey\n"
			       "HelpURI=https://example.org/@name/x\n"
			       "[Network]\nPinnedPubkey=sha256//" HASH64 "\nHostKeySHA256=" HASH43
			       "\nKnownHosts=/x\n",
			  NULL);

	(void)state;
	assert_usable(target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schemes),	     cmocka_unit_test(test_plain),
		cmocka_unit_test(test_auth_by_kind), cmocka_unit_test(test_kind_check),
		cmocka_unit_test(test_secrets),	     cmocka_unit_test(test_secret_anywhere),
		cmocka_unit_test(test_no_secret),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
