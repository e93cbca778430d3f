/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who the server is, and who we are. */
#include "base/error.h"
#include "submit/sftp-private.h"
#include "submit/store.h"

#include <string.h>
#include <sys/stat.h>

/* In the order of ssh; libcurl takes one a connection. */
static const char *const key_names[] = { "id_ed25519", "id_ecdsa", "id_rsa" };

#define AGENT "agent"
#define PASSWORD "password"

static char *ssh_file(const char *name)
{
	return g_build_filename(g_get_home_dir(), ".ssh", name, NULL);
}

/* A key that is not the one we know ends the connection. */
static int check_host_key(CURL *easy, const struct curl_khkey *known,
			  const struct curl_khkey *found, enum curl_khmatch match, void *unused)
{
	(void)easy, (void)known, (void)found, (void)unused;
	return match == CURLKHMATCH_OK ? CURLKHSTAT_FINE : CURLKHSTAT_REJECT;
}

/* libcurl takes every host when the file is not there. */
static gboolean set_known_hosts(MtwJob *job, CURL *easy, GError **error)
{
	const MtwTargetNetwork *network = &job->target->network;
	g_autofree char *path = NULL;

	if (network->host_key_sha256 != NULL)
		return curl_easy_setopt(easy, CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256,
					network->host_key_sha256) == CURLE_OK;
	path = network->known_hosts != NULL ? g_strdup(network->known_hosts)
					    : ssh_file("known_hosts");
	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return mtw_transfer_fail(
			job->transfer, MTW_FAILURE_PERMANENT, MTW_ERROR_TLS, error,
			"the host key is not known, there is no file %s: connect once with "
			"ssh, or set HostKeySHA256 in the target file",
			path);
	return curl_easy_setopt(easy, CURLOPT_SSH_KNOWNHOSTS, path) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SSH_KEYFUNCTION, check_host_key) == CURLE_OK;
}

static void set_login(MtwJob *job, CURL *easy, const char *method)
{
	const MtwSecret *secret = mtw_transfer_secret(job->transfer);
	const char *user = job->target->user;
	g_autofree char *path = NULL;

	curl_easy_setopt(easy, CURLOPT_USERNAME, *user != '\0' ? user : g_get_user_name());
	if (strcmp(method, PASSWORD) == 0) {
		curl_easy_setopt(easy, CURLOPT_SSH_AUTH_TYPES,
				 (long)(CURLSSH_AUTH_PASSWORD | CURLSSH_AUTH_KEYBOARD));
		curl_easy_setopt(easy, CURLOPT_PASSWORD, mtw_secret_text(secret));
		return;
	}
	if (strcmp(method, AGENT) == 0) {
		curl_easy_setopt(easy, CURLOPT_SSH_AUTH_TYPES, (long)CURLSSH_AUTH_AGENT);
		return;
	}
	path = ssh_file(method);
	curl_easy_setopt(easy, CURLOPT_SSH_AUTH_TYPES, (long)CURLSSH_AUTH_PUBLICKEY);
	curl_easy_setopt(easy, CURLOPT_SSH_PRIVATE_KEYFILE, path);
	/* It stays here: what opens the file. */
	if (secret != NULL)
		curl_easy_setopt(easy, CURLOPT_KEYPASSWD, mtw_secret_text(secret));
}

static CURL *begin(MtwJob *job, const char *method, GError **error)
{
	CURL *easy = mtw_transfer_easy(job->transfer, "sftp");

	if (easy == NULL || !set_known_hosts(job, easy, error))
		return NULL;
	set_login(job, easy, method);
	return easy;
}

void mtw_sftp_set_root(MtwJob *job, CURL *easy)
{
	const char *url = job->target->url;
	const char *host = strstr(url, "://") + 3;
	g_autofree char *root =
		g_strdup_printf("%.*s/", (int)(host - url + (gssize)strcspn(host, "/")), url);

	curl_easy_setopt(easy, CURLOPT_URL, root);
}

static gboolean has_method(MtwJob *job, const char *method)
{
	g_autofree char *path = NULL;

	if (strcmp(method, PASSWORD) == 0)
		return mtw_transfer_secret(job->transfer) != NULL;
	if (strcmp(method, AGENT) == 0)
		return g_getenv("SSH_AUTH_SOCK") != NULL;
	path = ssh_file(method);
	return g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

/* @ret_denied: the server is there and does not take this one */
static gboolean try_method(MtwJob *job, const char *method, gboolean *ret_denied, GError **error)
{
	CURL *easy = begin(job, method, error);
	g_autoptr(GError) cause = NULL;

	*ret_denied = FALSE;
	if (easy == NULL)
		return FALSE;
	mtw_sftp_set_root(job, easy);
	curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
	if (mtw_transfer_perform(job->transfer, &cause))
		return TRUE;
	*ret_denied = mtw_transfer_failure(job->transfer)->curl_code == CURLE_LOGIN_DENIED;
	return mtw_sftp_fail(job, g_steal_pointer(&cause), error);
}

static gboolean fail_login(MtwJob *job, const GString *tried, GError **error)
{
	const char *hint = "";

	if (strstr(tried->str, "id_") != NULL)
		hint = " (a key file with a passphrase wants ssh-add first)";
	if (tried->len == 0)
		hint = "there is no ssh agent, no key file (~/.ssh/id_ed25519) and no password";
	else if (strstr(tried->str, "id_rsa") != NULL && strstr(tried->str, "id_ed25519") == NULL)
		hint = " (RSA keys are signed in a way that newer servers refuse, by libssh2 "
		       "before "
		       "1.11; make another with ssh-keygen -t ed25519)";
	return mtw_transfer_fail(job->transfer, MTW_FAILURE_AUTH, MTW_ERROR_AUTH, error,
				 "the server did not let us in: %s%s%s",
				 tried->len > 0 ? "tried " : "", tried->str, hint);
}

gboolean mtw_sftp_log_in(MtwJob *job, GError **error)
{
	const char *methods[] = { AGENT, key_names[0], key_names[1], key_names[2], PASSWORD };
	g_autoptr(GString) tried = g_string_new(NULL);

	if (mtw_store_fact(job, "login") != NULL)
		return TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(methods); i++) {
		g_autoptr(GError) cause = NULL;
		gboolean denied;
		if (!has_method(job, methods[i]))
			continue;
		if (try_method(job, methods[i], &denied, &cause))
			return mtw_store_remember(job, "login", methods[i], error);
		if (!denied) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return FALSE;
		}
		g_string_append_printf(tried, "%s%s", tried->len > 0 ? ", " : "", methods[i]);
	}
	return fail_login(job, tried, error);
}

/* What a run before took is not there any more: an agent that ended, a password that was not given again. */
static gboolean forget_login(MtwJob *job, GError **error)
{
	const char *method = mtw_store_fact(job, "login");

	if (method == NULL || has_method(job, method))
		return TRUE;
	return mtw_store_remember(job, "login", NULL, error);
}

CURL *mtw_sftp_handle(MtwJob *job, GError **error)
{
	if (!forget_login(job, error) || !mtw_sftp_log_in(job, error))
		return NULL;
	return begin(job, mtw_store_fact(job, "login"), error);
}

gboolean mtw_sftp_fail(MtwJob *job, GError *cause, GError **error)
{
	g_autoptr(GError) owned = cause;

	/* It was let in before: another time other keys are tried. */
	if (mtw_transfer_failure(job->transfer)->curl_code == CURLE_LOGIN_DENIED &&
	    !mtw_store_remember(job, "login", NULL, error))
		return FALSE;
	g_propagate_error(error, g_steal_pointer(&owned));
	return FALSE;
}
