/* SPDX-License-Identifier: MIT */
/* The eigenvalue plane of a report: the branches over the first slider, the poles at the present
 * value, and where branches cross the stability axis; the locus as CSV. */
#include "app/cli/hl-cli-report.h"

#include "core/linear/hl-crossing.h"
#include "core/io/hl-json-write.h"
#include "core/io/hl-table.h"

#include <math.h>

#define LOCUS_HEIGHT_MM 110
#define MOST_CROSSINGS 16

/* One branch as a column, which the painter wants. */
static double *
column_of (const double value[], int n_rows, int n_columns, int column)
{
  double *out = g_new (double, n_rows);

  for (int row = 0; row < n_rows; row++)
    out[row] = value[row * n_columns + column];
  return out;
}

typedef struct
{
  HlLocusBranch *branches;
  HlLocusPole *poles;
  HlLocusCrossing crossings[MOST_CROSSINGS];
  int n_branches, n_poles, n_crossings;
  const char *unit;
} Picture;

static void
picture_clear (Picture *picture)
{
  for (int k = 0; k < picture->n_branches; k++) {
    g_free ((double *)picture->branches[k].re);
    g_free ((double *)picture->branches[k].im);
  }
  for (int k = 0; k < picture->n_crossings; k++)
    g_free ((char *)picture->crossings[k].label);
  g_free (picture->branches);
  g_free (picture->poles);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

static void
find_crossings (const HlReport *report, Picture *picture)
{
  const HlSystem *system = report->cli->system;
  HlParameter parameter;
  HlSweepParameter sweep = {.parameters = &parameter, .n = 1};
  HlCrossing found[MOST_CROSSINGS];

  if (report->locus == NULL || !hl_system_find_parameter (system, report->slider.path, &parameter))
    return;
  int n =
      hl_crossings_find (system, &sweep, HL_START_FROM_MODEL, report->locus, found, MOST_CROSSINGS);
  for (int k = 0; k < MIN (n, MOST_CROSSINGS); k++) {
    g_autofree char *at = hl_cli_pretty (found[k].value, 5);
    g_autofree char *frequency = hl_cli_pretty (found[k].frequency_hz, 3);
    picture->crossings[picture->n_crossings++] =
        (HlLocusCrossing){2 * G_PI * found[k].frequency_hz,
                          g_strdup_printf ("%s %s, %s Hz", at, picture->unit, frequency), k};
  }
}

static void
collect_branches (const HlReport *report, Picture *picture)
{
  const HlLocus *locus = report->locus;

  picture->branches = g_new0 (HlLocusBranch, locus != NULL ? locus->n_states + 1 : 1);
  for (int k = 0; locus != NULL && k < locus->n_states; k++) {
    if (locus->null[k])
      continue;
    HlLocusBranch *branch = &picture->branches[picture->n_branches];
    *branch = (HlLocusBranch){column_of (locus->re, locus->n_values, locus->n_states, k),
                              column_of (locus->im, locus->n_values, locus->n_states, k),
                              locus->n_values, picture->n_branches};
    picture->n_branches++;
  }
}

static gboolean
write_table (HlReport *report, const char *unit, GError **error)
{
  const HlLocus *locus = report->locus;
  g_autofree char *title = g_strdup_printf ("%s [%s]", report->slider.path, unit);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree double *row = g_new (double, 2 * locus->n_states + 1);

  hl_table_append_text (text, title);
  for (int k = 1; k <= locus->n_states; k++)
    g_string_append_printf (text, ",re%d [1/s],im%d [rad/s]", k, k);
  g_string_append_c (text, '\n');
  for (int k = 0; k < locus->n_values; k++) {
    row[0] = locus->values[k];
    for (int state = 0; state < locus->n_states; state++) {
      row[2 * state + 1] = locus->re[k * locus->n_states + state];
      row[2 * state + 2] = locus->im[k * locus->n_states + state];
    }
    hl_table_append_numbers (text, row, 2 * locus->n_states + 1);
  }
  return hl_report_save (report, "root-locus.csv", text->str, error);
}

gboolean
hl_report_write_locus (HlReport *report, GError **error)
{
  g_auto (Picture) picture = {0};
  HlLocusPlot plot = hl_locus_make ();
  g_autofree char *title = NULL, *caption = NULL;

  if (report->lin == NULL)
    return TRUE;
  picture.unit =
      report->locus != NULL ? hl_cli_unit_of (report->cli->document, report->slider.path) : "1";
  collect_branches (report, &picture);
  find_crossings (report, &picture);
  picture.poles = g_new0 (HlLocusPole, report->lin->n + 1);
  for (int k = 0; k < report->lin->n; k++) {
    const HlEigenvalue *value = &report->lin->eigenvalues[k];
    picture.poles[picture.n_poles++] = (HlLocusPole){value->re, value->im, -1, value->null, FALSE};
  }
  if (report->locus != NULL) {
    char from[HL_NUMBER_TEXT], to[HL_NUMBER_TEXT];
    hl_number_text (from, report->slider.from);
    hl_number_text (to, report->slider.to);
    title = g_strdup_printf ("λ, %s from %s to %s %s", report->slider.path, from, to, picture.unit);
  }
  caption = hl_report_null_caption (report->lin);
  plot.title = title;
  plot.is_frozen = report->lin->steadiness == HL_ON_THE_WAY;
  plot.null_captions[0] = caption;
  plot.branches = picture.branches;
  plot.n_branches = picture.n_branches;
  plot.poles = picture.poles;
  plot.n_poles = picture.n_poles;
  plot.crossings = picture.crossings;
  plot.n_crossings = picture.n_crossings;
  hl_locus_fit (&plot, TRUE);
  if (!hl_report_save_figure (report, "eigenvalues", hl_figure_paint_locus, &plot,
                              HL_REPORT_WIDTH_MM, LOCUS_HEIGHT_MM, error))
    return FALSE;
  g_ptr_array_add (report->drawings, g_strdup ("eigenvalues"));
  return report->locus == NULL || write_table (report, picture.unit, error);
}
