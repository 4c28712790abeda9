/* SPDX-License-Identifier: MIT */
/* Contents of a plot: series, axes and legend. The order of series is the order of painting: other runs and measured
 * data below, then the traces of the run, their linear responses dashed on top. One legend entry stands for all linear
 * responses, one for all of another run. */
#include "ui/paint/chart/hl-scene-plot.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-trace-name.h"
#include "core/run/hl-trace-interpolation.h"

#include <math.h>
#include <string.h>

typedef enum { FAMILY_GHOST, FAMILY_RUN, FAMILY_LINEAR } Family;

/* Identity of a series, which stores clicks on its legend entry. */
typedef struct {
  Family family;
  int trace;
  int ghost;
  const char *of; /* name of the ghost, in the texts of the scene; NULL = none */
} Role;

/* A computed curve and what it was computed from: it is rebuilt when that changes. */
typedef struct {
  const HlResults *results, *against;
  int column, against_column;
  int n_rows, n_against;
  double from, to;
  HlWindowShape window;
} CurveKey;

typedef struct {
  CurveKey key;
  HlCurve *curve;
  double rms;     /* of a difference */
  gboolean used;  /* in this update */
  gint64 made_us; /* when */
} CachedCurve;

#define HL_N_ENERGIES 5

struct _HlPlotScene {
  HlPlotPanel *panel;
  int n_traces;
  HlPlot plot;
  GArray *series; /* HlPlotSeries */
  GArray *roles;  /* Role, one a series */
  GArray *curves; /* CachedCurve */
  GArray *marks;  /* HlPlotMark */
  HlPlotBar bars[HL_N_ENERGIES];
  gboolean hide_ghosts, hide_linear;
  gboolean late;
  GHashTable *hidden; /* traces */
  HlColumnCursor *cursor;
  GStringChunk *texts;
};

/* Titles, units and ranges of the axes of a plot scene. */

#define MOST_DECADES 6     /* of a logarithmic axis when it is fitted */
#define SPECTRUM_TAIL 1e-3 /* of the highest line: no such line, nothing shown behind it ... */
#define SPECTRUM_AIR 1.3   /* ... but this times its frequency */
#define MOST_NAMES 3       /* of traces in the title of an axis ... */
#define MOST_LETTERS 36    /* ... if they are not longer */

/* Returns the first trace to be drawn; the first one of a phase plot is its x. */
static int first_trace (const HlPlotScene *scene) {
  return scene->panel->kind == HL_PLOT_PHASE ? 1 : 0;
}

static const char *unit_symbol (HlUnits units, HlQuantity quantity) {
  return hl_units_get (units, quantity)->symbol;
}

/* Returns the size of rounding errors about zero, for machines of some metres, megapascals and meganewtons: a
 * hundred to a thousand units of the last place [SI]. A trace within it counts as constant. */
static double rounded_zero (HlQuantity quantity) {
  switch (quantity) {
  case HL_QUANTITY_LENGTH:
  case HL_QUANTITY_ANGLE:
    return 1e-13;
  case HL_QUANTITY_SPEED:
  case HL_QUANTITY_ANGULAR_SPEED:
  case HL_QUANTITY_SHAFT_SPEED:
    return 1e-12;
  case HL_QUANTITY_ACCELERATION:
  case HL_QUANTITY_ANGULAR_ACCELERATION:
  case HL_QUANTITY_POWER:
  case HL_QUANTITY_ENERGY:
    return 1e-10;
  case HL_QUANTITY_FORCE:
  case HL_QUANTITY_TORQUE:
  case HL_QUANTITY_PRESSURE:
  case HL_QUANTITY_PRESSURE_DIFFERENCE:
    return 1e-7;
  case HL_QUANTITY_FLOW:
    return 1e-17;
  default:
    return 0;
  }
}

/* Sets the unit of an axis, and the size below which values count as zero. */
static void set_unit (HlPlotAxis *axis, const HlPlotSource *source, HlQuantity quantity) {
  const HlUnit *unit = hl_units_get (source->units, quantity);

  axis->unit = unit->symbol;
  axis->quiet = rounded_zero (quantity) / unit->factor;
}

/* Returns "p₁, p₂, p₃" for few traces of a quantity, its name for many. */
static const char *label_of_axis (HlPlotScene *scene, const HlPlotSource *source, HlQuantity quantity,
                                  const HlTraceInfo *leader) {
  gboolean difference = scene->panel->kind == HL_PLOT_DIFFERENCE;
  gboolean spectrum = scene->panel->kind == HL_PLOT_SPECTRUM;
  g_autoptr (GString) names = g_string_new (NULL);
  int n = 0;

  for (int index = first_trace (scene); index < scene->n_traces; index++) {
    HlTraceInfo info = hl_trace_info (source->document, scene->panel->traces[index]);
    if (info.quantity != quantity)
      continue;
    n++;
    g_string_append_printf (names, "%s%s%s", names->len > 0 ? ", " : "", difference ? "Δ" : "", info.label);
  }
  if (n == 1 && leader->relative && !difference && !spectrum)
    g_string_append_printf (names, " − %s(0)", leader->label);
  const char *text = n > MOST_NAMES || g_utf8_strlen (names->str, -1) > MOST_LETTERS
                         ? hl_quantity_name (quantity)
                         : names->str;
  if (!spectrum)
    return g_string_chunk_insert (scene->texts, text);
  g_autofree char *amplitude = g_strdup_printf (_ ("Amplitude of %s"), text);
  return g_string_chunk_insert (scene->texts, amplitude);
}

static void label_values (HlPlotScene *scene, const HlPlotSource *source) {
  HlPlot *plot = &scene->plot;
  int first = first_trace (scene);

  if (first >= scene->n_traces)
    return;
  HlTraceInfo leader = hl_trace_info (source->document, scene->panel->traces[first]);
  plot->left.label = label_of_axis (scene, source, leader.quantity, &leader);
  set_unit (&plot->left, source, leader.quantity);
  for (int index = first; index < scene->n_traces; index++) {
    HlTraceInfo info = hl_trace_info (source->document, scene->panel->traces[index]);
    if (info.quantity == leader.quantity)
      continue;
    plot->right.label = label_of_axis (scene, source, info.quantity, &info);
    set_unit (&plot->right, source, info.quantity);
    return;
  }
}

static void label_x (HlPlotScene *scene, const HlPlotSource *source) {
  HlPlotAxis *x = &scene->plot.x;

  if (scene->panel->kind == HL_PLOT_PHASE && scene->n_traces > 0) {
    HlTraceInfo info = hl_trace_info (source->document, scene->panel->traces[0]);
    x->label = g_string_chunk_insert (scene->texts, info.label);
    x->unit = unit_symbol (source->units, info.quantity);
  } else if (scene->panel->kind == HL_PLOT_SPECTRUM) {
    x->label = "f";
    x->unit = "Hz";
    if (source->to != source->from) {
      char from[40], to[40];
      hl_axis_format (fmin (source->from, source->to), 4, from, sizeof from);
      hl_axis_format (fmax (source->from, source->to), 4, to, sizeof to);
      g_autofree char *note = g_strdup_printf (_ ("of t = %s … %s s"), from, to);
      x->note = g_string_chunk_insert (scene->texts, note);
    }
  } else {
    x->label = "t";
    x->unit = "s";
    x->axis.min = 0;
    x->axis.max = source->t_end;
  }
}

/* Fits the frequency axis to the vibrations; half the sampling rate is far beyond. */
static void fit_frequency (HlPlot *plot) {
  double last = 0, end = 0;

  for (int i = 0; i < plot->n_series; i++) {
    const HlSamples *samples = &plot->series[i].samples;
    double most = 0;
    if (plot->series[i].hidden)
      continue;
    for (int row = 0; row < samples->n; row++)
      most = fmax (most, samples->y[row]);
    for (int row = 0; row < samples->n; row++)
      if (samples->y[row] > SPECTRUM_TAIL * most)
        last = fmax (last, samples->x[row]);
    end = fmax (end, samples->n > 0 ? samples->x[samples->n - 1] : 0);
  }
  plot->x.axis.min = 0;
  plot->x.axis.max = end > 0 ? fmin (SPECTRUM_AIR * last, end) : 1;
  if (plot->x.axis.max <= 0)
    plot->x.axis.max = end;
}

static void fit_ranges (HlPlotScene *scene) {
  HlPlot *plot = &scene->plot;

  if (scene->panel->log)
    plot->left.axis.scale = plot->right.axis.scale = HL_SCALE_LOG;
  if (scene->panel->kind == HL_PLOT_PHASE)
    hl_plot_fit_x (plot);
  if (scene->panel->kind == HL_PLOT_SPECTRUM)
    fit_frequency (plot);
  if (scene->panel->log)
    plot->left.axis.min = plot->right.axis.min = 0.1; /* of axes without traces */
  hl_plot_fit_y (plot);
  HlAxis *axes[] = {&plot->left.axis, &plot->right.axis};
  for (gsize i = 0; scene->panel->log && i < G_N_ELEMENTS (axes); i++)
    axes[i]->min = fmax (axes[i]->min, axes[i]->max * pow (10, -MOST_DECADES));
}

/* Spectra and differences are kept from frame to frame: a plot is painted far more often than its
 * run changes. */

#define MANY_ROWS 20000
#define US_PER_ROW 1.0 /* between two spectra of a run that grows: several times what one takes */

/* Results are kept alive: others at the same address would pass for them. */
static void clear_curve (gpointer data) {
  CachedCurve *cached = data;
  hl_curve_free (cached->curve);
  hl_results_unref ((HlResults *)cached->key.results);
  hl_results_unref ((HlResults *)cached->key.against);
}

static GArray *curves_new (void) {
  GArray *curves = g_array_new (FALSE, TRUE, sizeof (CachedCurve));
  g_array_set_clear_func (curves, clear_curve);
  return curves;
}

static void curves_begin (GArray *curves) {
  for (guint i = 0; i < curves->len; i++)
    g_array_index (curves, CachedCurve, i).used = FALSE;
}

static void curves_end (GArray *curves) {
  for (guint i = curves->len; i-- > 0;)
    if (!g_array_index (curves, CachedCurve, i).used)
      g_array_remove_index (curves, i);
}

static gboolean is_same (const CurveKey *a, const CurveKey *b) {
  return a->results == b->results && a->against == b->against && a->column == b->column &&
         a->against_column == b->against_column && a->n_rows == b->n_rows && a->n_against == b->n_against &&
         a->from == b->from && a->to == b->to && a->window == b->window;
}

static HlCurve *compute_curve (const CurveKey *key, gboolean spectrum) {
  HlSamples samples = {.results = key->results, .y_column = key->column};
  HlSamples against = {.results = key->against, .y_column = key->against_column};

  return spectrum ? hl_spectrum_new (&samples, key->from, key->to, key->window)
                  : hl_samples_difference (&samples, NULL, &against, NULL);
}

/* Returns one of the same trace that is good enough for now; NULL: none. */
static CachedCurve *find_recent (GArray *curves, const CurveKey *key, gint64 now_us) {
  for (guint i = 0; i < curves->len; i++) {
    CachedCurve *cached = &g_array_index (curves, CachedCurve, i);
    if (cached->key.results == key->results && cached->key.column == key->column &&
        cached->key.window == key->window && key->n_rows > MANY_ROWS &&
        (double)(now_us - cached->made_us) < US_PER_ROW * key->n_rows)
      return cached;
  }
  return NULL;
}

/* Finds a cached curve, borrowed until the next update; the curve's n may be 0. Where `now_us` is not 0, a
 * recent spectrum of many rows is used for one of a few rows more or another range, and *late is set. */
static const CachedCurve *curves_find (GArray *curves, const CurveKey *key, gboolean spectrum, gint64 now_us,
                                       gboolean *late) {
  for (guint i = 0; i < curves->len; i++) {
    CachedCurve *cached = &g_array_index (curves, CachedCurve, i);
    if (is_same (&cached->key, key)) {
      cached->used = TRUE;
      return cached;
    }
  }
  CachedCurve *recent = spectrum && now_us != 0 ? find_recent (curves, key, now_us) : NULL;
  if (recent != NULL) {
    recent->used = *late = TRUE;
    return recent;
  }
  CachedCurve fresh = {
      .key = *key, .curve = compute_curve (key, spectrum), .rms = NAN, .used = TRUE, .made_us = now_us};
  if (!spectrum) {
    HlSamples samples = hl_curve_samples (fresh.curve);
    fresh.rms = hl_samples_measure (&samples, -INFINITY, INFINITY).rms;
  }
  hl_results_ref ((HlResults *)key->results);
  if (key->against != NULL)
    hl_results_ref ((HlResults *)key->against);
  g_array_append_val (curves, fresh);
  return &g_array_index (curves, CachedCurve, curves->len - 1);
}

#define COVER_ROWS 64    /* at which two curves are compared */
#define COVER_PART 0.3   /* of these: so much of a curve on another one hides it */
#define COVER_NEAR 0.004 /* of the span of the axis: about the width of a line */
#define RMS_DIGITS 3
#define GHOST_TINGE 0.5
#define BEFORE_WIDTH 0.72 /* of a trace: 1.3 px beside 1.8 px */
#define GHOST_ALPHA 0.75
#define BAR_AIR 0.15 /* of the range of the bars */

HlPlotScene *hl_plot_scene_new (const HlPlotPanel *panel) {
  HlPlotScene *scene = g_new0 (HlPlotScene, 1);
  scene->series = g_array_new (FALSE, FALSE, sizeof (HlPlotSeries));
  scene->roles = g_array_new (FALSE, FALSE, sizeof (Role));
  scene->marks = g_array_new (FALSE, FALSE, sizeof (HlPlotMark));
  scene->curves = curves_new ();
  scene->cursor = hl_column_cursor_new ();
  scene->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  scene->texts = g_string_chunk_new (256);
  hl_plot_scene_set_panel (scene, panel);
  return scene;
}

void hl_plot_scene_free (HlPlotScene *scene) {
  if (scene == NULL)
    return;
  hl_plot_panel_free (scene->panel);
  g_array_unref (scene->series);
  g_array_unref (scene->roles);
  g_array_unref (scene->marks);
  g_array_unref (scene->curves);
  hl_column_cursor_free (scene->cursor);
  g_hash_table_unref (scene->hidden);
  g_string_chunk_free (scene->texts);
  g_free (scene);
}

void hl_plot_scene_set_panel (HlPlotScene *scene, const HlPlotPanel *panel) {
  HlPlotPanel *copy = hl_plot_panel_copy (panel);

  hl_plot_panel_free (scene->panel);
  scene->panel = copy;
  scene->n_traces = (int)g_strv_length (copy->traces);
}

const HlPlotPanel *hl_plot_scene_panel (const HlPlotScene *scene) {
  return scene->panel;
}

gboolean hl_plot_scene_is_late (const HlPlotScene *scene) {
  return scene->late;
}

gboolean hl_plot_scene_is_over_time (const HlPlotScene *scene) {
  return scene->panel->kind == HL_PLOT_TIME || scene->panel->kind == HL_PLOT_DIFFERENCE;
}

/* --- where the numbers come from --- */

gboolean hl_plot_scene_is_hidden (const HlPlotScene *scene, int trace) {
  return g_hash_table_contains (scene->hidden, scene->panel->traces[trace]);
}

/* Returns the column of a trace, or of its linear response; -1 = none. */
static int find_column (const HlPlotScene *scene, const HlResults *results, const char *trace,
                        gboolean linear) {
  return hl_column_cursor_find (scene->cursor, results, trace, linear ? "linear" : NULL);
}

static gboolean has_values (const HlResults *results, int column) {
  double low, high;
  int rows = hl_results_n_rows (results);
  return column >= 0 && rows > 0 && hl_results_range (results, column, MAX (rows - 1, 0), rows, &low, &high);
}

static int column_of (const HlPlotScene *scene, const HlPlotSource *source, const Role *role, int trace) {
  const HlResults *results =
      role->family == FAMILY_GHOST ? source->ghosts[role->ghost].results : source->results;
  int column = find_column (scene, results, scene->panel->traces[trace], role->family == FAMILY_LINEAR);

  return role->family != FAMILY_LINEAR || (results != NULL && has_values (results, column)) ? column : -1;
}

/* Finds the curve that a difference panel compares a trace with: the linear response, the chosen run,
 * otherwise the first ghost of a kind; of measured data the first that has the trace (`trace` NULL: any). The
 * label is empty for the linear response. */
static HlPlotGhost find_against (const HlPlotScene *scene, const HlPlotSource *source, const char *trace) {
  HlPlotAgainst what = scene->panel->against;

  if (what == HL_AGAINST_LINEAR)
    return (HlPlotGhost){source->results, NULL, FALSE, 0};
  if (what == HL_AGAINST_PINNED && source->reference.results != NULL)
    return source->reference;
  for (int i = 0; i < source->n_ghosts; i++) {
    const HlPlotGhost *ghost = &source->ghosts[i];
    if (!ghost->is_before && ghost->measured == (what == HL_AGAINST_MEASURED) &&
        (!ghost->measured || trace == NULL || find_column (scene, ghost->results, trace, FALSE) >= 0))
      return *ghost;
  }
  return (HlPlotGhost){NULL, NULL, FALSE, 0};
}

/* Returns the column of a trace in the comparison; -1 = there is none. */
static int find_against_column (const HlPlotScene *scene, const HlPlotGhost *against, const char *trace) {
  gboolean linear = scene->panel->against == HL_AGAINST_LINEAR;
  int column = find_column (scene, against->results, trace, linear);

  return !linear || (against->results != NULL && has_values (against->results, column)) ? column : -1;
}

/* --- units --- */

/* Returns Shown = SI * factor + offset. A difference has no offset, whatever zero its unit counts from. */
static HlScaling scaling_of (HlUnits units, const HlTraceInfo *info, gboolean difference) {
  const HlUnit *unit = hl_units_get (units, info->quantity);
  return (HlScaling){1 / unit->factor, info->relative || difference ? 0 : -unit->offset / unit->factor};
}

/* --- series --- */

/* Finds the samples of a series; FALSE when there are none. *rms is set for a difference.
 */
static gboolean fill_samples (HlPlotScene *scene, const HlPlotSource *source, const Role *role,
                              HlPlotSeries *series, double *rms) {
  const HlResults *results =
      role->family == FAMILY_GHOST ? source->ghosts[role->ghost].results : source->results;
  int column = column_of (scene, source, role, role->trace);
  CurveKey key = {.results = results, .column = column, .from = 0, .to = INFINITY};

  if (column < 0)
    return FALSE;
  key.n_rows = hl_results_n_rows (results);
  switch (scene->panel->kind) {
  case HL_PLOT_SPECTRUM: {
    if (source->to != source->from) {
      key.from = fmin (source->from, source->to);
      key.to = fmax (source->from, source->to);
    }
    key.window = hl_window_shape_find (scene->panel->window);
    const HlCurve *curve = curves_find (scene->curves, &key, TRUE, source->now_us, &scene->late)->curve;
    /* the mean is no vibration: it would set the scale */
    series->samples = (HlSamples){.x = curve->x + 1, .y = curve->y + 1, .n = MAX (curve->n - 1, 0)};
    series->y_offset = 0;
    return curve->n > 1;
  }
  case HL_PLOT_DIFFERENCE: {
    const char *trace = scene->panel->traces[role->trace];
    HlPlotGhost against = find_against (scene, source, trace);
    key.against = against.results;
    key.against_column = find_against_column (scene, &against, trace);
    if (key.against_column < 0 || role->family != FAMILY_RUN)
      return FALSE;
    key.n_against = hl_results_n_rows (key.against);
    const CachedCurve *difference = curves_find (scene->curves, &key, FALSE, source->now_us, &scene->late);
    series->samples = hl_curve_samples (difference->curve);
    *rms = difference->rms;
    return TRUE;
  }
  case HL_PLOT_PHASE: {
    HlTraceInfo x = hl_trace_info (source->document, scene->panel->traces[0]);
    HlScaling scaling = scaling_of (source->units, &x, FALSE);
    int x_column = column_of (scene, source, role, 0);
    if (x_column < 0)
      return FALSE;
    series->samples = (HlSamples){.results = results, .x_column = x_column, .y_column = column};
    series->x_factor = scaling.factor;
    series->x_offset = scaling.offset;
    series->unsorted = TRUE;
    return TRUE;
  }
  default:
    series->samples = (HlSamples){.results = results, .x_column = 0, .y_column = column};
    return TRUE;
  }
}

static HlDash ghost_dash (int turn) {
  static const HlDash dashes[] = {HL_DASH_SOLID, HL_DASH_DOTTED, HL_DASH_DASHED};
  return dashes[turn % (int)G_N_ELEMENTS (dashes)];
}

/* Returns "p₁ · RMS 0.12 MPa" for a difference. */
static const char *legend_text (const HlPlotScene *scene, const HlPlotSource *source, const HlTraceInfo *info,
                                double rms) {
  char number[48];

  const HlUnit *unit = hl_units_get (source->units, info->quantity);
  hl_axis_format (rms / unit->factor, RMS_DIGITS, number, sizeof number);
  /* translators: a trace and the root mean square of its difference: "p₁ · RMS 0.12 MPa" */
  g_autofree char *text = g_strdup_printf (_ ("%s · RMS %s %s"), info->label, number,
                                           info->quantity != HL_QUANTITY_NONE ? unit->symbol : "");
  return g_string_chunk_insert (scene->texts, g_strchomp (text));
}

/* Returns "linear from 1.5 s": the linear response starts from the state of the run at which the signals
 * become constant. Its column has no values before. */
static const char *linear_label (const HlPlotScene *scene, const HlPlotSource *source,
                                 const HlPlotSeries *series) {
  const HlSamples *samples = &series->samples;
  int n = hl_samples_count (samples), first = 0;

  for (int end = n; first < end;) {
    int middle = first + (end - first) / 2;
    if (isfinite (hl_samples_y (samples, middle)))
      end = middle;
    else
      first = middle + 1;
  }
  double begin = first < n ? hl_samples_x (samples, first) : 0;
  if (!hl_plot_scene_is_over_time (scene) || series->unsorted || first == 0 ||
      begin <= hl_results_get (source->results, 0, 0))
    return _ ("linear");
  char number[40];
  hl_axis_format (begin, 4, number, sizeof number);
  /* translators: in a legend: the linear response is drawn from that time on */
  g_autofree char *text = g_strdup_printf (_ ("linear from %s s"), number);
  return g_string_chunk_insert (scene->texts, text);
}

/* Returns "p₁, linear" for a curve that is not the run's own. */
static const char *name_of (const HlPlotScene *scene, const HlTraceInfo *info, const char *what) {
  g_autofree char *text = g_strdup_printf ("%s, %s", info->label, what);
  return g_string_chunk_insert (scene->texts, text);
}

/* Sets color, dash and legend by family. */
static void style_series (const HlPlotScene *scene, const HlPlotSource *source, const Role *role,
                          const HlTraceInfo *info, gboolean is_first, const HlStyle *style,
                          HlPlotSeries *series) {
  int index = role->trace - first_trace (scene);
  gboolean one = scene->n_traces - first_trace (scene) == 1;

  series->color = hl_style_trace_color (style, index);
  series->quiet = role->family != FAMILY_RUN && !one;
  series->hidden = hl_plot_scene_is_hidden (scene, role->trace);
  if (role->family == FAMILY_RUN) {
    series->label = g_string_chunk_insert (scene->texts, info->label);
    series->dash = hl_style_trace_dash (style, index);
  } else if (role->family == FAMILY_LINEAR) {
    series->label = is_first ? linear_label (scene, source, series) : NULL;
    series->name = name_of (scene, info, _ ("linear"));
    series->color = one ? style->ink : hl_color_mix (series->color, style->ink, 0.55);
    series->dash = HL_DASH_DASHED;
    series->may_leave = TRUE; /* a comparison never changes the scale of the run */
    series->hidden = series->hidden || scene->hide_linear;
  } else {
    const HlPlotGhost *ghost = &source->ghosts[role->ghost];
    series->label = is_first ? ghost->label : NULL;
    series->name = ghost->label != NULL ? name_of (scene, info, ghost->label) : NULL;
    /* a color of its own; with several traces a shade of it for each */
    HlColor own = hl_style_ghost_color (style, ghost->turn, scene->n_traces - first_trace (scene));
    series->color =
        hl_color_with_alpha (one ? own : hl_color_mix (series->color, own, GHOST_TINGE), GHOST_ALPHA);
    series->legend_color = own;
    series->dash = ghost->measured ? HL_DASH_SOLID : ghost_dash (ghost->turn);
    series->dots = ghost->measured;
    series->hidden = series->hidden || scene->hide_ghosts;
    if (ghost->is_before) {
      series->color = series->legend_color = style->ghost;
      series->width = BEFORE_WIDTH * style->trace_width;
      series->dash = HL_DASH_SOLID;
      series->quiet = TRUE;
    }
  }
}

static void add_family (HlPlotScene *scene, const HlPlotSource *source, const HlStyle *style, Family family,
                        int ghost) {
  int first = first_trace (scene);
  gboolean is_first = TRUE;
  HlQuantity axes[2];
  int n_quantities;
  const char *of = ghost >= 0 && source->ghosts[ghost].label != NULL
                       ? g_string_chunk_insert (scene->texts, source->ghosts[ghost].label)
                       : NULL;

  hl_trace_axes (source->document, (const char *const *)scene->panel->traces, first, axes, &n_quantities);
  for (int trace = first; trace < scene->n_traces; trace++) {
    HlTraceInfo info = hl_trace_info (source->document, scene->panel->traces[trace]);
    HlScaling scaling = scaling_of (source->units, &info, scene->panel->kind == HL_PLOT_DIFFERENCE);
    Role role = {family, trace, ghost, of};
    HlPlotSeries series = {.x_factor = 1, .y_factor = scaling.factor, .y_offset = scaling.offset};
    double rms = NAN;
    series.right_axis = info.quantity != axes[0];
    /* a third quantity has no axis: it stands in the legend, pale */
    gboolean without_place = series.right_axis && (n_quantities < 2 || info.quantity != axes[1]);
    if (!fill_samples (scene, source, &role, &series, &rms) || (without_place && family != FAMILY_RUN))
      continue;
    style_series (scene, source, &role, &info, is_first, style, &series);
    if (isfinite (rms))
      series.legend = legend_text (scene, source, &info, rms);
    series.hidden = series.hidden || without_place;
    is_first = FALSE;
    g_array_append_val (scene->series, series);
    g_array_append_val (scene->roles, role);
  }
}

/* --- curves under others --- */

static double shown_value (const HlPlotSeries *series, int row) {
  return hl_samples_y (&series->samples, row) * series->y_factor + series->y_offset;
}

static gboolean can_cover (const HlPlotScene *scene, guint index) {
  const HlPlotSeries *series = &g_array_index (scene->series, HlPlotSeries, index);

  return g_array_index (scene->roles, Role, index).family == FAMILY_RUN && !series->hidden &&
         !series->unsorted && series->samples.results != NULL;
}

/* Returns the span of all curves of the run on an axis, from some rows of each. */
static double span_of_axis (const HlPlotScene *scene, gboolean right) {
  double low = INFINITY, high = -INFINITY;

  for (guint i = 0; i < scene->series->len; i++) {
    const HlPlotSeries *series = &g_array_index (scene->series, HlPlotSeries, i);
    int n = can_cover (scene, i) && series->right_axis == right ? hl_samples_count (&series->samples) : 0;
    for (int k = 0; k < COVER_ROWS && n > 0; k++) {
      double y = shown_value (series, (int)((gint64)k * (n - 1) / (COVER_ROWS - 1)));
      low = fmin (low, y);
      high = fmax (high, y);
    }
  }
  return high > low ? high - low : 0.0;
}

/* Returns whether a good part of one curve lies on the other. */
static gboolean covers (const HlPlotSeries *upper, const HlPlotSeries *lower, double near) {
  int n = MIN (hl_samples_count (&upper->samples), hl_samples_count (&lower->samples)), close = 0;

  if (upper->right_axis != lower->right_axis || upper->samples.results != lower->samples.results || n == 0)
    return FALSE;
  for (int k = 0; k < COVER_ROWS; k++) {
    int row = (int)((gint64)k * (n - 1) / (COVER_ROWS - 1));
    close += fabs (shown_value (upper, row) - shown_value (lower, row)) <= near;
  }
  return close >= COVER_PART * COVER_ROWS;
}

/* Makes a curve dashed that is painted over another one, so that the lower one shows between the dashes. */
static void dash_covering (HlPlotScene *scene) {
  double near[2] = {COVER_NEAR * span_of_axis (scene, FALSE), COVER_NEAR * span_of_axis (scene, TRUE)};

  for (guint j = 1; j < scene->series->len; j++) {
    HlPlotSeries *upper = &g_array_index (scene->series, HlPlotSeries, j);
    for (guint i = 0; i < j && can_cover (scene, j) && upper->dash == HL_DASH_SOLID; i++) {
      const HlPlotSeries *lower = &g_array_index (scene->series, HlPlotSeries, i);
      if (can_cover (scene, i) && lower->dash == HL_DASH_SOLID &&
          covers (upper, lower, near[upper->right_axis]))
        upper->dash = HL_DASH_DASHED;
    }
  }
}

/* Adds the marks of the present state on each curve of a phase plot; last, on top of the others, on its own. */
static void add_marks (HlPlotScene *scene, const HlPlotSource *source) {
  guint n = scene->series->len;

  for (guint k = 0; k < 2 * n; k++) {
    guint i = k % n;
    const HlPlotSeries *series = &g_array_index (scene->series, HlPlotSeries, i);
    const HlSamples *of = &series->samples;
    gboolean is_run = g_array_index (scene->roles, Role, i).family == FAMILY_RUN;
    if (series->hidden || of->results == NULL || is_run != (k >= n))
      continue;
    HlPlotMark mark = {.x = hl_results_value_at (of->results, of->x_column, source->time) * series->x_factor +
                            series->x_offset,
                       .y = hl_results_value_at (of->results, of->y_column, source->time) * series->y_factor +
                            series->y_offset,
                       .right_axis = series->right_axis,
                       .color = series->color};
    g_array_append_val (scene->marks, mark);
  }
}

/* --- bars --- */

/* Fills the bars with the change of each kind of energy since the start: the sum of the first four is the supplied
 * energy. */

static void fill_bars (HlPlotScene *scene, const HlPlotSource *source, const HlStyle *style) {
  static const char *const paths[HL_N_ENERGIES] = {"energy.kinetic", "energy.potential", "energy.oil",
                                                   "energy.dissipated", "energy.supplied"};
  const char *const names[HL_N_ENERGIES] = {_ ("kinetic"), _ ("potential"), _ ("in the oil"),
                                            _ ("dissipated"), _ ("supplied")};
  const HlUnit *unit = hl_units_get (source->units, HL_QUANTITY_ENERGY);
  double low = 0, high = 0;
  int n = 0;

  for (int i = 0; i < HL_N_ENERGIES; i++) {
    int column = find_column (scene, source->results, paths[i], FALSE);
    double min, max;
    if (column < 0 || !has_values (source->results, column))
      continue;
    double start = hl_results_get (source->results, column, 0);
    scene->bars[n++] = (HlPlotBar){
        .label = names[i],
        .value = (hl_results_value_at (source->results, column, source->time) - start) / unit->factor,
        .color = hl_style_trace_color (style, i)};
    /* the scale stays while the time cursor moves */
    if (hl_results_range (source->results, column, 0, hl_results_n_rows (source->results), &min, &max)) {
      low = fmin (low, (min - start) / unit->factor);
      high = fmax (high, (max - start) / unit->factor);
    }
  }
  scene->plot.bars = scene->bars;
  scene->plot.n_bars = n;
  scene->plot.left.unit = unit->symbol;
  scene->plot.left.label = _ ("Energy since t = 0");
  /* room for the numbers at the ends of the bars */
  hl_axis_fit (&scene->plot.left.axis, low < 0 ? low - BAR_AIR * (high - low) : 0,
               high > 0 ? high + BAR_AIR * (high - low) : 0);
}

/* Returns the title of a difference; NULL for all other plots. */
static const char *usual_title (HlPlotScene *scene, const HlPlotSource *source) {
  if (scene->panel->kind != HL_PLOT_DIFFERENCE || scene->n_traces == 0)
    return NULL;
  HlPlotGhost against = find_against (scene, source, NULL);
  if (against.results == NULL)
    return NULL;
  g_autofree char *title = g_strdup_printf (
      _ ("Difference to %s"), against.label != NULL ? against.label : _ ("the linear response"));
  return g_string_chunk_insert (scene->texts, title);
}

/* Notes in the legend that a linear response is not completely visible. */
static void note_leaving (HlPlotScene *scene) {
  HlPlotSeries *told = NULL;
  gboolean leaves = FALSE;

  for (guint i = 0; i < scene->series->len; i++) {
    HlPlotSeries *series = &g_array_index (scene->series, HlPlotSeries, i);
    if (g_array_index (scene->roles, Role, i).family != FAMILY_LINEAR)
      continue;
    told = series->label != NULL ? series : told;
    leaves = leaves || hl_plot_leaves (&scene->plot, (int)i);
  }
  if (!leaves || told == NULL)
    return;
  /* translators: in a legend, of the linear response */
  g_autofree char *text = g_strdup_printf (_ ("%s, outside the picture"), told->label);
  told->legend = g_string_chunk_insert (scene->texts, text);
}

HlPlot *hl_plot_scene_update (HlPlotScene *scene, const HlPlotSource *source, const HlStyle *style) {
  HlPlot *plot = &scene->plot;

  g_string_chunk_clear (scene->texts);
  g_array_set_size (scene->series, 0);
  g_array_set_size (scene->roles, 0);
  g_array_set_size (scene->marks, 0);
  *plot = hl_plot_make ();
  plot->title = scene->panel->title != NULL ? scene->panel->title : usual_title (scene, source);
  if (scene->panel->kind == HL_PLOT_ENERGY) {
    fill_bars (scene, source, style);
    return plot;
  }
  scene->late = FALSE;
  curves_begin (scene->curves);
  hl_column_cursor_begin (scene->cursor);
  for (int ghost = 0; ghost < source->n_ghosts; ghost++)
    if (!source->ghosts[ghost].is_before || scene->panel->kind == HL_PLOT_TIME)
      add_family (scene, source, style, FAMILY_GHOST, ghost);
  add_family (scene, source, style, FAMILY_RUN, -1);
  dash_covering (scene);
  if (source->show_linear)
    add_family (scene, source, style, FAMILY_LINEAR, -1);
  curves_end (scene->curves);
  if (scene->panel->kind == HL_PLOT_PHASE)
    add_marks (scene, source);

  plot->series = (gconstpointer)scene->series->data;
  plot->n_series = (int)scene->series->len;
  plot->marks = (gconstpointer)scene->marks->data;
  plot->n_marks = (int)scene->marks->len;
  label_x (scene, source);
  label_values (scene, source);
  fit_ranges (scene);
  note_leaving (scene);
  return plot;
}

int hl_plot_scene_trace_of_series (const HlPlotScene *scene, int series) {
  if (series < 0 || series >= (int)scene->roles->len)
    return -1;
  const Role *role = &g_array_index (scene->roles, Role, series);
  return role->family == FAMILY_RUN ? role->trace : -1;
}

char *hl_plot_scene_curve_name (const HlPlotScene *scene, int series) {
  static const char *const families[] = {
      [FAMILY_GHOST] = "of", [FAMILY_RUN] = "run", [FAMILY_LINEAR] = "linear"};
  const Role *role = &g_array_index (scene->roles, Role, series);

  return g_strdup_printf ("%s %s %s", families[role->family], scene->panel->traces[role->trace],
                          role->of != NULL ? role->of : "");
}

int hl_plot_scene_find_curve (const HlPlotScene *scene, const char *name) {
  for (guint i = 0; i < scene->roles->len; i++) {
    g_autofree char *own = hl_plot_scene_curve_name (scene, (int)i);
    if (strcmp (own, name) == 0)
      return (int)i;
  }
  return -1;
}

void hl_plot_scene_toggle_trace (HlPlotScene *scene, const char *trace) {
  if (!g_hash_table_remove (scene->hidden, trace))
    g_hash_table_add (scene->hidden, g_strdup (trace));
}

void hl_plot_scene_toggle (HlPlotScene *scene, int series) {
  if (series < 0 || series >= (int)scene->roles->len)
    return;
  const Role *role = &g_array_index (scene->roles, Role, series);
  const char *trace = scene->panel->traces[role->trace];
  if (role->family == FAMILY_GHOST)
    scene->hide_ghosts = !scene->hide_ghosts;
  else if (role->family == FAMILY_LINEAR)
    scene->hide_linear = !scene->hide_linear;
  else
    hl_plot_scene_toggle_trace (scene, trace);
}
