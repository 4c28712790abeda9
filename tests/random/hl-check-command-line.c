/* SPDX-License-Identifier: MIT */
/* The command line with the file of a random machine: exit 0, 1 or 2, no NaN with exit 0, a message
 * with every other, which names something of the file. */
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/random/hl-random-checks.h"

/* One machine in so many: a process takes as long as all other checks of a machine. */
#define EVERY 20

/* A program that hangs is killed by the system: processor time, not the clock. */
#define MOST_SECONDS 60

static void limit_time (void *unused) {
  const struct rlimit limit = {MOST_SECONDS, MOST_SECONDS};

  (void)unused;
  setrlimit (RLIMIT_CPU, &limit);
}

static bool holds_word (const char *text, const char *word) {
  for (const char *at = strstr (text, word); at != NULL; at = strstr (at + 1, word))
    if ((at == text || !g_ascii_isalpha (at[-1])) && !g_ascii_isalpha (at[strlen (word)]))
      return true;
  return false;
}

static void run_program (HlRandomMachine *m, const char *path, const char *command, const char *more) {
  g_autofree char *line = g_strdup_printf ("'%s' %s '%s' %s", m->report->program, command, path, more);
  g_autofree char *out = NULL, *err = NULL;
  g_autoptr (GError) error = NULL;
  int how = 0;

  g_auto (GStrv) words = NULL;
  g_shell_parse_argv (line, NULL, &words, NULL);
  if (!g_spawn_sync (NULL, words, NULL, G_SPAWN_SEARCH_PATH, limit_time, NULL, &out, &err, &how, &error))
    g_error ("%s", error->message);
  int code = WIFEXITED (how) ? WEXITSTATUS (how) : -1;
  if (WIFSIGNALED (how))
    hl_random_fail (m->report, "%s: %s", command, strsignal (WTERMSIG (how)));
  if (code > 2 || strstr (err, "Sanitizer") != NULL || strstr (err, "runtime error") != NULL)
    hl_random_fail (m->report, "%s: exit %d: %.300s", command, code, err);
  if (code == 0 && (holds_word (out, "nan") || holds_word (out, "inf") || holds_word (out, "NaN") ||
                    holds_word (out, "Infinity")))
    hl_random_fail (m->report, "%s prints what is no number", command);
  const char *said = strcmp (command, "validate") == 0 ? out : err;
  if (code > 0 && strstr (said, "‘") == NULL && strstr (said, ": ") == NULL)
    hl_random_fail (m->report, "%s: exit %d without naming an element: %.300s", command, code, said);
  if (code == 2 && m->sys != NULL)
    hl_random_fail (m->report, "%s: exit 2 for a sound file: %.300s", command, said);
  if (code == 0 && m->sys == NULL)
    hl_random_fail (m->report, "%s: exit 0 for a file that is refused", command);
  json_t *json = strstr (more, "--json") != NULL && code == 0 ? json_loads (out, 0, NULL) : json_null ();
  if (json == NULL)
    hl_random_fail (m->report, "%s: no JSON", command);
  json_decref (json);
}

void hl_random_check_program (HlRandomMachine *m) {
  if (m->report->program == NULL || m->report->index % EVERY != 0)
    return;
  g_autofree char *path = g_strdup_printf ("%s/random-machine-%u-%u.hydrolink", g_get_tmp_dir (),
                                           m->report->seed, m->report->index);
  g_file_set_contents (path, m->report->text, -1, NULL);
  run_program (m, path, "validate", "");
  run_program (m, path, "equilibrium", "--json");
  run_program (m, path, "linearize", "--at start --json");
  run_program (m, path, "simulate", "--t-end 0.002 --every 0.001");
  remove (path);
}
