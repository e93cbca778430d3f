/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading and unloading: the writing half of libkmod. Only on the real machine. */
#include "machine/module.h"

#include "base/error.h"
#include "machine/lockdown.h"
#include "machine/module-install.h"
#include "machine/module-kmod.h"

#include <errno.h>
#include <string.h>

/* An install line may lead to a module with an install line; this many are taken for a circle. */
#define INSTALL_MAX_DEPTH 8

typedef struct {
	const MtwPaths *paths;
	guint depth;
	GError *error; /* of an install line: says more than the errno that libkmod hands on */
} Loading;

static gboolean load_by_name(Loading *loading, const char *name, const char *options,
			     gboolean ignore_own);

static gboolean refuse_fake(const MtwPaths *paths, const char *name, GError **error)
{
	if (mtw_paths_live(paths))
		return FALSE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED,
		    "the module %s cannot be loaded or unloaded below a test's root", name);
	return TRUE;
}

/* What a failing init_module means for a person. */
static const char *load_reason(const MtwPaths *paths, int errnum)
{
	switch (errnum) {
	case EPERM:
	case EACCES:
		if (mtw_lockdown_get(paths) >= MTW_LOCKDOWN_INTEGRITY)
			return "it is not signed, and Secure Boot (kernel lockdown) allows only "
			       "signed modules";
		return "not allowed: root is needed, or the kernel is set to load no more modules";
	case EKEYREJECTED:
	case EKEYEXPIRED:
	case EKEYREVOKED:
	case ENOKEY:
		return "its signature is missing or not trusted (Secure Boot): enrol the key it is "
		       "signed with, or switch Secure Boot off in the firmware";
	case ENOEXEC:
		return "it was built for another kernel";
	case EINVAL:
		return "the kernel did not accept it: built for another kernel, or a wrong option";
	case ENOENT:
		return "it is not installed for this kernel, or needs a symbol that the kernel "
		       "does not have (see dmesg)";
	case ENODEV:
	case ENXIO:
		return "it found no device that it can drive";
	case ENOMEM:
		return "not enough memory";
	default:
		return mtw_error_errno_text(errnum);
	}
}

static MtwErrorCode load_code(int errnum)
{
	switch (errnum) {
	case EKEYREJECTED:
	case EKEYEXPIRED:
	case EKEYREVOKED:
	case ENOKEY:
		return MTW_ERROR_PERMISSION;
	case EIO:
		return MTW_ERROR_FAILED; /* of the device, not of a disk */
	default:
		return mtw_error_from_errno(errnum);
	}
}

static void refuse_install_line(Loading *loading, struct kmod_module *module, const char *command)
{
	g_set_error(&loading->error, MTW_ERROR, MTW_ERROR_FAILED,
		    "modprobe.d has a command in place of the module %s, and no shell is run here: "
		    "\"install %s %s\"; load the module by hand first, or remove that line",
		    kmod_module_get_name(module), kmod_module_get_name(module), command);
}

/* libkmod's callback; without it libkmod would call system(3). */
static int run_install_line(struct kmod_module *module, const char *command, void *data)
{
	Loading *loading = data;
	g_autoptr(GPtrArray) steps = mtw_module_install_parse(command);

	/* One of a softdep before this: libkmod passed over it. */
	g_clear_error(&loading->error);
	if (steps == NULL || loading->depth >= INSTALL_MAX_DEPTH) {
		refuse_install_line(loading, module, command);
		return -ECANCELED;
	}
	for (guint i = 0; i < steps->len; i++) {
		const MtwInstallStep *step = steps->pdata[i];
		Loading inner = { .paths = loading->paths, .depth = loading->depth + 1 };
		if (load_by_name(&inner, step->name, step->options, step->ignore_own))
			continue;
		g_propagate_error(&loading->error, inner.error);
		return -ECANCELED;
	}
	return 0;
}

static gboolean insert(Loading *loading, struct kmod_module *module, const char *options,
		       gboolean ignore_own)
{
	unsigned int flags = ignore_own ? KMOD_PROBE_IGNORE_COMMAND : 0;
	int result = kmod_module_probe_insert_module(module, flags, options, run_install_line,
						     loading, NULL);

	/* Unless it is what ended the loading, an install line's error was one of a softdep. */
	if (result != -ECANCELED)
		g_clear_error(&loading->error);
	if (result >= 0)
		return TRUE;
	if (loading->error == NULL)
		g_set_error(&loading->error, MTW_ERROR, (int)load_code(-result),
			    "cannot load the module %s: %s", kmod_module_get_name(module),
			    load_reason(loading->paths, -result));
	return FALSE;
}

static gboolean load_by_name(Loading *loading, const char *name, const char *options,
			     gboolean ignore_own)
{
	/* A context of its own: libkmod marks the modules of one while it goes through them. */
	MTW_AUTO_KMOD kmod = mtw_kmod_new(loading->paths);
	MTW_AUTO_KMOD_MODULES list = kmod != NULL ? mtw_kmod_lookup(kmod, name) : NULL;
	const struct kmod_list *item;
	gboolean ok = TRUE;

	if (list == NULL) {
		g_set_error(&loading->error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "there is no module %s for this kernel", name);
		return FALSE;
	}
	for (item = list; item != NULL; item = kmod_list_next(list, item)) {
		struct kmod_module *module = kmod_module_get_module(item);
		ok = ok && insert(loading, module, options, ignore_own);
		kmod_module_unref(module);
	}
	return ok;
}

gboolean mtw_module_load(const MtwPaths *paths, const char *name, const char *options,
			 GError **error)
{
	Loading loading = { .paths = paths };

	if (refuse_fake(paths, name, error))
		return FALSE;
	if (mtw_module_is_loaded(paths, name))
		return TRUE;
	if (load_by_name(&loading, name, options, FALSE))
		return TRUE;
	g_propagate_error(error, loading.error);
	return FALSE;
}

gboolean mtw_module_unload(const MtwPaths *paths, const char *name, GError **error)
{
	MTW_AUTO_KMOD kmod = NULL;
	struct kmod_module *module = NULL;
	int result;

	if (refuse_fake(paths, name, error))
		return FALSE;
	if (!mtw_module_is_loaded(paths, name))
		return TRUE;
	kmod = mtw_kmod_new(paths);
	result = kmod != NULL ? kmod_module_new_from_name(kmod, name, &module) : -ENOMEM;
	if (result == 0)
		result = kmod_module_remove_module(module, 0);
	if (module != NULL)
		kmod_module_unref(module);
	if (result == 0 || result == -ENOENT)
		return TRUE;
	if (result == -EAGAIN)
		result = -EBUSY;
	mtw_set_error_errno(error, -result, "cannot unload the module %s", name);
	return FALSE;
}
