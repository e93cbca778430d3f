/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* One input for the parser under test; aborts when an invariant does not hold. Returns: 0 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* abort, not g_error: its SIGTRAP would kill the fuzzer before it has written the input. */
#define FUZZ_ASSERT(condition)                                                          \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                        \
		}                                                                       \
	} while (0)
