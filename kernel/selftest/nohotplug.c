// SPDX-License-Identifier: GPL-2.0-only
/*
 * nohotplug: while it is loaded, no CPU can be taken off-line.
 *
 * mmiotrace does not fail then: it traces with several CPUs, which loses accesses and can crash the
 * kernel. A test loads this module to see that the capture is given up at once.
 */
#include <linux/cpuhotplug.h>
#include <linux/module.h>

static int state;

static int refuse(unsigned int cpu)
{
	pr_info("nohotplug: CPU%u stays on-line\n", cpu);
	return -EBUSY;
}

static int __init nohotplug_init(void)
{
	state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "mtw:nohotplug", NULL, refuse);
	return state < 0 ? state : 0;
}

static void __exit nohotplug_exit(void)
{
	cpuhp_remove_state_nocalls(state);
}

module_init(nohotplug_init);
module_exit(nohotplug_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Refuses to take CPUs off-line, for tests of mmiotrace");
