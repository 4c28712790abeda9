/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-eigen-table-text.h"

#include "core/base/hl-translation-macros.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/chart/hl-paint-locus.h"

#include <math.h>
#include <string.h>

#define ARROW " → "

static gboolean is_named (const HlLinearization *lin, int block) {
  return lin->null_names != NULL && lin->null_names[block] != NULL;
}

/* Returns one Jordan block, from its head down to its null vector: "held articulation → heading → lateral
 * position". Owned by the caller. */
static char *text_of_block (const HlLinearization *lin, int block) {
  return g_strdup (is_named (lin, block) ? lin->null_names[block] : _ ("null"));
}

/* Returns whether a block before this one has the same name. */
static gboolean is_repeated (const HlLinearization *lin, int block) {
  for (int before = 0; before < block && is_named (lin, block); before++)
    if (is_named (lin, before) && strcmp (lin->null_names[before], lin->null_names[block]) == 0)
      return TRUE;
  return FALSE;
}

char *hl_null_text_lines (const HlLinearization *lin) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (int block = 0; block < lin->n_null_blocks; block++) {
    int count = 0;
    if (is_repeated (lin, block))
      continue;
    for (int other = block; other < lin->n_null_blocks; other++)
      if (is_named (lin, other) == is_named (lin, block) &&
          (!is_named (lin, block) || strcmp (lin->null_names[other], lin->null_names[block]) == 0))
        count += lin->null_blocks[other];
    g_autofree char *name = text_of_block (lin, block);
    g_string_append (text, text->len > 0 ? "\n" : "");
    if (count > 1)
      g_string_append_printf (text, "%d× ", count);
    g_string_append (text, name);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *hl_null_text_short (const HlLinearization *lin) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (int block = 0; block < lin->n_null_blocks; block++) {
    g_autofree char *name = text_of_block (lin, block);
    const char *last = g_strrstr (name, ARROW);
    last = last != NULL ? last + strlen (ARROW) : name;
    if (!is_repeated (lin, block) && strstr (text->str, last) == NULL)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", last);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

#define WORTH_NAMING 0.15 /* share of a state in a mode */

static char *number_text (double value, int digits) {
  char text[48];
  hl_axis_format (value, digits, text, sizeof text);
  return g_strdup (text);
}

char *hl_eigen_text_lambda (const HlEigenvalue *value, gboolean paired, int digits) {
  double size = hypot (value->re, value->im);
  g_autofree char *re = number_text (hl_locus_part (value->re, size), digits);
  g_autofree char *im = number_text (fabs (value->im), digits);

  if (value->im == 0)
    return g_steal_pointer (&re);
  return g_strdup_printf ("%s %s %s i", re, paired ? "±" : value->im > 0 ? "+" : "−", im);
}

/* Finds the two states with the largest participation; -1 = none. The second one only if it is large enough. */
static void find_main_states (const HlLinearization *lin, int k, int *first, int *second) {
  *first = *second = -1;
  if (lin->participation == NULL)
    return;
  const double *share = lin->participation + (gsize)k * (gsize)lin->n;
  for (int state = 0; state < lin->n; state++) {
    if (*first < 0 || share[state] > share[*first]) {
      *second = *first;
      *first = state;
    } else if (*second < 0 || share[state] > share[*second]) {
      *second = state;
    }
  }
  if (*second >= 0 && share[*second] < WORTH_NAMING)
    *second = -1;
}

static char *element_of (const char *path) {
  const char *dot = strchr (path, '.');
  return dot != NULL ? g_strndup (path, (gsize)(dot - path)) : g_strdup (path);
}

/* Returns "link2, V3"; the whole paths with their shares are the tooltip. */
char *hl_eigen_text_what (const HlLinearization *lin, int k, char **tooltip) {
  int first, second;

  find_main_states (lin, k, &first, &second);
  if (first < 0) {
    *tooltip = g_strdup ("");
    return g_strdup ("");
  }
  const double *share = lin->participation + (gsize)k * (gsize)lin->n;
  g_autofree char *a = element_of (lin->state_names[first]);
  if (second < 0) {
    *tooltip = g_strdup_printf ("%s %.0f %%", lin->state_names[first], 100 * share[first]);
    return g_steal_pointer (&a);
  }
  g_autofree char *b = element_of (lin->state_names[second]);
  *tooltip = g_strdup_printf ("%s %.0f %%, %s %.0f %%", lin->state_names[first], 100 * share[first],
                              lin->state_names[second], 100 * share[second]);
  return strcmp (a, b) == 0 ? g_steal_pointer (&a) : g_strdup_printf ("%s, %s", a, b);
}

char *hl_eigen_text_hz (const HlEigenvalue *value, gboolean paired, int digits) {
  return value->im != 0 ? number_text (value->frequency_hz, digits) : g_strdup ("–");
}

char *hl_eigen_text_zeta (const HlEigenvalue *value, gboolean paired, int digits) {
  return isfinite (value->damping_ratio) ? number_text (hl_locus_part (value->damping_ratio, 1), digits)
                                         : g_strdup ("–");
}

char *hl_eigen_text_no_verdict (const HlLinearization *lin) {
  g_autoptr (GString) names = g_string_new (NULL);

  if (lin->steadiness != HL_ON_THE_WAY)
    return NULL;
  for (int k = 0; k < lin->n; k++)
    if (hl_linearization_is_coordinate (lin, k))
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", lin->state_names[k]);
  if (names->len == 0)
    return g_strdup (_ ("The machine moves in the start state: these are eigenvalues at one instant, without "
                        "information about stability."));
  return g_strdup_printf (_ ("The machine moves in the start state: these are eigenvalues at one instant, in "
                             "the coordinates %s, without information about stability."),
                          names->str);
}

static void append_number (GString *text, double value) {
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (value))
    g_string_append (text, g_ascii_dtostr (number, sizeof number, value + 0.0)); /* no -0 */
  g_string_append_c (text, '\t');
}

char *hl_eigen_text_table (const HlLinearization *lin) {
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *nulls = hl_null_text_lines (lin);

  g_strdelimit (nulls, "\n", ';');
  g_string_append_printf (text, "Re λ [1/s]\tIm λ [rad/s]\tf [Hz]\tζ\tτ [s]\t%s\n", _ ("dominant states"));
  for (int k = 0; k < lin->n; k++) {
    const HlEigenvalue *value = &lin->eigenvalues[k];
    g_autofree char *tooltip = NULL;
    g_autofree char *what = hl_eigen_text_what (lin, k, &tooltip);
    append_number (text, value->null ? 0 : value->re);
    append_number (text, value->null ? 0 : value->im);
    append_number (text, value->null ? NAN : value->frequency_hz);
    append_number (text, value->null ? NAN : value->damping_ratio);
    append_number (text, value->null || value->re == 0 ? NAN : 1 / fabs (value->re));
    g_string_append_printf (text, "%s\n", value->null ? nulls : tooltip);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
