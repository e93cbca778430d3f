/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread waits for the signals, so that nothing is done in a signal handler. It lives as long as
 * the process; between captures it is told that nobody is to be interrupted.
 */
#include "cli/cli.h"

#include <signal.h>
#include <stdlib.h>

static GMutex lock;
static MtwWizard *watched_wizard;
static MtwView *watched_view;

static void fill_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
}

/* With nothing to restore, a signal ends the program as usual. */
static void deliver(int number)
{
	sigset_t set;

	g_mutex_lock(&lock);
	if (watched_wizard != NULL) {
		/* Ctrl-C is a person's; SIGTERM says that their login ends. */
		if (number == SIGINT)
			mtw_wizard_interrupt(watched_wizard);
		else
			mtw_wizard_leave(watched_wizard);
		mtw_terminal_wake(watched_view);
		g_mutex_unlock(&lock);
		return;
	}
	g_mutex_unlock(&lock);
	fill_set(&set);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
}

static gpointer wait_for_signals(gpointer data)
{
	sigset_t set;
	int number;

	(void)data;
	fill_set(&set);
	for (;;)
		if (sigwait(&set, &number) == 0)
			deliver(number);
	return NULL;
}

void mtw_signals_block(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	fill_set(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	g_thread_unref(g_thread_new("signals", wait_for_signals, NULL));
}

void mtw_signals_watch(MtwWizard *wizard, MtwView *view)
{
	signal(SIGHUP, SIG_IGN);
	g_mutex_lock(&lock);
	watched_wizard = wizard;
	watched_view = view;
	g_mutex_unlock(&lock);
}

void mtw_signals_unwatch(void)
{
	mtw_signals_watch(NULL, NULL);
}
