/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Talking to the server: what it says before, the transfer itself, and what is left to do after it. */
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "capture/events.h"
#include "wizard/sending-private.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- secrets -------------------------------------------------------------------------------- */

static void tell_refused(MtwSending *sending)
{
	mtw_wizard_tell(sending->wizard,
			mtw_message_new("token", MTW_LEVEL_WARNING,
					N_("The server did not accept that."), "", NULL));
}

static MtwSecret *ask_for_secret(MtwSending *sending, const MtwTarget *target)
{
	gboolean password = target->auth == MTW_AUTH_BASIC || target->auth == MTW_AUTH_SMTP;
	g_autofree char *detail = g_strdup_printf("%s%s%s", target->host,
						  target->token_help_uri[0] != '\0' ? ", " : "",
						  target->token_help_uri);
	const MtwRequest request = {
		.id = "token",
		.kind = MTW_REQUEST_SECRET,
		.sentence =
			password
				? N_("The server wants a password. It is not shown while you type; "
				     "Enter alone goes on without.")
				: N_("The server wants to know who sends this: a token (API key) "
				     "of your account there. It is not shown while you type; Enter "
				     "alone goes on without."),
		.detail = detail,
	};
	char *answer = mtw_wizard_ask(sending->wizard, &request, NULL);
	MtwSecret *secret = NULL;

	if (answer != NULL && answer[0] != '\0')
		secret = mtw_secret_new(answer, strlen(answer));
	if (answer != NULL)
		mtw_secret_wipe(answer, strlen(answer));
	g_free(answer);
	return secret;
}

/* Asked once: the inquiry and the transfer need it both. */
static MtwSecret *on_ask_secret(const MtwTarget *target, gboolean refused, gpointer user_data)
{
	MtwSending *sending = user_data;

	if (mtw_sending_is_unattended(sending))
		return NULL;
	if (sending->typed != NULL && !refused && sending->typed_for == target)
		return mtw_secret_copy(sending->typed);
	g_clear_pointer(&sending->typed, mtw_secret_free);
	if (refused)
		tell_refused(sending);
	sending->typed = ask_for_secret(sending, target);
	sending->typed_for = target;
	return sending->typed != NULL ? mtw_secret_copy(sending->typed) : NULL;
}

/*
 * A descriptor or standard input is read once, but the server is spoken to twice: the secret is kept, and given on as
 * a file in memory.
 */
static gboolean read_named(MtwSending *sending, GError **error)
{
	const MtwWizardOptions *options = sending->wizard->options;
	const MtwCredentialSource source = {
		.token_file = options->token_file,
		.token_fd = options->token_fd != 0 ? (int)options->token_fd : -1,
		.no_keyring = TRUE,
	};
	MtwCredentialOrigin origin;

	if (sending->first != NULL || (options->token_file == NULL && options->token_fd == 0))
		return TRUE;
	sending->first = sending->target;
	return mtw_credential_find(sending->target, &source, &sending->named, &origin, error);
}

static int secret_file(const MtwSecret *secret, GError **error)
{
	g_auto(MtwFd) fd = memfd_create("token", MFD_CLOEXEC);
	const char *text = mtw_secret_text(secret);

	if (fd < 0) {
		mtw_set_error_errno(error, errno, "handing over the token");
		return -1;
	}
	if (!mtw_file_write_all(fd, text, strlen(text), error) || lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	return mtw_fd_steal(&fd);
}

/* A secret that was named is for the place that was named, and for no other. */
static gboolean fill_source(MtwSending *sending, MtwCredentialSource *source, GError **error)
{
	*source = (MtwCredentialSource){ .token_fd = -1 };
	if (!read_named(sending, error))
		return FALSE;
	if (sending->named == NULL || sending->first != sending->target)
		return TRUE;
	source->token_fd = secret_file(sending->named, error);
	return source->token_fd >= 0;
}

static gboolean ask_remember(MtwSending *sending, GError **error)
{
	const MtwRequest request = {
		.id = "remember-token",
		.kind = MTW_REQUEST_YES_NO,
		.sentence = N_("Keep this token for the next time?"),
		.detail = sending->target->host,
		.proposal = "no",
		.harmless = "no",
	};
	g_autofree char *answer = NULL;
	const char *where = NULL;
	g_autoptr(GError) why = NULL;

	if (sending->typed == NULL)
		return TRUE;
	answer = mtw_wizard_ask(sending->wizard, &request, error);
	if (g_strcmp0(answer, "yes") != 0)
		return answer != NULL;
	if (mtw_credential_remember(sending->typed_for, sending->typed, &where, &why))
		mtw_wizard_tell(sending->wizard,
				mtw_message_new("remembered", MTW_LEVEL_OK,
						N_("The token is kept."), "", "%s", where));
	else
		mtw_wizard_tell(sending->wizard, mtw_message_new("remembered", MTW_LEVEL_WARNING,
								 N_("The token could not be kept."),
								 "", "%s", why->message));
	return TRUE;
}

/* ---- talking -------------------------------------------------------------------------------- */

static void on_event(JsonObject *event, gpointer user_data)
{
	MtwSending *sending = user_data;

	sending->wizard->view->ops->show(sending->wizard->view, event);
}

static MtwSendOptions options_of(MtwSending *sending, const MtwCredentialSource *source)
{
	return (MtwSendOptions){
		.paths = sending->wizard->paths,
		.credentials = source,
		.ask_secret = on_ask_secret,
		.event = on_event,
		.user_data = sending,
		.cancel = &sending->wizard->interrupted,
		.no_network = sending->wizard->options->no_network,
		.one_try = sending->one_try,
	};
}

static void show_inquiry(MtwSending *sending)
{
	const MtwInquiry *inquiry = &sending->inquiry;
	JsonObject *event = mtw_event_new("inquiry");

	json_object_set_int_member(event, "limit",
				   (gint64)MIN(inquiry->max_bytes, (guint64)G_MAXINT64));
	mtw_json_set_text(event, "who", inquiry->who);
	mtw_json_set_text(event, "duplicate", inquiry->duplicate);
	mtw_wizard_show(sending->wizard, event);
	for (guint i = 0; inquiry->notes != NULL && i < inquiry->notes->len; i++)
		mtw_wizard_show(sending->wizard, mtw_event_message(inquiry->notes->pdata[i]));
}

gboolean mtw_sending_inquire(MtwSending *sending, GError **error)
{
	MtwCredentialSource source;
	MtwSendOptions options;

	if (sending->asked == sending->target)
		return TRUE;
	mtw_inquiry_clear(&sending->inquiry);
	sending->asked = sending->target;
	if (!mtw_kind_needs_network(sending->kind, sending->target) ||
	    sending->wizard->options->no_network) {
		sending->inquiry.max_bytes = sending->target->max_bytes;
		return TRUE;
	}
	if (!fill_source(sending, &source, error))
		return FALSE;
	options = options_of(sending, &source);
	if (!mtw_send_inquire(sending->target, sending->letter, sending->link, &options,
			      &sending->inquiry, error))
		return FALSE;
	show_inquiry(sending);
	return TRUE;
}

/* ---- afterwards ----------------------------------------------------------------------------- */

static JsonObject *facts_of(const MtwItem *item)
{
	return mtw_json_object(mtw_item_state_json(item), "facts");
}

static void show_queued(MtwSending *sending, const MtwItem *item)
{
	JsonObject *event = mtw_event_new("queued");
	JsonObject *state = mtw_item_state_json(item);

	mtw_json_set_text(event, "id", mtw_item_id(item));
	mtw_json_set_text(event, "target", mtw_item_target(item));
	mtw_json_set_text(event, "host", sending->target->host);
	json_object_set_string_member(event, "state", mtw_item_state_name(mtw_item_state(item)));
	json_object_set_int_member(event, "next_try_sec", mtw_json_int(state, "next_try_sec", 0));
	mtw_wizard_show(sending->wizard, event);
}

/* For the session: what became of its archive. */
static void keep_receipt(MtwSending *sending, const MtwItem *item)
{
	JsonObject *receipt = json_object_new();
	JsonNode *node = json_node_new(JSON_NODE_OBJECT);

	mtw_json_set_text(receipt, "target", mtw_item_target(item));
	mtw_json_set_text(receipt, "url", mtw_item_url(item));
	mtw_json_set_text(receipt, "report_id",
			  mtw_json_string(mtw_item_meta(item), "report_id", ""));
	json_object_set_int_member(receipt, "time_sec", g_get_real_time() / G_USEC_PER_SEC);
	json_node_take_object(node, receipt);
	(void)mtw_engine_keep_fact(sending->wizard->engine, "sent", node, NULL);
}

static void tell_note(MtwSending *sending, const MtwItem *item)
{
	const char *note = mtw_json_string(facts_of(item), "note", "");

	if (note[0] != '\0')
		mtw_wizard_tell(sending->wizard,
				mtw_message_new("note", MTW_LEVEL_OK, g_intern_string(note), "",
						"%s", mtw_json_string(facts_of(item), "path", "")));
}

gboolean mtw_sending_transfer(MtwSending *sending, MtwItem *item, GError **error)
{
	MtwCredentialSource source;
	MtwSendOptions options;

	if (!fill_source(sending, &source, error))
		return FALSE;
	options = options_of(sending, &source);
	if (!mtw_send_item(item, sending->target, &options, error)) {
		show_queued(sending, item);
		return FALSE;
	}
	keep_receipt(sending, item);
	tell_note(sending, item);
	return ask_remember(sending, error);
}

/* ---- what a person has to finish ------------------------------------------------------------ */

/* An address, or a file of the queue or the report; never an option. */
static gboolean may_open(const char *what)
{
	return mtw_url_is_safe(what) || g_path_is_absolute(what);
}

static gboolean has_desktop(void)
{
	return g_getenv("DISPLAY") != NULL || g_getenv("WAYLAND_DISPLAY") != NULL;
}

/* The browser outlives this program and its terminal. */
static void leave_session(gpointer user_data)
{
	(void)user_data;
	(void)setsid();
}

static void open_it(MtwSending *sending, const char *what)
{
	g_autofree char *program = mtw_paths_tool(sending->wizard->paths, "xdg-open");
	g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(
		G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
	g_auto(GStrv) environment = mtw_process_environment();
	g_autoptr(GSubprocess) child = NULL;

	g_subprocess_launcher_set_environ(launcher, environment);
	g_subprocess_launcher_set_child_setup(launcher, leave_session, NULL, NULL);
	if (program != NULL)
		child = g_subprocess_launcher_spawn(launcher, NULL, program, what, NULL);
	if (child == NULL)
		mtw_wizard_tell(
			sending->wizard,
			mtw_message_new("finish", MTW_LEVEL_WARNING,
					N_("It could not be opened; please do it yourself."), "",
					"%s", what));
}

gboolean mtw_sending_finish(MtwSending *sending, const MtwItem *item, GError **error)
{
	const char *what = mtw_json_string(facts_of(item), "open", "");
	const MtwRequest request = {
		.id = "finish",
		.kind = MTW_REQUEST_YES_NO,
		.sentence = N_("Open it now?"),
		.detail = what,
		.proposal = "yes",
		.harmless = "no",
	};
	g_autofree char *answer = NULL;

	if (what[0] == '\0' || !may_open(what))
		return TRUE;
	mtw_wizard_tell(sending->wizard,
			mtw_message_new("finish", MTW_LEVEL_WARNING,
					N_("You have to finish it yourself, there:"), "", "%s",
					what));
	if (!has_desktop())
		return TRUE;
	answer = mtw_wizard_ask(sending->wizard, &request, error);
	if (g_strcmp0(answer, "yes") == 0)
		open_it(sending, what);
	return answer != NULL;
}
