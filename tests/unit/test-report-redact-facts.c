/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is gathered about a machine and its people. */
#include "test-report-redact-data.h"

static const MtwRedactFact *find_fact(const MtwRedactFacts *facts, const char *value)
{
	for (guint i = 0; i < facts->values->len; i++) {
		const MtwRedactFact *fact = facts->values->pdata[i];
		if (g_str_equal(fact->value, value))
			return fact;
	}
	return NULL;
}

static void expect_fact(const MtwRedactFacts *facts, MtwRedactKind kind, const char *value)
{
	const MtwRedactFact *fact = find_fact(facts, value);

	if (fact == NULL)
		fail_msg("\"%s\" was not gathered", value);
	assert_int_equal(fact->kind, kind);
}

/* A new root has it where the kernel of this machine would. */
static void put_machine(FakeRoot *root)
{
	static const char *const files[][2] = {
		{ "etc/hostname", "attic\n" },
		{ "proc/sys/kernel/hostname", "attic\n" },
		{ "etc/hosts", "127.0.0.1 localhost\n127.0.1.1\tattic.byron.example.net attic\n" },
		{ "etc/resolv.conf",
		  "# made by hand\nsearch lan home.example.com\nnameserver 192.168.1.1\n" },
		{ "etc/machine-id", "d3b07384d113edec49eaa6238ad5ff00\n" },
		{ "proc/sys/kernel/random/boot_id", "3f1b8a52-9c1e-4d57-a0de-6b1f0e5c7d21\n" },
		{ "etc/passwd", "root:x:0:0:root:/root:/bin/bash\n"
				"daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
				"broken line\n"
				"ada:x:1000:1000:Ada Byron,12,,:/home/ada:/bin/bash\n"
				"charles:x:1001:1001:,,,:/srv/people/chas:/bin/bash\n"
				"nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n" },
		{ "sys/class/dmi/id/product_serial", "PF0ABC12\n" },
		{ "sys/class/dmi/id/product_uuid", "4c4c4544-0042-3510-8058-b4c04f4d4d32\n" },
		{ "sys/class/net/enp0s31f6/address", "54:e1:ad:0b:0c:0d\n" },
		{ "sys/class/net/lo/address", "00:00:00:00:00:00\n" },
		{ "sys/block/nvme0n1/device/serial", "S444NX0K912345      \n" },
		{ "sys/block/nvme0n1/wwid", "eui.0025385b71b0a1c2\n" },
		{ "sys/block/sda/device/wwid",
		  "t10.ATA     Samsung SSD 850 EVO     S2RBNX0H123456A\n" },
		{ "sys/block/dm-0/dm/name", "attic--vg-root\n" },
		{ "sys/block/dm-0/dm/uuid",
		  "LVM-hZ3xQ1a1B2c3D4e5F6g7H8i9J0kLmNoPhZ3xQ1a1B2c3D4e5F6g7H8i9J0kLmNoP\n" },
		{ "sys/block/dm-1/dm/name", "atticcrypt\n" },
		{ "sys/block/dm-1/dm/uuid",
		  "CRYPT-LUKS2-7c0a4f0e51b24a7d9b642f1d3c5e6a78-atticcrypt\n" },
		{ "sys/bus/usb/devices/usb1/serial", "0000:00:14.0\n" },
		{ "sys/bus/usb/devices/1-2/serial", "4C530001180512117243\n" },
		{ "dev/disk/by-uuid/7C0A-4F0E", "" },
		{ "dev/disk/by-label/adas\\x20stick", "" },
		{ "etc/NetworkManager/system-connections/Byrons Attic.nmconnection", "" },
		{ "etc/NetworkManager/system-connections/other", "" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(files); i++)
		fake_root_put(root, files[i][0], files[i][1]);
	fake_root_put_bytes(root, "sys/block/sda/device/vpd_pg80", "\0\x80\0\x0fS2RBNX0H123456B",
			    19);
}

static void test_gather(void **state)
{
	static const struct {
		MtwRedactKind kind;
		const char *value;
	} expected[] = {
		{ MTW_REDACT_HOST, "attic" },
		{ MTW_REDACT_DOMAIN, "byron.example.net" },
		{ MTW_REDACT_DOMAIN, "home.example.com" },
		{ MTW_REDACT_USER, "ada" },
		{ MTW_REDACT_USER, "charles" },
		{ MTW_REDACT_USER, "caller" },
		{ MTW_REDACT_NAME, "Ada Byron" },
		{ MTW_REDACT_HOME, "/srv/people/chas" },
		{ MTW_REDACT_UUID, "d3b07384d113edec49eaa6238ad5ff00" },
		{ MTW_REDACT_UUID, "3f1b8a52-9c1e-4d57-a0de-6b1f0e5c7d21" },
		{ MTW_REDACT_UUID, "4c4c4544-0042-3510-8058-b4c04f4d4d32" },
		{ MTW_REDACT_SERIAL, "PF0ABC12" },
		{ MTW_REDACT_MAC, "54:e1:ad:0b:0c:0d" },
		{ MTW_REDACT_SERIAL, "S444NX0K912345" },
		{ MTW_REDACT_UUID, "0025385b71b0a1c2" },
		{ MTW_REDACT_SERIAL, "S2RBNX0H123456A" },
		{ MTW_REDACT_SERIAL, "S2RBNX0H123456B" },
		{ MTW_REDACT_VOLUME, "attic--vg-root" },
		{ MTW_REDACT_VOLUME, "attic-vg" },
		{ MTW_REDACT_VOLUME, "atticcrypt" },
		{ MTW_REDACT_UUID, "7c0a4f0e51b24a7d9b642f1d3c5e6a78" },
		{ MTW_REDACT_SERIAL, "4C530001180512117243" },
		{ MTW_REDACT_UUID, "7C0A-4F0E" },
		{ MTW_REDACT_LABEL, "adas stick" },
		{ MTW_REDACT_SSID, "Byrons Attic" },
	};
	static const char *const absent[] = { "root",	   "daemon", "nobody",
					      "/home/ada", "lan",    "0000:00:14.0",
					      "localhost", "",	     "other" };
	FakeRoot *root = *state;
	g_autoptr(MtwRedactFacts) facts = NULL;

	put_machine(root);
	facts = mtw_redact_facts_gather(root->paths, "caller");
	for (gsize i = 0; i < G_N_ELEMENTS(expected); i++)
		expect_fact(facts, expected[i].kind, expected[i].value);
	for (gsize i = 0; i < G_N_ELEMENTS(absent); i++)
		assert_null(find_fact(facts, absent[i]));
}

static void test_gathered_is_masked(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwRedactor) redactor = shipped_redactor();
	g_autoptr(MtwRedactFacts) facts = NULL;

	put_machine(root);
	facts = mtw_redact_facts_gather(root->paths, NULL);
	mtw_redactor_add_facts(redactor, facts);
	expect_clean(redactor, "ada@attic runs attic.byron.example.net in /srv/people/chas/x",
		     "user1@host1 runs host1.domain1.example in /home/home1/x");
	expect_clean(redactor, "files.byron.example.net 54e1ad0b0c0d adas\\x20stick dev-atticcrypt",
		     "host2.domain1.example 020000000001 label1 dev-volume3");
	expect_clean(redactor, "lo 00:00:00:00:00:00 root localhost nobody",
		     "lo 00:00:00:00:00:00 root localhost nobody");
}

static void test_nothing_there(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwRedactFacts) facts = mtw_redact_facts_gather(root->paths, NULL);

	assert_int_equal(facts->values->len, 0);
	assert_int_equal(facts->keep->len, 0);
}

static void test_odd_files(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwRedactFacts) facts = NULL;

	fake_root_put(root, "etc/hostname", "\n");
	fake_root_put(root, "etc/passwd", ":::\n::::::\nx:y:1000:z:a:b\n\n");
	fake_root_put(root, "etc/hosts", "");
	fake_root_put(root, "sys/block/sda/device/vpd_pg80", "abc");
	fake_root_put(root, "sys/block/dm-0/dm/name", "");
	fake_root_put(root, "sys/block/dm-0/dm/uuid", "CRYPT-LUKS2\n");
	fake_root_put(root, "dev/disk/by-label/\\x", "");
	facts = mtw_redact_facts_gather(root->paths, "");
	assert_non_null(find_fact(facts, "x"));
	assert_non_null(find_fact(facts, "\\x"));
}

static void test_full_host_name(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwRedactFacts) facts = NULL;

	fake_root_put(root, "etc/hostname", "attic.byron.example.net\n");
	facts = mtw_redact_facts_gather(root->paths, NULL);
	expect_fact(facts, MTW_REDACT_HOST, "attic");
	expect_fact(facts, MTW_REDACT_HOST, "attic.byron.example.net");
	expect_fact(facts, MTW_REDACT_DOMAIN, "byron.example.net");
}

static void test_add(void **state)
{
	g_autoptr(MtwRedactFacts) facts = mtw_redact_facts_new();

	(void)state;
	mtw_redact_facts_add(facts, MTW_REDACT_USER, " ada ");
	mtw_redact_facts_add(facts, MTW_REDACT_HOST, "ada");
	mtw_redact_facts_add(facts, MTW_REDACT_HOST, NULL);
	mtw_redact_facts_add(facts, MTW_REDACT_HOST, " ");
	assert_int_equal(facts->values->len, 1);
	expect_fact(facts, MTW_REDACT_USER, "ada");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_ROOT_TEST(test_gather),	     FAKE_ROOT_TEST(test_gathered_is_masked),
		FAKE_ROOT_TEST(test_nothing_there),  FAKE_ROOT_TEST(test_odd_files),
		FAKE_ROOT_TEST(test_full_host_name), cmocka_unit_test(test_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
