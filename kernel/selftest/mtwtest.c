// SPDX-License-Identifier: GPL-2.0-only
/*
 * mtwtest: a PCI driver that makes known accesses to the memory of its device.
 *
 * It stands in for a real driver when mmiotrace is tested: probe() maps a part of one BAR, makes
 * the accesses of the chosen pattern, and leaves the part mapped; remove() unmaps it. Each pattern
 * has a known number of accesses, so a test can say exactly what the trace must hold.
 *
 * It binds to QEMU's `edu` device. Any other device can be given to it through sysfs:
 *     echo 8086 100e > /sys/bus/pci/drivers/mtwtest/new_id
 */
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#define EDU_ID 0x00	  /* read only */
#define EDU_LIVENESS 0x04 /* reads back inverted */
#define EDU_FACTORIAL 0x08
#define EDU_STATUS 0x20
#define EDU_SCRATCH 0x80 /* from here on any width is allowed (DMA source address: harmless) */

#define SLOW_PAUSE_MSEC 10

static char *mode = "basic";
module_param(mode, charp, 0444);
MODULE_PARM_DESC(mode, "basic, rep, flood, slow, two, span, keep");

static int n = 1000;
module_param(n, int, 0444);
MODULE_PARM_DESC(n, "flood, slow: number of writes; span: bytes from one write to the next");

static int bar;
module_param(bar, int, 0444);
MODULE_PARM_DESC(bar, "the BAR to map (0 to 5)");

static ulong off;
module_param(off, ulong, 0444);
MODULE_PARM_DESC(off, "first byte of the BAR to map");

static ulong len = PAGE_SIZE;
module_param(len, ulong, 0444);
MODULE_PARM_DESC(len, "number of bytes to map");

static int hold;
module_param(hold, int, 0444);
MODULE_PARM_DESC(hold, "milliseconds that probe() waits after the pattern");

static bool busy;
module_param(busy, bool, 0444);
MODULE_PARM_DESC(busy, "a bound device keeps the module in use (it can be unbound, not unloaded)");

struct mtwtest {
	struct pci_dev *pdev;
	phys_addr_t phys;
	void __iomem *regs;
	struct delayed_work keep;
	bool keep_running;
	u32 keep_count;
};

/* 25 accesses: all widths, immediate values, instructions that mmiotrace cannot decode. */
static void pattern_basic(struct mtwtest *t)
{
	void __iomem *scratch = t->regs + EDU_SCRATCH;
	u64 wide;
	u32 value;

	readl(t->regs + EDU_ID);
	writel(0x12345678, t->regs + EDU_LIVENESS);
	readl(t->regs + EDU_LIVENESS);
	writel(5, t->regs + EDU_FACTORIAL);
	readl(t->regs + EDU_FACTORIAL);
	readl(t->regs + EDU_STATUS);

	readb(scratch);
	readw(scratch);
	readq(scratch);
	writeb(0xa5, scratch);
	writew(0xbeef, scratch);
	writeq(0x1122334455667788ULL, scratch);
	readq(scratch);

	/* Reads that extend: decoded. */
	asm volatile("movzbl (%1), %0" : "=r"(value) : "r"(scratch) : "memory");
	asm volatile("movzwl (%1), %0" : "=r"(value) : "r"(scratch) : "memory");
	/* Immediate values: decoded, the last two with a wrong value. */
	asm volatile("movb $0x7f, (%0)" : : "r"(scratch) : "memory");
	asm volatile("movw $0x1234, (%0)" : : "r"(scratch) : "memory");
	asm volatile("movl $0xcafebabe, (%0)" : : "r"(scratch) : "memory");
	asm volatile("movq $0x55667788, (%0)" : : "r"(scratch) : "memory");
	asm volatile("movl $0xcafebabe, (%0,%1,1)"
		     :
		     : "r"(t->regs), "r"((ulong)EDU_SCRATCH)
		     : "memory");
	/* Not decoded: UNKNOWN. */
	asm volatile("movslq (%1), %0" : "=r"(wide) : "r"(scratch) : "memory");
	asm volatile("orl $1, (%0)" : : "r"(scratch) : "memory", "cc");
	asm volatile("testl $1, (%0)" : : "r"(scratch) : "memory", "cc");
	asm volatile("xchgl %0, (%1)" : "+r"(value) : "r"(scratch) : "memory");
	readl(t->regs + EDU_ID);
}

/* `rep` moves 12 elements and stores 8: mmiotrace shows one UNKNOWN or one W for each. */
static void pattern_rep(struct mtwtest *t)
{
	void __iomem *scratch = t->regs + EDU_SCRATCH;
	u32 words[4] = { 1, 2, 3, 4 };
	const void *source = words;
	ulong count = ARRAY_SIZE(words);
	ulong target = (ulong)scratch;

	memcpy_toio(scratch, words, sizeof(words));
	memcpy_fromio(words, scratch, sizeof(words));
	asm volatile("rep movsl" : "+S"(source), "+D"(target), "+c"(count) : : "memory");

	memset_io(scratch, 0x5a, 4 * sizeof(u64));
	target = (ulong)scratch;
	count = ARRAY_SIZE(words);
	asm volatile("rep stosl" : "+D"(target), "+c"(count) : "a"(0x11223344) : "memory");
}

static void write_n(struct mtwtest *t, unsigned int pause_msec)
{
	int i;

	for (i = 0; i < n; i++) {
		writel(i, t->regs + EDU_LIVENESS);
		if (pause_msec)
			msleep(pause_msec);
	}
}

static void pattern_flood(struct mtwtest *t)
{
	write_n(t, 0);
}

static void pattern_slow(struct mtwtest *t)
{
	write_n(t, SLOW_PAUSE_MSEC);
}

/* One page, mapped twice: 3 writes and 1 read, one of the writes through the second mapping. */
static void pattern_two(struct mtwtest *t)
{
	void __iomem *second = ioremap(t->phys, len);

	if (!second)
		return;
	writel(1, t->regs + EDU_LIVENESS);
	writel(2, second + EDU_LIVENESS);
	readl(t->regs + EDU_LIVENESS);
	iounmap(second);
	writel(3, t->regs + EDU_LIVENESS);
}

/* A write every n bytes, over all that is mapped. */
static void pattern_span(struct mtwtest *t)
{
	ulong at;

	for (at = 0; n > 0 && at + sizeof(u32) <= len; at += n)
		writel(at, t->regs + at);
}

static void keep_work(struct work_struct *work)
{
	struct mtwtest *t = container_of(to_delayed_work(work), struct mtwtest, keep);

	writel(t->keep_count++, t->regs + EDU_LIVENESS);
	schedule_delayed_work(&t->keep, msecs_to_jiffies(SLOW_PAUSE_MSEC));
}

/* A device that lives: writes that go on until it is unbound. */
static void pattern_keep(struct mtwtest *t)
{
	t->keep_running = true;
	schedule_delayed_work(&t->keep, 0);
}

static const struct pattern {
	const char *name;
	void (*run)(struct mtwtest *t);
} patterns[] = {
	{ "basic", pattern_basic }, { "rep", pattern_rep }, { "flood", pattern_flood },
	{ "slow", pattern_slow },   { "two", pattern_two }, { "span", pattern_span },
	{ "keep", pattern_keep },
};

static const struct pattern *find_pattern(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(patterns); i++)
		if (!strcmp(patterns[i].name, name))
			return &patterns[i];
	return NULL;
}

static bool range_is_valid(struct pci_dev *pdev)
{
	resource_size_t size;

	if (bar < 0 || bar >= PCI_STD_NUM_BARS || !(pci_resource_flags(pdev, bar) & IORESOURCE_MEM))
		return false;
	size = pci_resource_len(pdev, bar);
	return len >= sizeof(u32) && off < size && len <= size - off;
}

static int mtwtest_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	const struct pattern *pattern = find_pattern(mode);
	struct mtwtest *t;
	int error;

	if (!pattern || !range_is_valid(pdev)) {
		pci_err(pdev, "mode=%s bar=%d off=%#lx len=%#lx: not possible here\n", mode, bar,
			off, len);
		return -EINVAL;
	}
	t = devm_kzalloc(&pdev->dev, sizeof(*t), GFP_KERNEL);
	if (!t)
		return -ENOMEM;
	error = pcim_enable_device(pdev);
	if (error)
		return error;
	if (busy && !try_module_get(THIS_MODULE))
		return -EBUSY;

	t->pdev = pdev;
	t->phys = pci_resource_start(pdev, bar) + off;
	t->regs = ioremap(t->phys, len);
	if (!t->regs) {
		if (busy)
			module_put(THIS_MODULE);
		return -ENOMEM;
	}
	INIT_DELAYED_WORK(&t->keep, keep_work);
	pci_set_drvdata(pdev, t);

	pattern->run(t);
	pci_info(pdev, "mode=%s phys=%pa n=%d done\n", mode, &t->phys, n);
	if (hold > 0)
		msleep(hold);
	return 0;
}

static void mtwtest_remove(struct pci_dev *pdev)
{
	struct mtwtest *t = pci_get_drvdata(pdev);

	if (t->keep_running)
		cancel_delayed_work_sync(&t->keep);
	iounmap(t->regs);
	if (busy)
		module_put(THIS_MODULE);
}

static const struct pci_device_id mtwtest_ids[] = { { PCI_DEVICE(0x1234, 0x11e8) }, {} };
MODULE_DEVICE_TABLE(pci, mtwtest_ids);

static struct pci_driver mtwtest_driver = {
	.name = "mtwtest",
	.id_table = mtwtest_ids,
	.probe = mtwtest_probe,
	.remove = mtwtest_remove,
};
module_pci_driver(mtwtest_driver);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Known MMIO accesses, for tests of mmiotrace");
