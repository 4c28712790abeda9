/* SPDX-License-Identifier: MIT */
/* The text of a lesson that was written by doing it. */
#include "core/lesson/hl-lesson-draft-private.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-named.h"

#include <math.h>
#include <string.h>

#define OIL "simulation.model"
#define DIGITS 6        /* of numbers in the file */
#define BAND 0.05       /* relative, of a number that is waited for */
#define BAND_OF_WAY 0.5 /* but not more than this part of the way to it */
#define MARK "```"

static const HlDraftStep *
step_at (const HlLessonDraft *draft, int step)
{
  return step >= 0 && step < (int)draft->steps->len ? draft->steps->pdata[step] : NULL;
}

/* --- numbers in words --- */

char *
hl_draft_value_text (const HlDocument *document, const char *path, HlQuantity quantity, double si)
{
  const HlUnit *unit = hl_quantity_default_unit (quantity);
  const char *typed = path != NULL ? hl_document_typed (document, path) : NULL;
  char room[G_ASCII_DTOSTR_BUF_SIZE];
  double read;

  if (typed != NULL)
    return g_strdup (typed);
  if (quantity == HL_QUANTITY_NONE || unit == NULL)
    return g_strdup (g_ascii_formatd (room, sizeof room, "%.6g", si));
  g_autofree char *number = hl_unit_format_plain (unit, si, DIGITS);
  gboolean is_per = g_str_has_prefix (unit->name, "1/"); /* formulas read 50/s, not 50 1/s */
  g_autofree char *text =
      g_strdup_printf ("%s%s%s", number, is_per ? "" : " ", unit->name + (is_per ? 1 : 0));
  if (hl_document_read_number (document, text, quantity, unit, &read, NULL) &&
      fabs (read - si) <= 1e-5 * fabs (si))
    return g_steal_pointer (&text);
  g_ascii_formatd (room, sizeof room, "%.6g", si);
  const char *name = hl_quantity_si (quantity);
  return name != NULL && *name != '\0' ? g_strdup_printf ("%s %s", room, name) : g_strdup (room);
}

const char *
hl_draft_oil_of (const HlDifference *difference)
{
  return strcmp (difference->path, OIL) == 0 ? difference->after_text : NULL;
}

/* "set cyl.friction.scale 0.54" */
static char *
act_text (const HlDocument *after, const HlDifference *difference, const char *joint)
{
  if (hl_draft_oil_of (difference) != NULL)
    return g_strdup_printf ("oil%s%s", joint, hl_draft_oil_of (difference));
  g_autofree char *value =
      hl_draft_value_text (after, difference->path, difference->quantity, difference->after);
  return g_strdup_printf ("set%s%s %s", joint, difference->path, value);
}

/* One a line, behind the indent. */
static void
append_acts (GString *text,
             const HlDocument *before,
             const HlDocument *after,
             const char *indent,
             const char *joint)
{
  g_autoptr (GPtrArray) differences = hl_document_differences (before, after);

  for (guint k = 0; k < differences->len; k++) {
    g_autofree char *act = act_text (after, differences->pdata[k], joint);
    g_string_append_printf (text, "%s%s\n", indent, act);
  }
}

char *
hl_lesson_draft_done (const HlLessonDraft *draft, int step)
{
  GString *text = g_string_new (NULL);
  const HlDraftStep *at = step_at (draft, step);

  if (at != NULL)
    append_acts (text, at->before, at->after, "", " ");
  if (text->len > 0)
    g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

/* --- what is waited for --- */

static char *
number_condition (const HlDocument *after, const HlDifference *difference)
{
  double a = difference->before, b = difference->after;
  gboolean is_plain = strchr (difference->path, '-') == NULL;
  const char *quote = is_plain ? "" : "\"";
  g_autofree char *value = hl_draft_value_text (after, NULL, difference->quantity, b);
  double way = isfinite (a) ? fabs (b - a) : fabs (b);

  if (b == 0) {
    g_autofree char *band =
        hl_draft_value_text (after, NULL, difference->quantity, BAND_OF_WAY * way);
    return g_strdup_printf ("%s%s%s = %s ± %s", quote, difference->path, quote, value, band);
  }
  char band[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (band, sizeof band, "%.2g", 100 * fmin (BAND, BAND_OF_WAY * way / fabs (b)));
  return g_strdup_printf ("%s%s%s = %s ± %s %%", quote, difference->path, quote, value, band);
}

char *
hl_lesson_draft_until (const HlLessonDraft *draft, int step)
{
  const HlDraftStep *at = step_at (draft, step);

  if (at == NULL || at->kind != HL_DRAFT_DO)
    return NULL;
  if (at->until != NULL)
    return g_strdup (at->until);
  if (at->unstable[0] >= 0 && at->unstable[1] >= 0 && at->unstable[0] != at->unstable[1])
    return g_strdup_printf ("eig.unstable = %d", at->unstable[1]);
  if (at->pairs[0] >= 0 && at->pairs[1] >= 0 && at->pairs[0] != at->pairs[1])
    return g_strdup_printf ("pair.count = %d", at->pairs[1]);
  g_autoptr (GPtrArray) differences = hl_document_differences (at->before, at->after);
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint k = 0; k < differences->len; k++) {
    const HlDifference *difference = differences->pdata[k];
    g_autofree char *part = hl_draft_oil_of (difference) != NULL
                                ? g_strdup_printf ("oil(%s) = 1", hl_draft_oil_of (difference))
                                : number_condition (at->after, difference);
    g_string_append_printf (text, "%s%s", k > 0 ? " and " : "", part);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- the file --- */

/* One line, for a title. */
static char *
one_line (const char *text, const char *otherwise)
{
  g_autofree char *line = g_strdelimit (g_strdup (text), "\r\n", ' ');
  g_strstrip (line);
  return g_strdup (*line != '\0' ? line : otherwise);
}

/* What was typed stays text: no line of it begins a step or a block. */
static void
append_typed (GString *text, const char *typed)
{
  g_auto (GStrv) lines = g_strsplit (typed, "\n", -1);
  gboolean any = FALSE;

  for (int k = 0; lines[k] != NULL; k++) {
    g_strchomp (lines[k]);
    any = any || *lines[k] != '\0';
    if (!any)
      continue;
    if (lines[k][0] == '#' && (lines[k][1] == ' ' || lines[k][1] == '\0'))
      g_string_append_c (text, '\\');
    if (g_str_has_prefix (lines[k], MARK)) {
      g_string_append_printf (text, "\\`\\`\\`%s\n", lines[k] + strlen (MARK));
      continue;
    }
    g_string_append_printf (text, "%s\n", lines[k]);
  }
  if (any)
    g_string_append_c (text, '\n');
}

/* Keeps account of what the lesson has taken from the student. */
typedef struct
{
  GHashTable *kept;   /* path: HlDraftRole, LOCK or HIDE */
  GHashTable *faults; /* path: name of the fault */
} Account;

/* What sets one number by the lesson: a fault of it ends first. */
static void
append_set (GString *text,
            Account *account,
            const HlDocument *after,
            const HlDifference *difference)
{
  const char *fault = g_hash_table_lookup (account->faults, difference->path);
  g_autofree char *act = act_text (after, difference, ": ");

  if (fault != NULL)
    g_string_append_printf (text, "mend: %s\n", fault);
  g_string_append_printf (text, "%s\n", act);
  g_hash_table_remove (account->faults, difference->path);
}

static void
append_fault (GString *text,
              Account *account,
              const HlDraftStep *at,
              const HlDifference *difference,
              guint number)
{
  if (hl_draft_oil_of (difference) != NULL ||
      g_hash_table_contains (account->faults, difference->path)) {
    append_set (text, account, at->after, difference);
    return;
  }
  g_autofree char *value =
      hl_draft_value_text (at->after, difference->path, difference->quantity, difference->after);
  char *fault = g_strdup_printf ("fault%u_%u", at->serial, number);
  g_string_append_printf (text, "fault: %s %s %s\n", fault, difference->path, value);
  g_hash_table_insert (account->faults, g_strdup (difference->path), fault);
}

/* The student may change it again. */
static void
append_release (GString *text, Account *account, const char *path)
{
  HlDraftRole kept = GPOINTER_TO_INT (g_hash_table_lookup (account->kept, path));

  if (kept != HL_DRAFT_STUDENT)
    g_string_append_printf (text, "unlock: %s\n", path);
  if (kept == HL_DRAFT_HIDE)
    g_string_append_printf (text, "unhide: %s\n", path);
  g_hash_table_remove (account->kept, path);
}

/* After a step: what its role keeps from the student from then on, said where the next one begins. */
static void
append_keeping (GString *text, Account *account, const HlDraftStep *at)
{
  if (at->kind != HL_DRAFT_DO || (at->role != HL_DRAFT_LOCK && at->role != HL_DRAFT_HIDE))
    return;
  g_autoptr (GPtrArray) differences = hl_document_differences (at->before, at->after);
  for (guint k = 0; k < differences->len; k++) {
    const HlDifference *difference = differences->pdata[k];
    if (hl_draft_oil_of (difference) != NULL)
      continue;
    g_string_append_printf (text, "lock: %s\n", difference->path);
    if (at->role == HL_DRAFT_HIDE)
      g_string_append_printf (text, "hide: %s\n", difference->path);
    g_hash_table_insert (account->kept, g_strdup (difference->path), GINT_TO_POINTER (at->role));
  }
}

/* What the lesson does where a step begins; whether the student has anything left to do into *has_task. */
static char *
setup_text (const HlDraftStep *at,
            const HlDraftStep *last,
            const HlDocument *state,
            Account *account,
            gboolean *has_task)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) between = hl_document_differences (state, at->before);
  g_autoptr (GPtrArray) own = hl_document_differences (at->before, at->after);

  if (last != NULL)
    append_keeping (text, account, last);
  for (guint k = 0; k < between->len; k++)
    append_set (text, account, at->before, between->pdata[k]);
  *has_task = FALSE;
  for (guint k = 0; k < own->len; k++) {
    const HlDifference *difference = own->pdata[k];
    if (at->role == HL_DRAFT_FAULT)
      append_fault (text, account, at, difference, k + 1);
    else if (g_hash_table_contains (account->faults, difference->path))
      append_set (text, account, at->after, difference); /* of a fault nobody but the lesson can */
    else {
      append_release (text, account, difference->path);
      *has_task = TRUE;
    }
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* A block between its marks; no line of it ends it. */
static void
append_block (GString *text, const char *name, const char *lines)
{
  g_auto (GStrv) parts = g_strsplit (lines, "\n", -1);

  g_string_append_printf (text, MARK "%s\n", name);
  for (int k = 0; parts[k] != NULL; k++) {
    g_strchomp (parts[k]);
    if (*parts[k] != '\0' && !g_str_has_prefix (parts[k], MARK))
      g_string_append_printf (text, "%s\n", parts[k]);
  }
  g_string_append (text, MARK "\n");
}

/* What is to be done, where the author says nothing of it: "Set Friction scale of cyl to 0.1." */
static void
append_proposed (GString *text, const HlDraftStep *at)
{
  g_autoptr (GPtrArray) differences = hl_document_differences (at->before, at->after);

  for (guint k = 0; k < differences->len; k++) {
    const HlDifference *difference = differences->pdata[k];
    const char *oil = hl_draft_oil_of (difference);
    if (oil != NULL) {
      g_string_append_printf (text, _ ("Take the model of the oil “%s”."), hl_schema_word (oil));
      g_string_append_c (text, '\n');
      continue;
    }
    g_autofree char *words = hl_draft_number_words (at->after, difference->path);
    g_autofree char *value =
        hl_draft_value_text (at->after, difference->path, difference->quantity, difference->after);
    g_string_append_printf (text, _ ("Set %s to %s."), words, value);
    g_string_append_c (text, '\n');
  }
  g_string_append_c (text, '\n');
}

static gboolean
is_blank (const char *text)
{
  return text[strspn (text, " \t\r\n")] == '\0';
}

static void
append_step (
    GString *text, const HlLessonDraft *draft, int step, const HlDocument *state, Account *account)
{
  const HlDraftStep *at = draft->steps->pdata[step];
  const HlDraftStep *last = step > 0 ? draft->steps->pdata[step - 1] : NULL;
  g_autofree char *title = one_line (at->title, _ ("Step"));
  gboolean has_task;
  g_autofree char *setup = setup_text (at, last, state, account, &has_task);

  g_string_append_printf (text, "\n# %s\n\n", title);
  if (is_blank (at->text) && at->kind == HL_DRAFT_DO && has_task)
    append_proposed (text, at);
  else
    append_typed (text, at->text);
  if (*setup != '\0') {
    append_block (text, "setup", setup);
    g_string_append_c (text, '\n');
  }
  if (at->kind == HL_DRAFT_RUN)
    append_block (text, "run", "run:");
  if (at->kind == HL_DRAFT_ASK)
    append_block (text, "predict", at->ask);
  if (at->kind == HL_DRAFT_DO && has_task) {
    g_autofree char *until = hl_lesson_draft_until (draft, step);
    g_autofree char *line = one_line (until, "");
    g_string_append_printf (text, MARK "do\nuntil: %s\n", line);
    append_acts (text, at->before, at->after, "solution: ", " ");
    g_string_append (text, MARK "\n");
  }
}

char *
hl_lesson_draft_text (const HlLessonDraft *draft, const char *title, const char *model)
{
  GString *text = g_string_new (NULL);
  g_autofree char *named = one_line (title, _ ("A lesson"));
  const char *const *languages = g_get_language_names ();
  g_autofree char *language = g_strndup (languages[0], strcspn (languages[0], "_.@"));
  const HlDocument *state = draft->start;
  Account account = {g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                     g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free)};

  g_string_append_printf (text, "---\ntitle: %s\nmodel: %s\nlanguage: %s\n---\n", named, model,
                          strlen (language) == 2 ? language : "en");
  for (guint k = 0; k < draft->steps->len; k++) {
    append_step (text, draft, (int)k, state, &account);
    state = ((const HlDraftStep *)draft->steps->pdata[k])->after;
  }
  g_hash_table_unref (account.kept);
  g_hash_table_unref (account.faults);
  return g_string_free (text, FALSE);
}

char *
hl_lesson_draft_way (const char *from_file, const char *to_file)
{
  g_autofree char *folder = g_path_get_dirname (from_file);
  g_auto (GStrv) from = g_strsplit (folder, G_DIR_SEPARATOR_S, -1);
  g_auto (GStrv) to = g_strsplit (to_file, G_DIR_SEPARATOR_S, -1);
  GString *way = g_string_new (NULL);
  int n = 0;

  while (from[n] != NULL && to[n] != NULL && strcmp (from[n], to[n]) == 0)
    n++;
  for (int k = n; from[k] != NULL; k++)
    if (*from[k] != '\0')
      g_string_append (way, "../");
  for (int k = n; to[k] != NULL; k++)
    g_string_append_printf (way, "%s%s", to[k], to[k + 1] != NULL ? "/" : "");
  return g_string_free (way, FALSE);
}
