/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-locus-data.h"

#include "core/base/hl-translation-macros.h"
#include "core/math/hl-optimal-assignment.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/modes/hl-eigen-table-text.h"
#include "ui/paint/base/hl-scene-input.h"

#include <math.h>

#define CROSSING_DIGITS 5
#define FREQUENCY_DIGITS 3
#define MOST_MATCHED 100 /* branches, all against all */
#define NEIGHBOURS 12
#define ARROW_PART 0.1 /* of the parameter */

static gboolean is_pair_of (const HlEigenvalue *a, const HlEigenvalue *b) {
  return a->re == b->re && fabs (a->im) == fabs (b->im);
}

static void gather_poles (HlLocusData *data, HlWorkbench *workbench) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (workbench));

  data->is_frozen = FALSE;
  g_array_set_size (data->poles, 0);
  for (int i = 0; i < HL_LOCUS_N_CAPTIONS; i++)
    g_clear_pointer (&data->null_captions[i], g_free);
  if (at == NULL || at->linearization == NULL)
    return;
  const HlLinearization *lin = at->linearization;
  int mode = hl_locus_study_mode (hl_workbench_locus (workbench));
  data->is_frozen = lin->steadiness == HL_ON_THE_WAY;
  for (int k = 0; k < lin->n; k++) {
    HlLocusPole pole = {.re = lin->eigenvalues[k].null ? 0 : lin->eigenvalues[k].re,
                        .im = lin->eigenvalues[k].null ? 0 : lin->eigenvalues[k].im,
                        .branch = -1,
                        .is_null = lin->eigenvalues[k].null,
                        .selected = mode >= 0 && is_pair_of (&lin->eigenvalues[k], &lin->eigenvalues[mode])};
    g_array_append_val (data->poles, pole);
  }
  if (lin->n_null > 0) {
    g_autofree char *freely = hl_null_text_short (lin);
    data->null_captions[0] = hl_null_text_lines (lin);
    data->null_captions[1] = g_strdup_printf (_ ("%d× null:\n%s"), lin->n_null, freely);
    data->null_captions[2] = g_strdup_printf (_ ("%d× null"), lin->n_null);
  }
}

static double ends_apart (const HlLocusEnds *a, const HlLocusEnds *b) {
  double sum = 0;

  for (int end = 0; end < 2; end++) {
    double size = hypot (a->re[end], a->im[end]) + hypot (b->re[end], b->im[end]);
    if (size > 0)
      sum += hypot (a->re[end] - b->re[end], a->im[end] - b->im[end]) / size;
  }
  return isfinite (sum) ? sum : 4.0; /* as far apart as can be */
}

/* Gives each new eigenvalue the color of the matching old one; the assignment minimizes the total distance. */
static void match_all (GArray *ends, const GArray *before) {
  int n = (int)ends->len;
  g_autofree double *cost = g_new (double, n *n);
  g_autofree int *column_of = g_new0 (int, n);
  g_autofree char *scratch = g_malloc (hl_assignment_scratch (n));

  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++)
      cost[row * n + column] =
          ends_apart (&g_array_index (ends, HlLocusEnds, row), &g_array_index (before, HlLocusEnds, column));
  hl_assignment_solve (n, cost, column_of, scratch);
  for (int row = 0; row < n; row++)
    g_array_index (ends, HlLocusEnds, row).color = g_array_index (before, HlLocusEnds, column_of[row]).color;
}

/* Compares by the first end, upper one of a pair last; data: GArray of HlLocusEnds. */
static int compare_starts (gconstpointer a, gconstpointer b, gpointer data) {
  const HlLocusEnds *left = &g_array_index ((GArray *)data, HlLocusEnds, *(const int *)a);
  const HlLocusEnds *right = &g_array_index ((GArray *)data, HlLocusEnds, *(const int *)b);

  if (left->re[0] != right->re[0])
    return left->re[0] < right->re[0] ? -1 : 1;
  return (left->im[0] > right->im[0]) - (left->im[0] < right->im[0]);
}

static int *sorted_by_start (GArray *ends) {
  int *order = g_new (int, ends->len + 1);

  for (int k = 0; k < (int)ends->len; k++)
    order[k] = k;
  g_qsort_with_data (order, (int)ends->len, sizeof *order, compare_starts, ends);
  return order;
}

/* Matches hundreds of branches, where comparing all with all would block the window: along the real axis each
 * takes the nearest of the few remaining neighbours. */
static void match_neighbours (GArray *ends, GArray *before) {
  int n = (int)ends->len;
  g_autofree int *now = sorted_by_start (ends), *then = sorted_by_start (before);
  int first = 0; /* of `then`, that is left */

  for (int k = 0; k < n; k++) {
    HlLocusEnds *its = &g_array_index (ends, HlLocusEnds, now[k]);
    double least = INFINITY;
    int best = -1;
    while (then[first] < 0)
      first++;
    for (int i = first, seen = 0; i < n && seen < NEIGHBOURS; i++) {
      if (then[i] < 0)
        continue;
      double apart = ends_apart (its, &g_array_index (before, HlLocusEnds, then[i]));
      seen++;
      if (best < 0 || apart < least) {
        least = apart;
        best = i;
      }
    }
    its->color = g_array_index (before, HlLocusEnds, then[best]).color;
    then[best] = -1;
  }
}

/* Gives every branch its color: while another slider moves, each keeps the one it has, whatever the
 * order of the branches is now. */
static void choose_colors (HlLocusData *data, GArray *ends, int model_slider) {
  if (data->ends_model_slider == model_slider && data->ends->len == ends->len && ends->len > 0) {
    if (ends->len > MOST_MATCHED)
      match_neighbours (ends, data->ends);
    else
      match_all (ends, data->ends);
  }
  g_array_set_size (data->ends, 0);
  g_array_append_vals (data->ends, ends->data, ends->len);
  data->ends_model_slider = model_slider;
}

static void gather_branches (HlLocusData *data, HlWorkbench *workbench) {
  const HlLocus *locus = hl_locus_study_locus (hl_workbench_locus (workbench));
  g_autoptr (GArray) ends = g_array_new (FALSE, TRUE, sizeof (HlLocusEnds));

  g_array_set_size (data->branches, 0);
  g_array_set_size (data->values, 0);
  if (locus == NULL || locus->n_values < 2)
    return;
  int n = locus->n_values;
  g_array_set_size (data->values, (guint)(2 * n * locus->n_states));
  double *values = (double *)(gpointer)data->values->data;
  for (int branch = 0; branch < locus->n_states; branch++) {
    if (locus->null != NULL && locus->null[branch])
      continue;
    double *re = values + 2 * n * (int)ends->len, *im = re + n;
    for (int i = 0; i < n; i++) {
      re[i] = locus->re[i * locus->n_states + branch];
      im[i] = locus->im[i * locus->n_states + branch];
    }
    HlLocusBranch entry = {.re = re, .im = im, .n = n, .branch = branch};
    HlLocusEnds its = {{re[0], re[n - 1]}, {im[0], im[n - 1]}, (int)ends->len};
    g_array_append_val (data->branches, entry);
    g_array_append_val (ends, its);
  }
  /* Branches that are always zero have no values; every value that is there decides whether the picture is painted anew. */
  g_array_set_size (data->values, 2 * (guint)n * ends->len);
  choose_colors (data, ends, hl_locus_study_model_slider (hl_workbench_locus (workbench)));
  for (guint i = 0; i < ends->len; i++)
    g_array_index (data->branches, HlLocusBranch, i).branch = g_array_index (ends, HlLocusEnds, i).color;
}

/* Gathers the crossings: "5.9704 m/s, 0.53 Hz" at the upper one of a pair, a mark alone at the lower one. */
static void gather_crossings (HlLocusData *data, HlWorkbench *workbench) {
  int n, model_slider = hl_locus_study_model_slider (hl_workbench_locus (workbench));
  const HlCrossing *found = hl_locus_study_crossings (hl_workbench_locus (workbench), &n);

  g_array_set_size (data->crossings, 0);
  g_ptr_array_set_size (data->labels, 0);
  if (model_slider < 0)
    return;
  const HlModelSlider *what =
      hl_locus_study_model_sliders (hl_workbench_locus (workbench))->pdata[model_slider];
  for (int i = 0; i < n; i++) {
    double omega = 2 * G_PI * found[i].frequency_hz;
    g_autofree char *value =
        hl_units_format (hl_workbench_units (workbench), what->quantity, found[i].value, CROSSING_DIGITS);
    g_autofree char *hz = hl_units_format (NULL, HL_QUANTITY_NONE, found[i].frequency_hz, FREQUENCY_DIGITS);
    char *label = omega > 0 ? g_strdup_printf ("%s, %s Hz", value, hz) : g_steal_pointer (&value);
    g_ptr_array_add (data->labels, label);
    HlLocusCrossing upper = {omega, label, i}, lower = {-omega, NULL, i};
    g_array_append_val (data->crossings, upper);
    if (omega > 0)
      g_array_append_val (data->crossings, lower);
  }
}

/* Gathers the poles of every parameter set but the present one, and those of modes of the hybrid model, which
 * have the index -1 - index. */
static void gather_ghosts (HlLocusData *data, HlWorkbench *workbench) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  const char *present = hl_editing_current_set (hl_workbench_editing (workbench));
  double re, im;
  int set;

  g_array_set_size (data->ghosts, 0);
  g_array_set_size (data->ghost_sets, 0);
  for (int i = 0; hl_locus_study_other_pole (hl_workbench_locus (workbench), i, &re, &im, &set); i++) {
    HlLocusPole ghost = {.re = re, .im = im, .branch = -1};
    gboolean is_mode = set < 0;
    if (is_mode)
      set = -1 - i;
    if (is_mode || (set < hl_document_n_sets (document) &&
                    g_strcmp0 (hl_document_set_name (document, set), present) != 0)) {
      g_array_append_val (data->ghosts, ghost);
      g_array_append_val (data->ghost_sets, set);
    }
  }
}

/* Gathers the arrows of the poles for an increase of the locus' slider by a tenth. */
static void gather_arrows (HlLocusData *data, HlWorkbench *workbench) {
  const HlSensitivity *s = hl_locus_study_sensitivity (hl_workbench_locus (workbench));
  int model_slider = hl_locus_study_model_slider (hl_workbench_locus (workbench));

  g_array_set_size (data->arrows, 0);
  if (s == NULL || model_slider < 0 || model_slider >= s->n_parameters)
    return;
  double by =
      ARROW_PART * hl_model_slider_value (
                       hl_locus_study_model_sliders (hl_workbench_locus (workbench))->pdata[model_slider],
                       hl_editing_document (hl_workbench_editing (workbench)));
  for (int e = 0; e < s->n_states; e++) {
    int at = model_slider * s->n_states + e;
    HlLocusArrow arrow = {s->re[e], s->im[e], by * s->d_re[at], by * s->d_im[at]};
    if (!s->null[e] && isfinite (arrow.d_re) && isfinite (arrow.d_im))
      g_array_append_val (data->arrows, arrow);
  }
}

static void add_line (GString *key, const char *line) {
  g_string_append_printf (key, "%s%s", key->len > 0 ? "\n" : "", line);
}

/* Appends the present marks, in order of importance. */
static void write_key (HlLocusData *data, HlWorkbench *workbench) {
  g_autoptr (GString) key = g_string_new (NULL);
  int model_slider = hl_locus_study_model_slider (hl_workbench_locus (workbench));
  gboolean any_set = FALSE, any_mode = FALSE, any_null = FALSE;

  for (guint i = 0; i < data->ghost_sets->len; i++)
    if (g_array_index (data->ghost_sets, int, i) < 0)
      any_mode = TRUE;
    else
      any_set = TRUE;
  for (guint i = 0; i < data->poles->len; i++)
    any_null = any_null || g_array_index (data->poles, HlLocusPole, i).is_null;
  if (data->branches->len > 0)
    add_line (key, _ ("⊠ present value"));
  if (any_set)
    add_line (key, _ ("× pale: other sets"));
  if (any_mode)
    add_line (key, _ ("× pale: other oils and modes"));
  if (any_null)
    add_line (key, _ ("◇ structurally zero"));
  if (data->crossings->len > 0)
    add_line (key, _ ("○ on the stability axis"));
  if (data->arrows->len > 0 && model_slider >= 0) {
    const HlModelSlider *what =
        hl_locus_study_model_sliders (hl_workbench_locus (workbench))->pdata[model_slider];
    g_autofree char *line = g_strdup_printf (_ ("→ as %s grows"), what->label);
    add_line (key, line);
  }
  g_free (data->key);
  data->key = key->len > 0 ? g_strdup (key->str) : NULL;
}

void hl_locus_data_gather (HlLocusData *data, HlWorkbench *workbench, guint changes) {
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_MODE))
    gather_poles (data, workbench);
  if (changes & HL_CHANGED_LOCUS)
    gather_branches (data, workbench);
  if (changes & (HL_CHANGED_LOCUS | HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS)) {
    gather_ghosts (data, workbench);
    gather_arrows (data, workbench);
  }
  if (changes & (HL_CHANGED_LOCUS | HL_CHANGED_UNITS))
    gather_crossings (data, workbench);
  data->target = *hl_locus_study_target (hl_workbench_locus (workbench));
  write_key (data, workbench);
}

void hl_locus_data_fill (const HlLocusData *data, HlLocusPlot *plot) {
  plot->poles = (gconstpointer)data->poles->data;
  plot->n_poles = (int)data->poles->len;
  plot->branches = (gconstpointer)data->branches->data;
  plot->n_branches = (int)data->branches->len;
  plot->crossings = (gconstpointer)data->crossings->data;
  plot->n_crossings = (int)data->crossings->len;
  plot->ghosts = (gconstpointer)data->ghosts->data;
  plot->n_ghosts = (int)data->ghosts->len;
  plot->arrows = (gconstpointer)data->arrows->data;
  plot->n_arrows = (int)data->arrows->len;
  plot->is_frozen = data->is_frozen;
  plot->key = data->key;
  plot->short_key = data->branches->len > 0 && data->key != NULL && strchr (data->key, '\n') != NULL
                        ? strchr (data->key, '\n') + 1 /* without the present value */
                        : NULL;
  plot->target = data->target;
  for (int i = 0; i < HL_LOCUS_N_CAPTIONS; i++)
    plot->null_captions[i] = data->null_captions[i];
}

void hl_locus_data_init (HlLocusData *data) {
  data->poles = g_array_new (FALSE, FALSE, sizeof (HlLocusPole));
  data->branches = g_array_new (FALSE, FALSE, sizeof (HlLocusBranch));
  data->values = g_array_new (FALSE, FALSE, sizeof (double));
  data->ends = g_array_new (FALSE, FALSE, sizeof (HlLocusEnds));
  data->crossings = g_array_new (FALSE, FALSE, sizeof (HlLocusCrossing));
  data->ghost_sets = g_array_new (FALSE, FALSE, sizeof (int));
  data->ghosts = g_array_new (FALSE, FALSE, sizeof (HlLocusPole));
  data->arrows = g_array_new (FALSE, FALSE, sizeof (HlLocusArrow));
  data->labels = g_ptr_array_new_with_free_func (g_free);
}

void hl_locus_data_clear (HlLocusData *data) {
  g_array_unref (data->poles);
  g_array_unref (data->branches);
  g_array_unref (data->values);
  g_array_unref (data->ends);
  g_array_unref (data->crossings);
  g_ptr_array_unref (data->labels);
  g_array_unref (data->ghosts);
  g_array_unref (data->ghost_sets);
  g_array_unref (data->arrows);
  for (int i = 0; i < HL_LOCUS_N_CAPTIONS; i++)
    g_free (data->null_captions[i]);
  g_free (data->key);
}
