/* SPDX-License-Identifier: MIT */
/* hydrolink study plot: a picture of the rows that are there. Which columns: --measure names measures by
 * their headings, --vary numbers by their paths; without, the first ones. */
#include "app/study/hl-cli-study-private.h"
#include "core/study/hl-study-statistics.h"
#include "ui/paint/chart/hl-paint-study.h"
#include "ui/paint/page/hl-figure.h"

#include <string.h>

static void paint (cairo_t *cr, HlRect area, const HlStyle *style, gpointer data) {
  hl_paint_study (cr, data, area, style);
}

typedef struct {
  const HlStudy *study;
  const double *values; /* numbers, then measures */
  GArray *columns;      /* HlStudyColumn */
  int first_measure;    /* of the study, that was chosen */
} Choice;

static void add_column (Choice *choice, char **titles, int column) {
  HlStudyColumn added = {.title = titles[column + 1], /* the row's number stands first */
                         .values = choice->values + (gsize)column * (gsize)hl_study_n_rows (choice->study)};

  g_array_append_val (choice->columns, added);
}

/* Those that are named, else all, at most so many. */
static gboolean add_columns (const HlCli *cli, Choice *choice, char **titles, gboolean is_measure, int most,
                             GError **error) {
  const HlStudy *study = choice->study;
  const char *option = is_measure ? "measure" : "vary";
  const char *const *wanted = hl_cli_texts (cli, option);
  int n_numbers = hl_study_n_numbers (study), n = is_measure ? hl_study_n_measures (study) : n_numbers;

  for (int k = 0; wanted[0] == NULL && k < MIN (n, most); k++)
    add_column (choice, titles, is_measure ? n_numbers + k : k);
  for (int k = 0; wanted[k] != NULL; k++) {
    int found = -1;
    for (int j = 0; j < n; j++)
      if (strcmp (is_measure ? hl_study_measure (study, j)->name : hl_study_number (study, j)->name,
                  wanted[k]) == 0)
        found = j;
    if (found < 0) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--%s ‘%s’: the study has no such column", option,
                   wanted[k]);
      return FALSE;
    }
    if (is_measure && k == 0)
      choice->first_measure = found;
    if (k < most)
      add_column (choice, titles, is_measure ? n_numbers + found : found);
  }
  return TRUE;
}

static HlStudyBar *make_bars (const Choice *choice) {
  const HlStudy *study = choice->study;
  int n = hl_study_n_numbers (study);
  g_autofree HlSobolIndex *indices = g_new (HlSobolIndex, n);
  HlStudyBar *bars = g_new (HlStudyBar, n);

  hl_sobol_indices_eval (choice->values + (gsize)(n + choice->first_measure) * (gsize)hl_study_n_rows (study),
                         study->n, n, study->seed, indices);
  for (int k = 0; k < n; k++)
    bars[k] = (HlStudyBar){hl_study_number (study, k)->name,
                           indices[k].first,
                           indices[k].first_low,
                           indices[k].first_high,
                           indices[k].total,
                           indices[k].total_low,
                           indices[k].total_high};
  return bars;
}

static gboolean choose (const HlCli *cli, Choice *choice, char **titles, HlStudyPictureKind kind,
                        GError **error) {
  static const int numbers[] = {3, 0, 2, 0, 0}, measures[] = {3, 6, 1, 2, 1};

  if (!add_columns (cli, choice, titles, FALSE, numbers[kind], error) ||
      !add_columns (cli, choice, titles, TRUE, measures[kind], error))
    return FALSE;
  if (kind == HL_STUDY_TORNADO && choice->study->kind != HL_DESIGN_SALTELLI) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "sensitivities need the design saltelli; this study has %s",
                 hl_design_names[choice->study->kind]);
    return FALSE;
  }
  if ((kind == HL_STUDY_SURFACE && choice->columns->len < 3) ||
      (kind == HL_STUDY_PARETO && choice->columns->len < 2)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 kind == HL_STUDY_SURFACE ? "a surface needs two numbers that vary and a measure"
                                          : "a Pareto front needs two measures");
    return FALSE;
  }
  return TRUE;
}

/* The cells of the heading. */
static char **split_heading (const char *heading) {
  g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();
  g_autoptr (GString) cell = g_string_new (NULL);
  gboolean is_quoted = FALSE;

  for (const char *c = heading; *c != '\0'; c++) {
    if (*c == '"' && is_quoted && c[1] == '"')
      g_string_append_c (cell, *c++);
    else if (*c == '"')
      is_quoted = !is_quoted;
    else if (*c == ',' && !is_quoted) {
      g_strv_builder_add (cells, cell->str);
      g_string_truncate (cell, 0);
    } else
      g_string_append_c (cell, *c);
  }
  g_strv_builder_add (cells, cell->str);
  return g_strv_builder_end (cells);
}

gboolean hl_cli_study_plot (HlCli *cli, GError **error) {
  static const char *const kinds[] = {"scatter", "histogram", "surface", "pareto", "tornado", NULL};
  const char *out = hl_cli_text (cli, "out");
  int kind = HL_STUDY_SCATTER;
  HlFigureFormat format;
  GError *why = NULL;

  if (!hl_cli_choice (cli, "kind", kinds, &kind, error))
    return FALSE;
  if (out == NULL || !hl_figure_format_from_name (out, &format)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "name the picture: --out NAME.svg, NAME.pdf or NAME.png");
    return FALSE;
  }
  g_autoptr (HlStudy) study = NULL;
  g_autoptr (HlStudyFolder) folder = hl_cli_study_open (cli, hl_cli_study_word (cli, 0), &study, error);
  g_autofree double *values = folder != NULL ? hl_study_folder_load_values (folder, error) : NULL;
  if (values == NULL)
    return FALSE;
  g_auto (GStrv) titles = split_heading (hl_study_folder_heading (folder));
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (HlStudyColumn));
  Choice choice = {.study = study, .values = values, .columns = columns};
  if (!choose (cli, &choice, titles, (HlStudyPictureKind)kind, error))
    return FALSE;
  g_autofree HlStudyBar *bars = kind == HL_STUDY_TORNADO ? make_bars (&choice) : NULL;
  HlStudyPicture picture = {.kind = (HlStudyPictureKind)kind,
                            .columns = (const HlStudyColumn *)(gconstpointer)columns->data,
                            .n_columns = (int)columns->len,
                            .n_rows = hl_study_n_rows (study),
                            .bars = bars,
                            .n_bars = bars != NULL ? hl_study_n_numbers (study) : 0,
                            .title = hl_study_measure (study, choice.first_measure)->name};
  HlFigureOptions options = hl_figure_options_default ();
  options.height_mm = kind == HL_STUDY_SCATTER ? options.width_mm : options.height_mm;
  if (hl_figure_save (paint, &picture, out, &options, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  g_error_free (why);
  return FALSE;
}
