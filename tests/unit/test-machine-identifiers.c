/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "machine/identifiers.h"

#include <string.h>

static const char *find(const GPtrArray *identifiers, const char *kind)
{
	for (guint i = 0; i < identifiers->len; i++) {
		const MtwIdentifier *identifier = identifiers->pdata[i];
		if (strcmp(identifier->kind, kind) == 0)
			return identifier->value;
	}
	return NULL;
}

static void test_firmware_and_networks(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) identifiers = NULL;

	fake_root_put(root, "sys/class/dmi/id/product_uuid", "0f9ee1a4-52a5\n");
	fake_root_put(root, "sys/class/dmi/id/board_serial", "  SN 4711 \n");
	fake_root_put(root, "sys/class/dmi/id/chassis_serial", "\n");
	fake_root_put(root, "sys/class/dmi/id/product_name", "no secret\n");
	fake_root_put(root, "etc/NetworkManager/system-connections/My Home.nmconnection", "");
	fake_root_put(root, "etc/NetworkManager/system-connections/notes.txt", "");
	identifiers = mtw_identifiers_get(root->paths);
	assert_int_equal(identifiers->len, 3);
	assert_string_equal(find(identifiers, "uuid"), "0f9ee1a4-52a5");
	assert_string_equal(find(identifiers, "serial"), "SN 4711");
	assert_string_equal(find(identifiers, "ssid"), "My Home");
}

static void test_none(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) identifiers = mtw_identifiers_get(root->paths);

	assert_int_equal(identifiers->len, 0);
	mtw_identifiers_add(identifiers, "serial", NULL);
	mtw_identifiers_add(identifiers, "serial", " \t\n");
	assert_int_equal(identifiers->len, 0);
	mtw_identifiers_add(identifiers, "serial", "x");
	assert_int_equal(identifiers->len, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_ROOT_TEST(test_firmware_and_networks),
		FAKE_ROOT_TEST(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
