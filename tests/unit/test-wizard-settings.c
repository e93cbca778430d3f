/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The person's settings: the file, and what the walk makes of them. */
#include "test-wizard-send.h"

#include <sys/stat.h>

#define PATH "home/alice/.config/mmiotrace-wizard/settings.conf"

static MtwSettings *load(void)
{
	g_autoptr(GError) error = NULL;
	MtwSettings *settings = mtw_settings_load(&script.caller, &error);

	if (settings == NULL)
		fail_msg("%s", error->message);
	return settings;
}

static void save(const MtwSettings *settings)
{
	g_autoptr(GError) error = NULL;

	if (!mtw_settings_save(&script.caller, settings, &error))
		fail_msg("%s", error->message);
}

static void put(char **field, const char *text)
{
	g_free(*field);
	*field = g_strdup(text);
}

static void put_words(MtwSettings *settings, const char *words)
{
	g_strfreev(settings->redact_words);
	settings->redact_words = g_strsplit(words, "|", -1);
}

static void assert_words(const MtwSettings *settings, const char *wanted)
{
	g_autofree char *words = g_strjoinv("|", settings->redact_words);

	assert_string_equal(words, wanted);
}

/* ---- the file -------------------------------------------------------------------------------- */

static void test_no_file(void **state)
{
	g_autoptr(MtwSettings) settings = load();

	(void)state;
	assert_string_equal(settings->nick, "");
	assert_string_equal(settings->contact, "");
	assert_string_equal(settings->target, "");
	assert_words(settings, "");
	assert_false(settings->never_ask);
	assert_false(settings->no_notifications);
}

static void test_round(void **state)
{
	g_autoptr(MtwSettings) settings = mtw_settings_new();
	g_autoptr(MtwSettings) loaded = NULL;
	g_autofree char *path = fake_root_path(kernel.root, PATH);
	struct stat info;

	(void)state;
	put(&settings->nick, "alice");
	put(&settings->contact, "Alice; <alice@lab.example> \\o/");
	put(&settings->target, "nouveau-gitlab");
	put_words(settings, "Rosebud|two words|a;b|#c=d");
	settings->never_ask = settings->no_notifications = TRUE;
	save(settings);
	loaded = load();
	assert_string_equal(loaded->nick, "alice");
	assert_string_equal(loaded->contact, settings->contact);
	assert_string_equal(loaded->target, "nouveau-gitlab");
	assert_words(loaded, "Rosebud|two words|a;b|#c=d");
	assert_true(loaded->never_ask);
	assert_true(loaded->no_notifications);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
}

/* Nothing of it is left when it is taken back, and what the program does not know stays. */
static void test_the_rest_stays(void **state)
{
	g_autoptr(MtwSettings) settings = NULL;
	g_autoptr(MtwSettings) none = mtw_settings_new();
	g_autofree char *text = NULL;

	(void)state;
	fake_root_put(
		kernel.root, PATH,
		"# mine\n[Window]\nWidth=800\nNotifications=false\n[Send]\nAsk=never\nTarget=here\n"
		"[Person]\nNick=bob\nContact=x\nShoe=43\nShoe[zz]=9\n[Redact]\nWords=a;b;\n");
	settings = load();
	assert_true(settings->never_ask);
	assert_true(settings->no_notifications);
	assert_string_equal(settings->nick, "bob");
	assert_words(settings, "a|b");
	save(none);
	text = fake_root_read(kernel.root, PATH);
	assert_non_null(strstr(text, "# mine"));
	assert_non_null(strstr(text, "Width=800"));
	assert_non_null(strstr(text, "Shoe=43"));
	assert_non_null(strstr(text, "Shoe[zz]=9"));
	for (const char *const *gone = (const char *const[]){ "Notifications", "Ask", "Target",
							      "Nick", "Contact=", "Words", NULL };
	     *gone != NULL; gone++)
		assert_null(strstr(text, *gone));
}

/* An answer that a later version may know is not taken for "never", and not taken away. */
static void test_another_answer(void **state)
{
	g_autoptr(MtwSettings) settings = NULL;
	g_autofree char *text = NULL;

	(void)state;
	fake_root_put(kernel.root, PATH, "[Send]\nAsk=always\n");
	settings = load();
	assert_false(settings->never_ask);
	save(settings);
	text = fake_root_read(kernel.root, PATH);
	assert_non_null(strstr(text, "Ask=always"));
}

static void test_cleaned(void **state)
{
	g_autoptr(MtwSettings) settings = mtw_settings_new();
	g_autoptr(MtwSettings) loaded = NULL;
	g_autoptr(GString) many = g_string_new(" one |one||\t|\xc3\xa4\xff|two\nthree");
	g_autofree char *text = NULL;

	(void)state;
	for (int i = 0; i < MTW_SETTINGS_MAX_WORDS + 5; i++)
		g_string_append_printf(many, "|w%d", i);
	put(&settings->nick, "../Alice Liddell\033[2J");
	text = g_strnfill(3 * MTW_SETTINGS_MAX_CHARS, 'x');
	settings->contact =
		(g_free(settings->contact), g_strconcat(" a\n[Send]\nAsk=never ", text, NULL));
	put_words(settings, many->str);
	save(settings);
	loaded = load();
	assert_string_equal(loaded->nick, "Alice-Liddell-2J");
	assert_true(g_str_has_prefix(loaded->contact, "a [Send] Ask=never xxx"));
	assert_int_equal(strlen(loaded->contact), MTW_SETTINGS_MAX_CHARS);
	assert_false(loaded->never_ask);
	assert_string_equal(loaded->redact_words[0], "one");
	assert_string_equal(loaded->redact_words[1], "\xc3\xa4\xef\xbf\xbd");
	assert_string_equal(loaded->redact_words[2], "two three");
	assert_string_equal(loaded->redact_words[3], "w0");
	assert_int_equal(g_strv_length(loaded->redact_words), MTW_SETTINGS_MAX_WORDS);
}

static void assert_broken(const char *text)
{
	g_autoptr(GError) error = NULL;

	fake_root_put(kernel.root, PATH, text);
	assert_null(mtw_settings_load(&script.caller, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	assert_non_null(strstr(error->message, "settings.conf"));
}

static void test_broken(void **state)
{
	g_autoptr(MtwSettings) settings = mtw_settings_new();
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;

	(void)state;
	assert_broken("[Window]\nNotifications=perhaps\n");
	assert_broken("[Person]\nNick=\xff\n");
	assert_broken("[Redact]\nWords=\\q;\n");
	assert_broken("no group\n");
	/* It is not overwritten. */
	assert_false(mtw_settings_save(&script.caller, settings, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	text = fake_root_read(kernel.root, PATH);
	assert_string_equal(text, "no group\n");
}

/* What is there but cannot be read must not be taken for nothing. */
static void test_unreadable(void **state)
{
	g_autoptr(MtwSettings) settings = mtw_settings_new();
	g_autoptr(GError) error = NULL;

	(void)state;
	fake_root_put(kernel.root, PATH "/x", "a folder in its place");
	assert_null(mtw_settings_load(&script.caller, &error));
	assert_non_null(error);
	assert_false(mtw_settings_save(&script.caller, settings, NULL));
	assert_false(mtw_settings_never_ask(&script.caller));
}

/* ---- the walk -------------------------------------------------------------------------------- */

static struct {
	char *nick, *target, *harmless;
} proposed;

static char *note_proposals(MtwView *view, const MtwRequest *request)
{
	if (strcmp(request->id, "nick") == 0)
		put(&proposed.nick, request->proposal);
	if (strcmp(request->id, "target") == 0) {
		put(&proposed.target, request->proposal);
		put(&proposed.harmless, request->harmless);
	}
	return script_ask(view, request);
}

static const MtwViewOps noting_ops = { .show = script_show,
				       .ask = note_proposals,
				       .capture_line = script_capture_line,
				       .can_edit = script_can_edit };

static void run_noting(void)
{
	g_clear_pointer(&script.wizard, mtw_wizard_free);
	script.view.base.ops = &noting_ops;
	script.engine.starts = 0;
	walk(WITH("target=none"));
	script_run(NULL);
}

static void clear_proposed(void)
{
	g_clear_pointer(&proposed.nick, g_free);
	g_clear_pointer(&proposed.target, g_free);
	g_clear_pointer(&proposed.harmless, g_free);
}

static void test_proposals(void **state)
{
	(void)state;
	put_target("here", BROWSER);
	put_target("there", BROWSER);
	run_noting();
	assert_string_equal(proposed.nick, "alice");
	assert_string_equal(proposed.target, "none");
	fake_root_put(kernel.root, PATH, "[Person]\nNick=white-rabbit\n[Send]\nTarget=there\n");
	run_noting();
	assert_string_equal(proposed.nick, "white-rabbit");
	assert_string_equal(proposed.target, "there");
	/* Silence sends nothing all the same. */
	assert_string_equal(proposed.harmless, "none");
	fake_root_put(kernel.root, PATH, "[Send]\nTarget=gone\n");
	run_noting();
	assert_string_equal(proposed.nick, "alice");
	assert_string_equal(proposed.target, "none");
	assert_queued("");
	clear_proposed();
}

static char *packed_description(void)
{
	g_autofree char *path =
		g_build_filename(script.output, "8086-100e-alice-mmiotrace.tar.gz", NULL);
	char *text = mtw_archive_read_member(path, "description.txt", 1000000, NULL, NULL);

	assert_non_null(text);
	return text;
}

static void test_contact_and_words(void **state)
{
	g_autofree char *text = NULL;

	(void)state;
	fake_root_put(
		kernel.root, PATH,
		"[Person]\nContact=Al <al@lab.example>, 192.168.4.5\n[Redact]\nWords=rosebud;\n");
	mtw_answers_set(script.answers, "story", "Rosebud sat at eve@lab.example, 192.168.4.6.");
	script.options.redact_words = (const char *const[]){ "eleanor", NULL };
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	assert_seen("message contact;");
	assert_not_seen("message settings;");
	text = packed_description();
	assert_non_null(strstr(text, "\nContact: Al <al@lab.example>, 192.168.4.5\n"));
	assert_null(strstr(text, "Rosebud"));
	assert_null(strstr(text, "eve@lab.example"));
	assert_null(strstr(text, "192.168.4.6"));
}

/* It is told, and the walk goes on without them. */
static void test_broken_in_the_walk(void **state)
{
	g_autofree char *text = NULL;

	(void)state;
	fake_root_put(kernel.root, PATH, "[Person]\nContact=a@b.example\nno key\n");
	mtw_answers_set(script.answers, "story", "It worked.");
	script.engine.tries = ONE_GOOD;
	script_run(NULL);
	assert_seen("message settings;");
	assert_not_seen("message contact;");
	text = packed_description();
	assert_null(strstr(text, "Contact"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SEND_TEST(test_no_file),	   SEND_TEST(test_round),
		SEND_TEST(test_the_rest_stays),	   SEND_TEST(test_another_answer),
		SEND_TEST(test_cleaned),	   SEND_TEST(test_broken),
		SEND_TEST(test_unreadable),	   SEND_TEST(test_proposals),
		SEND_TEST(test_contact_and_words), SEND_TEST(test_broken_in_the_walk),
	};

	return cmocka_run_group_tests_name("wizard-settings", tests, NULL, NULL);
}
