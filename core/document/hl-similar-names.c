/* SPDX-License-Identifier: MIT */
/* Finds names similar to a missing one: by their letters (Levenshtein), or by their meaning. A word is
 * compared with the parts of a name, with the label and the help of its property, and with a table of
 * synonyms. */
#include "core/document/hl-similar-names.h"

#include "core/base/hl-translation-macros.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NEAR_MISSES 3
#define MOST_LETTERS 200 /* of a name that is compared with others */

/* Returns the Levenshtein distance without regard to case; fails above the limit. */
static int edit_distance (const char *a, const char *b, int limit) {
  int n = (int)strlen (a);
  int m = (int)strlen (b);

  if (ABS (n - m) > limit)
    return limit + 1;
  int row[MOST_LETTERS + 1];
  if (m > MOST_LETTERS)
    return limit + 1;
  for (int j = 0; j <= m; j++)
    row[j] = j;
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0], least = i;
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      gboolean same = g_ascii_tolower (a[i - 1]) == g_ascii_tolower (b[j - 1]);
      int best = MIN (MIN (row[j], row[j - 1]) + 1, diagonal + (same ? 0 : 1));
      diagonal = row[j];
      row[j] = best;
      least = MIN (least, best);
    }
    if (least > limit) /* no row below has a smaller one */
      return limit + 1;
  }
  return row[m];
}

/* Returns how far a candidate is: typing errors, or only the last part fits ("Fc" for "cyl.friction.Fc").
 */
static int distance (const char *path, const char *candidate, int limit) {
  const char *dot = strchr (path, '.');
  const char *candidate_dot = strrchr (candidate, '.');
  gsize head = dot != NULL ? (gsize)(dot - path) + 1 : 0;

  if (dot != NULL && strncmp (path, candidate, head) == 0 && candidate_dot != NULL &&
      g_ascii_strcasecmp (dot + 1, candidate_dot + 1) == 0)
    return 1;
  return edit_distance (path, candidate, limit);
}

/* Returns "‘a’, ‘b’ or ‘c’". Owned by the caller. */
static char *quoted_list (const char *const *names, int n) {
  GString *text = g_string_new (NULL);

  for (int i = 0; i < n; i++) {
    g_string_append (text, i == 0 ? "" : i == n - 1 ? _ (" or ") : ", ");
    g_string_append_printf (text, _ ("‘%s’"), names[i]);
  }
  return g_string_free (text, FALSE);
}

char *hl_near_names (const char *const *paths, const char *path) {
  gsize length = strlen (path);
  int limit = length > MOST_LETTERS ? 0 : MAX (2, (int)length / 4);
  const char *near[MOST_NEAR_MISSES] = {NULL};
  int far[MOST_NEAR_MISSES] = {0};
  int n = 0;

  for (int i = 0; paths[i] != NULL; i++) {
    int d = distance (path, paths[i], limit);
    int at = n;
    if (d > limit)
      continue;
    while (at > 0 && far[at - 1] > d)
      at--;
    for (int j = MIN (n, MOST_NEAR_MISSES - 1); j > at; j--) {
      near[j] = near[j - 1];
      far[j] = far[j - 1];
    }
    if (at < MOST_NEAR_MISSES) {
      near[at] = paths[i];
      far[at] = d;
      n = MIN (n + 1, MOST_NEAR_MISSES);
    }
  }
  return n > 0 ? quoted_list (near, n) : NULL;
}

/* --- names by meaning --- */

/* Words that people use for what the file calls otherwise. */
static const struct {
  const char *word, *means;
} synonyms[] = {
    {"bore", "piston_diameter"},
    {"weight", "mass"},
    {"p", "pressure"},
    {"q", "flow"},
    {"x0", "x"},
    {"y0", "y"},
    {"j", "inertia"},
    {"moment", "inertia"},
    {"phi", "angle"},
    {"theta", "angle"},
    {"rotation", "angle"},
    {"speed", "omega"},
    {"dry", "Fc"},
    {"coulomb", "Fc"},
    {"static", "Fs"},
    {"stiction", "Fs"},
    {"stribeck", "vs"},
    {"viscous", "sigma2"},
    {"damping", "sigma2"},
    {"orifice", "diameter"},
    {"opening", "spool"},
    {"gain", "Cv"},
    {"input", "command"},
    {"signal", "command"},
    {"u", "command"},
    {"rho", "density"},
    {"bulk", "bulk_modulus"},
    {"modulus", "bulk_modulus"},
    {"rod", "rod_diameter"},
    {"cracking", "pressure"},
    {"setting", "pressure"},
    {"tau", "time_constant"},
    {"lag", "time_constant"},
    {"duration", "t_end"},
    {"end", "t_end"},
    {"dt", "every"},
    {"tolerance", "rtol"},
    {"area", "piston_area"},
    {"length", "stroke"},
    {"spring", "stiffness"},
    {"k", "stiffness"},
    {"rate", "stiffness"},
};

#define MEANS_NAME 4 /* a word of the name itself */
#define MEANS_LABEL 2
#define MEANS_HELP 1

/* Returns whether the text has the word, or one that begins with it. */
static gboolean has_word (const char *text, const char *word) {
  gsize length = strlen (word);

  for (const char *at = text; at != NULL && *at != '\0';) {
    while (*at != '\0' && !g_ascii_isalnum (*at))
      at++;
    gsize n = strcspn (at, " ._-,;:()/");
    gboolean is_same = n == length || (n > length && length >= 4);
    if (is_same && g_ascii_strncasecmp (at, word, length) == 0)
      return TRUE;
    at += n;
  }
  return FALSE;
}

static int meaning_of_word (const char *word, const char *name, const char *label, const char *help) {
  int score = 0;

  if (has_word (name, word))
    score = MEANS_NAME;
  else if (strlen (word) > 2)
    score = has_word (label, word) ? MEANS_LABEL : has_word (help, word) ? MEANS_HELP : 0;
  for (gsize k = 0; k < G_N_ELEMENTS (synonyms); k++) {
    const char *tail = strrchr (name, '.');
    if (g_ascii_strcasecmp (synonyms[k].word, word) == 0 &&
        strcmp (synonyms[k].means, tail != NULL ? tail + 1 : name) == 0)
      score = MEANS_NAME + 1;
  }
  return score;
}

/* Returns how well a word fits a number of the file; 0: not at all. */
static int meaning (const char *asked, const HlKind *kind, const char *name) {
  const HlField *field = kind != NULL ? hl_kind_find_field (kind, name) : NULL;
  const HlOutput *output = kind != NULL ? hl_kind_find_output (kind, name) : NULL;
  const char *label = field != NULL ? field->label : output != NULL ? output->label : NULL;
  g_auto (GStrv) words = g_strsplit_set (asked, "._- ", -1);
  int score = 0;

  for (int k = 0; words[k] != NULL; k++)
    if (*words[k] != '\0')
      score += meaning_of_word (words[k], name, label, field != NULL ? field->help : NULL);
  return score;
}

/* Returns the best ones; NULL: none. */
static char *nearest_by_meaning (const char *const *names, gsize head, const HlKind *kind,
                                 const char *asked) {
  const char *best[MOST_NEAR_MISSES + 1] = {NULL};
  int most = 0, n = 0;

  for (int k = 0; names[k] != NULL; k++) {
    int score = meaning (asked, kind, names[k] + head);
    if (score > most)
      n = 0;
    if (score == 0 || score < most)
      continue;
    most = score;
    if (n < MOST_NEAR_MISSES)
      best[n++] = names[k];
  }
  best[n] = NULL;
  return n > 0 ? quoted_list (best, n) : NULL;
}

/* Returns whether one of the names differs by typing errors only: one in every four letters. */
static gboolean is_mistyped (const char *const *names, gsize head, const char *asked) {
  int limit = (int)strlen (asked) / 4;

  for (int k = 0; limit > 0 && names[k] != NULL; k++)
    if (edit_distance (asked, names[k] + head, MIN (limit, 2)) <= MIN (limit, 2))
      return TRUE;
  return FALSE;
}

char *hl_near_names_by_meaning (const char *const *names, size_t head, const HlKind *kind,
                                const char *asked) {
  return is_mistyped (names, head, asked) ? NULL : nearest_by_meaning (names, head, kind, asked);
}

char *hl_near_fields (const HlKind *kind, const char *name) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (int k = 0; k < kind->n_fields; k++)
    g_ptr_array_add (names, (gpointer)kind->fields[k].name);
  g_ptr_array_add (names, NULL);
  const char *const *all = (const char *const *)names->pdata;
  char *near = hl_near_names_by_meaning (all, 0, kind, name);
  return near != NULL ? near : hl_near_names (all, name);
}
