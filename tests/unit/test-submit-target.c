/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-submit-target-data.h"

#include "base/error.h"
#include "base/json.h"

/* Every key that there is. */
static const char all_keys[] = "[Target]\n"
			       "Name=A name\n"
			       "Name[xx]=Another name\n"
			       "Kind=gitlab\n"
			       "Enabled=true\n"
			       "URL=https://Example.org:8443/lab/\n"
			       "Project=group/sub/project\n"
			       "Product=Drivers\n"
			       "Component=Video(Other)\n"
			       "Version=2.5\n"
			       "Tracker=Bug\n"
			       "Queue=General\n"
			       "Store=other-1\n"
			       "From=alice@example.org\n"
			       "To=mmio.dumps+x@mail.example.org\n"
			       "User=alice@example.org\n"
			       "Labels=mmiotrace;a b\n"
			       "Match=pci:10de:*:03*;driver:nouveau\n"
			       "FileTypes=.tar.gz;.tar.xz\n"
			       "Visibility=restricted\n"
			       "PrivacyURI=https://example.org/privacy\n"
			       "HelpURI=http://example.org/help?tab=x#y\n"
			       "TokenHelpURI=https://example.org/token\n"
			       "Auth=header:PRIVATE-TOKEN\n"
			       "MaxSize=104857600\n"
			       "OnTooBig=split;fallback:file;recompress;save\n"
			       "Title=@PCIID@ of @NICK@\n"
			       "Duplicate=none\n"
			       "Confidential=true\n"
			       "PartFile=true\n"
			       "[Network]\n"
			       "TLSMin=1.3\n"
			       "CAFile=/etc/ssl/own.pem\n"
			       "PinnedPubkey=sha256//" HASH64 ";sha256//" HASH64 "\n"
			       "HostKeySHA256=SHA256:" HASH43 "\n"
			       "KnownHosts=/etc/ssh/known\n"
			       "AllowRedirectHosts=a.example.org;b.example.org\n"
			       "PlainHTTP=true\n"
			       "ConnectTimeout=5\n"
			       "LowSpeed=0\n"
			       "LowSpeedTime=10\n"
			       "Retries=0\n"
			       "RetryCap=20\n"
			       "ChunkSize=65536\n";

static void assert_list(char **list, const char *wanted)
{
	g_autofree char *text = g_strjoinv("|", list);

	assert_string_equal(text, wanted);
}

static void assert_network(const MtwTargetNetwork *network)
{
	assert_true(network->tls13 && network->plain_http);
	assert_string_equal(network->ca_file, "/etc/ssl/own.pem");
	assert_string_equal(network->pinned_pubkey, "sha256//" HASH64 ";sha256//" HASH64);
	assert_string_equal(network->host_key_sha256, HASH43);
	assert_string_equal(network->known_hosts, "/etc/ssh/known");
	assert_list(network->redirect_hosts, "a.example.org|b.example.org");
	assert_int_equal(network->connect_timeout_sec, 5);
	assert_int_equal(network->low_speed_bytes, 0);
	assert_int_equal(network->low_speed_sec, 10);
	assert_int_equal(network->retries, 0);
	assert_int_equal(network->retry_cap_sec, 20);
	assert_int_equal(network->chunk_bytes, 65536);
}

static void test_all_keys(void **state)
{
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(MtwTarget) target = parse_one(all_keys, problems);

	(void)state;
	assert_usable(target);
	assert_int_equal(problems->len, 0);
	assert_string_equal(target->id, "test");
	assert_string_equal(target->name, "A name");
	assert_string_equal(target->kind, "gitlab");
	assert_string_equal(target->url, "https://Example.org:8443/lab");
	assert_string_equal(target->host, "example.org");
	assert_string_equal(target->project, "group/sub/project");
	assert_string_equal(target->component, "Video(Other)");
	assert_string_equal(target->store, "other-1");
	assert_string_equal(target->to, "mmio.dumps+x@mail.example.org");
	assert_list(target->labels, "mmiotrace|a b");
	assert_list(target->file_types, ".tar.gz|.tar.xz");
	assert_int_equal(target->visibility, MTW_VISIBILITY_RESTRICTED);
	assert_int_equal(target->auth, MTW_AUTH_HEADER);
	assert_string_equal(target->auth_name, "PRIVATE-TOKEN");
	assert_int_equal(target->max_bytes, 104857600);
	assert_int_equal(target->too_big->len, 4);
	assert_int_equal(g_array_index(target->too_big, MtwTooBig, 0), MTW_TOO_BIG_SPLIT);
	assert_int_equal(g_array_index(target->too_big, MtwTooBig, 1), MTW_TOO_BIG_FALLBACK);
	assert_string_equal(target->fallback, "file");
	assert_string_equal(target->title, "@PCIID@ of @NICK@");
	assert_false(target->search_duplicates);
	assert_true(target->confidential && target->parts);
	assert_network(&target->network);
}

static void assert_names(const char *language, const char *const *texts, const char *name,
			 const char *plain)
{
	g_autoptr(MtwTarget) target = NULL;
	g_autoptr(JsonObject) json = NULL;

	g_setenv("LC_ALL", "C.UTF-8", TRUE);
	g_setenv("LANGUAGE", language, TRUE);
	target = mtw_target_parse("test", texts, NULL, NULL, NULL);
	json = mtw_target_to_json(target);
	g_setenv("LANGUAGE", "", TRUE);
	assert_usable(target);
	assert_string_equal(target->name, name);
	assert_string_equal(target->name_plain, plain);
	assert_string_equal(mtw_json_string(json, "name", ""), plain);
}

/* People read it in their language, or else as it is; programs as it is. */
static void test_language(void **state)
{
	static const char named[] = GOOD "Name=plain\nName[de]=de\nName[de_AT]=at\n";
	static const char *const one[] = { named, NULL };
	static const char *const renamed[] = { named, "[Target]\nName=other\n", NULL };
	static const char *const added[] = { named, "[Target]\nName[ko]=ko\n", NULL };
	static const char *const emptied[] = { named, "[Target]\nName=\nName[de]=\n", NULL };
	static const char *const alone[] = { GOOD "Name[de]=de\n", NULL };

	(void)state;
	assert_names("", one, "plain", "plain");
	assert_names("de_DE.UTF-8", one, "de", "plain");
	assert_names("de_AT", one, "at", "plain");
	assert_names("fr:de", one, "de", "plain");
	assert_names("ko", one, "plain", "plain");
	/* Who gives it another name means all languages; who adds a language no other one. */
	assert_names("de", renamed, "other", "other");
	assert_names("de", added, "de", "plain");
	assert_names("ko", added, "ko", "plain");
	assert_names("de", emptied, "test", "test");
	assert_names("de", alone, "de", "test");
	assert_names("ko", alone, "test", "test");
}

/* Also when it is not the language of the one who reads it. */
static void test_bad_language(void **state)
{
	g_autoptr(MtwTarget) lines = parse_one(GOOD "Name[de]=a\\nb\n", NULL);
	g_autoptr(MtwTarget) other = parse_one(GOOD "URL[de]=https://example.com\n", NULL);

	(void)state;
	assert_off(lines, "test.conf:5: Name[de] is one line");
	assert_string_equal(lines->name, "test");
	assert_off(other, "test.conf:5: URL cannot be translated");
	assert_string_equal(other->url, "https://example.org");
}

static void test_defaults(void **state)
{
	g_autoptr(MtwTarget) target = parse_one(GOOD, NULL);

	(void)state;
	assert_usable(target);
	assert_string_equal(target->name, "test");
	assert_int_equal(target->auth, MTW_AUTH_BEARER);
	assert_int_equal(target->visibility, MTW_VISIBILITY_UNKNOWN);
	assert_int_equal(target->max_bytes, 0);
	assert_int_equal(target->too_big->len, 2);
	assert_true(target->search_duplicates);
	assert_false(target->network.tls13 || target->network.plain_http);
	assert_int_equal(target->network.connect_timeout_sec, 30);
	assert_int_equal(target->network.low_speed_bytes, 1024);
	assert_int_equal(target->network.low_speed_sec, 60);
	assert_int_equal(target->network.retries, 6);
	assert_int_equal(target->network.retry_cap_sec, 300);
	assert_int_equal(target->network.chunk_bytes, 8388608);
	assert_null(target->network.redirect_hosts[0]);
	assert_non_null(strstr(target->title, "@NICK@"));
	assert_non_null(strstr(target->body, "@REPORTID@"));
}

/* A later file's key wins, an empty one is as if it had never been said. */
static void test_layers(void **state)
{
	static const char *const texts[] = {
		GOOD "Labels=a;b\nEnabled=false\n[Network]\nRetries=1\nRetryCap=7\n",
		"[Network]\nRetries=2\n",
		"[Target]\nProject=other/project\nLabels=\nEnabled=true\n",
		NULL,
	};
	g_autoptr(MtwTarget) target = mtw_target_parse("test", texts, NULL, NULL, NULL);

	(void)state;
	assert_usable(target);
	assert_string_equal(target->project, "other/project");
	assert_string_equal(target->url, "https://example.org");
	assert_null(target->labels[0]);
	assert_int_equal(target->network.retries, 2);
	assert_int_equal(target->network.retry_cap_sec, 7);
}

static void test_switched_off(void **state)
{
	g_autoptr(MtwTarget) target = parse_one(GOOD "Enabled=false\n", NULL);

	(void)state;
	assert_false(target->enabled);
	assert_null(target->disabled_why);
}

/* What may be right in a later version is told and passed over. */
static void test_unknown(void **state)
{
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(MtwTarget) target =
		parse_one("[Target x]\nKind=file\n" GOOD "Colour=red\n[Later]\nX=1\n", problems);

	(void)state;
	assert_usable(target);
	assert_string_equal(target->kind, "gitlab");
	assert_int_equal(problems->len, 3);
	assert_problem(problems, 0, "test.conf:1: there is no group [Target x]");
	assert_problem(problems, 1, "test.conf:7: there is no key Colour in [Target]");
	assert_problem(problems, 2, "test.conf:8: there is no group [Later]");
}

static void test_unknown_kind(void **state)
{
	g_autoptr(MtwTarget) target = parse_one("[Target]\n\nKind=pigeon\n", NULL);
	g_autoptr(MtwTarget) none = parse_one("[Network]\n", NULL);

	(void)state;
	assert_off(target, "test.conf:3: Kind: there is no kind \"pigeon\"; there are ");
	assert_non_null(strstr(target->disabled_why, "gitlab"));
	assert_off(none, "test.conf:1: [Target]: Kind is missing");
}

/* A line that is no good, each behind GOOD as line 5. */
static void test_bad_values(void **state)
{
	static const char *const lines[] = {
		"Enabled=yes",
		"Store=Other",
		"Store=../other",
		"From=alice",
		"From=alice@",
		"To=@example.org",
		"To=a@example.org, b@example.org",
		"To=a@example.org b@example.org",
		"To=<a@example.org>",
		"To=a@b@example.org",
		"To=a\\nBcc: b@example.org",
		"User=a b",
		"Labels=a\\nb",
		"Match=pci:10de:*:03*;nouveau",
		"Match=pci:10DE:*:03*:x",
		"Match=pci:xyz",
		"Match=pci:",
		"Match=driver:",
		"Match=driver:a/b",
		"FileTypes=tar.gz",
		"FileTypes=.tar/gz",
		"Visibility=Public",
		"HelpURI=example.org",
		"HelpURI=javascript:alert(1)",
		"PrivacyURI=file:///etc/passwd",
		"Auth=token",
		"Auth=header",
		"Auth=header:",
		"Auth=header:X: y",
		"Auth=header:X\\nY",
		"Auth=json:a\"b",
		"Auth=bearer:x",
		"Auth=ssh",
		"Auth=smtp",
		"MaxSize=10M",
		"MaxSize=-1",
		"MaxSize=1125899906842625",
		"OnTooBig=delete",
		"OnTooBig=save;save",
		"OnTooBig=fallback:",
		"OnTooBig=fallback:A",
		"Title=@PCI@",
		"Title=@DESCRIPTION@ x",
		"Title=a\\nb",
		"Duplicate=maybe",
		"Confidential=1",
		"BodyFile=body.md",
		"Name=a\\tb",
		"Labels[de]=a",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autofree char *text = g_strdup_printf(GOOD "%s\n", lines[i]);
		g_autoptr(MtwTarget) target = parse_one(text, NULL);
		if (target->enabled)
			fail_msg("%s was taken", lines[i]);
		assert_off(target, "test.conf:5: ");
	}
}

static void test_bad_network(void **state)
{
	static const char *const lines[] = {
		"TLSMin=1.1",
		"TLSMin=0",
		"CAFile=own.pem",
		"KnownHosts=~/.ssh/known_hosts",
		"PinnedPubkey=sha256//abc",
		"PinnedPubkey=" HASH64,
		"HostKeySHA256=MD5:00",
		"HostKeySHA256=SHA256:" HASH43 "A",
		"AllowRedirectHosts=https://example.org",
		"AllowRedirectHosts=*",
		"AllowRedirectHosts=a@example.org",
		"PlainHTTP=maybe",
		"ConnectTimeout=0",
		"ConnectTimeout=601",
		"LowSpeed=-1",
		"LowSpeedTime=0",
		"Retries=101",
		"RetryCap=3601",
		"ChunkSize=65535",
		"ChunkSize=1073741825",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autofree char *text = g_strdup_printf(GOOD "[Network]\n%s\n", lines[i]);
		g_autoptr(MtwTarget) target = parse_one(text, NULL);
		if (target->enabled)
			fail_msg("%s was taken", lines[i]);
		assert_off(target, "test.conf:6: ");
	}
}

/* Not even a key file: nothing of it is used. */
static void test_no_key_file(void **state)
{
	static const char *const texts[] = {
		"Kind=gitlab\n",
		"[Target\n",
		"[Target]\nKind\n",
		"[Target]\n=x\n",
		"[Target]\nKind=a\nKind=b",
		"[Target]\n[Target]\n",
		"[Target]\nA=\\x\n",
		"[Target]\nName=\xff\n",
		"[Target]\nName=\x1b[31m\n",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		const char *const list[] = { texts[i], NULL };
		assert_null(mtw_target_parse("test", list, NULL, NULL, &error));
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
		assert_true(g_str_has_prefix(error->message, "test.conf:"));
	}
}

static void test_fits(void **state)
{
	g_autoptr(MtwTarget) target = parse_one(
		GOOD "Match=pci:10de:*:03*;driver:nouveau;pci:8086:15??;driver:snd-hda*\n", NULL);

	(void)state;
	assert_usable(target);
	assert_int_equal(mtw_target_fits(target, "10de:1cb3", "030000", NULL), 2);
	assert_int_equal(mtw_target_fits(target, "10DE:1CB3", "030000", "nouveau"), 2);
	assert_int_equal(mtw_target_fits(target, "10de:1cb3", "040300", NULL), 0);
	assert_int_equal(mtw_target_fits(target, "10de:1cb3", "040300", "snd_hda_intel"), 1);
	assert_int_equal(mtw_target_fits(target, "1002:1234", "030000", "nouveau"), 1);
	assert_int_equal(mtw_target_fits(target, "8086:15b8", "020000", "e1000e"), 2);
	assert_int_equal(mtw_target_fits(target, "8086:16b8", "020000", "e1000e"), 0);
	assert_int_equal(mtw_target_fits(target, "", "", "nouveau2"), 0);
}

/* Whatever is in a target is in its JSON. */
static void test_json(void **state)
{
	g_autoptr(MtwTarget) target = parse_one(all_keys, NULL);
	g_autoptr(JsonObject) json = mtw_target_to_json(target);
	g_autofree char *line = mtw_json_line(json);
	static const char *const parts[] = {
		"\"id\":\"test\"",
		"\"auth\":\"header:PRIVATE-TOKEN\"",
		"\"max_bytes\":104857600",
		"\"on_too_big\":[\"split\",\"fallback\"",
		"\"visibility\":\"restricted\"",
		"\"enabled\":true",
		"\"disabled_why\":null",
		"\"redirect_hosts\":[\"a.example.org\"",
		"\"tls_min\":\"1.3\"",
		"\"chunk_bytes\":65536",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
		if (strstr(line, parts[i]) == NULL)
			fail_msg("%s is not in %s", parts[i], line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_keys),     cmocka_unit_test(test_language),
		cmocka_unit_test(test_bad_language), cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_layers),	     cmocka_unit_test(test_switched_off),
		cmocka_unit_test(test_unknown),	     cmocka_unit_test(test_unknown_kind),
		cmocka_unit_test(test_bad_values),   cmocka_unit_test(test_bad_network),
		cmocka_unit_test(test_no_key_file),  cmocka_unit_test(test_fits),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
