/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-studies-chart.h"

#include "core/base/hl-translation-macros.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/chart/hl-paint-study.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"

#include <math.h>
#include <string.h>

#define DIGITS 5
#define MOST_NUMBERS 4 /* of a matrix, when there are measures */

HlStudiesView *hl_studies_view_new (HlWorkbench *workbench) {
  HlStudiesView *self = g_new0 (HlStudiesView, 1);

  self->workbench = g_object_ref (workbench);
  self->columns = g_array_new (FALSE, TRUE, sizeof (HlStudyColumn));
  self->titles = g_ptr_array_new_with_free_func (g_free);
  self->values = g_ptr_array_new_with_free_func (g_free);
  self->row = -1;
  return self;
}

void hl_studies_view_free (HlStudiesView *self) {
  if (self == NULL)
    return;
  g_object_unref (self->workbench);
  g_array_unref (self->columns);
  g_ptr_array_unref (self->titles);
  g_ptr_array_unref (self->values);
  g_free (self->units);
  g_free (self->lit);
  g_free (self);
}

void hl_studies_view_set_job (HlStudiesView *self, HlStudyJob *job) {
  self->job = job;
  g_array_set_size (self->columns, 0);
  g_ptr_array_set_size (self->titles, 0);
  g_ptr_array_set_size (self->values, 0);
  g_clear_pointer (&self->units, g_free);
  g_clear_pointer (&self->lit, g_free);
  self->lit = g_new0 (guint8, hl_studies_view_n_rows (self) + 1);
  self->has_lit = FALSE;
  self->n_lit = 0;
  self->row = -1;
  hl_studies_view_refresh (self);
}

int hl_studies_view_n_rows (const HlStudiesView *self) {
  return self->job != NULL ? hl_study_job_n_rows (self->job) : 0;
}

int hl_studies_view_n_columns (const HlStudiesView *self) {
  return (int)self->columns->len;
}

/* --- columns --- */

/* Returns the symbol of a column; NULL: none. */
static const char *symbol_of (const HlStudiesView *self, int column) {
  const HlUnit *unit = self->units[column];
  const char *symbol = unit != NULL ? unit->symbol : hl_study_job_column (self->job, column)->unit;

  return *symbol != '\0' && strcmp (symbol, "1") != 0 ? symbol : NULL;
}

static char *title_of (const HlStudiesView *self, int column) {
  const char *symbol = symbol_of (self, column), *name = hl_study_job_column (self->job, column)->name;

  return symbol != NULL ? g_strdup_printf ("%s [%s]", name, symbol) : g_strdup (name);
}

void hl_studies_view_refresh (HlStudiesView *self) {
  int n = self->job != NULL ? hl_study_job_n_columns (self->job) : 0, n_rows = hl_studies_view_n_rows (self);
  HlUnits units = hl_workbench_units (self->workbench);

  g_ptr_array_set_size (self->titles, 0);
  g_array_set_size (self->columns, (guint)n);
  g_free (self->units);
  self->units = g_new0 (const HlUnit *, n + 1);
  for (int k = 0; k < n; k++) {
    const HlStudyJobColumn *column = hl_study_job_column (self->job, k);
    const double *si = hl_study_job_values (self->job, k);
    if ((int)self->values->len <= k)
      g_ptr_array_add (self->values, g_new (double, n_rows));
    double *shown = g_ptr_array_index (self->values, k);
    self->units[k] = column->quantity != HL_QUANTITY_NONE ? units[column->quantity] : NULL;
    for (int row = 0; row < n_rows; row++)
      shown[row] = self->units[k] != NULL ? hl_unit_from_si (self->units[k], si[row]) : si[row];
    g_ptr_array_add (self->titles, title_of (self, k));
    g_array_index (self->columns, HlStudyColumn, k) = (HlStudyColumn){
        .title = column->name, .unit = symbol_of (self, k), .values = shown, .is_log = column->is_log};
  }
}

const char *hl_studies_view_title (const HlStudiesView *self, int column) {
  return g_ptr_array_index (self->titles, column);
}

/* Chooses the columns of a matrix or of histograms, out[HL_STUDY_MOST_COLUMNS]; returns their number. */
static int view_choose (const HlStudiesView *self, int out[]) {
  int n = hl_studies_view_n_columns (self), n_numbers = n > 0 ? hl_study_job_n_numbers (self->job) : 0,
      chosen = 0;
  int numbers = n <= HL_STUDY_MOST_COLUMNS ? n_numbers : MIN (n_numbers, MOST_NUMBERS);

  for (int k = 0; k < n && chosen < HL_STUDY_MOST_COLUMNS; k++)
    if (k < numbers || k >= n_numbers)
      out[chosen++] = k;
  return chosen;
}

/* --- rows --- */

void hl_studies_view_clear_lit (HlStudiesView *self) {
  self->has_lit = FALSE;
  self->n_lit = 0;
  memset (self->lit, 0, (gsize)hl_studies_view_n_rows (self));
}

/* Moves to the next computed row before or behind the examined one; if rows are highlighted, to the next of
 * those. */
static void view_step (HlStudiesView *self, int by) {
  int n = hl_studies_view_n_rows (self);

  for (int row = self->row < 0 && by < 0 ? n + by : self->row + by; row >= 0 && row < n; row += by)
    if (hl_study_job_state (self->job, row) != HL_STUDY_ROW_MISSING && (!self->has_lit || self->lit[row])) {
      self->row = row;
      return;
    }
}

char *hl_studies_view_cell (const HlStudiesView *self, int row, int column) {
  double value = ((const double *)g_ptr_array_index (self->values, column))[row];

  return isfinite (value) ? hl_units_format (NULL, HL_QUANTITY_NONE, value, DIGITS) : g_strdup ("");
}

static void append_number (GString *text, const HlStudiesView *self, int row, int column) {
  const HlStudyJobColumn *what = hl_study_job_column (self->job, column);
  g_autofree char *number = hl_studies_view_cell (self, row, column);
  const char *symbol = symbol_of (self, column);

  g_string_append_printf (text, "%s%s = %s", column > 0 ? ", " : "", what->name,
                          *number != '\0' ? number : "–");
  if (*number != '\0' && symbol != NULL)
    g_string_append_printf (text, " %s", symbol);
}

char *hl_studies_view_text (const HlStudiesView *self, int row) {
  if (row < 0 || row >= hl_studies_view_n_rows (self) ||
      hl_study_job_state (self->job, row) == HL_STUDY_ROW_MISSING)
    return g_strdup ("");
  g_autoptr (GString) numbers = g_string_new (NULL);
  const char *wrong = hl_study_job_error (self->job, row);
  int n = wrong != NULL ? hl_study_job_n_numbers (self->job) : hl_studies_view_n_columns (self);
  for (int k = 0; k < n; k++)
    append_number (numbers, self, row, k);
  if (wrong != NULL)
    return g_strdup_printf (_ ("Row %d failed: %s (%s)"), row + 1, wrong, numbers->str);
  return hl_study_job_keeps_limits (self->job, row)
             ? g_strdup_printf (_ ("Row %d: %s"), row + 1, numbers->str)
             : g_strdup_printf (_ ("Row %d, limit exceeded: %s"), row + 1, numbers->str);
}

struct _HlFitChart {
  HlChart parent_instance;
  const HlFitJob *job;
  GPtrArray *titles;
  HlFitPanel panels[HL_FIT_MOST_PANELS];
  int n;
};

G_DEFINE_FINAL_TYPE (HlFitChart, hl_fit_chart, HL_TYPE_CHART)

static void figure_fit_chart (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlFitChart *self = HL_FIT_CHART (chart);

  hl_paint_fit (cr, self->panels, self->n, area, style);
}

static void paint_fit_chart (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  if (HL_FIT_CHART (chart)->n == 0)
    hl_text_paint_wrapped (cr, style, style->ink_soft,
                           _ ("The measured data and the fitted model appear here. Choose the numbers to "
                              "fit, add a table of measured data, then press Compute."),
                           (HlSpot){area.x + 0.5 * area.width, area.y + 0.5 * area.height},
                           fmin (0.8 * area.width, 26.0 * style->font_size));
  else
    figure_fit_chart (chart, cr, area, style);
}

static char *table_fit_chart (HlChart *chart) {
  HlFitChart *self = HL_FIT_CHART (chart);

  return self->n > 0 ? hl_fit_job_table (self->job) : NULL;
}

static void fit_chart_finalize (GObject *object) {
  g_ptr_array_unref (HL_FIT_CHART (object)->titles);
  G_OBJECT_CLASS (hl_fit_chart_parent_class)->finalize (object);
}

static void hl_fit_chart_class_init (HlFitChartClass *klass) {
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fit_chart_finalize;
  chart_class->paint = paint_fit_chart;
  chart_class->figure = figure_fit_chart;
  chart_class->table = table_fit_chart;
}

static void hl_fit_chart_init (HlFitChart *self) {
  self->titles = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Measured data and the fitted model"), -1);
}

void hl_fit_chart_set_job (HlFitChart *self, const HlFitJob *job) {
  const HlFit *fit = job != NULL ? hl_fit_job_fit (job) : NULL;
  const HlFitAnswer *answer = fit != NULL ? hl_fit_job_answer (job) : NULL;
  const double *before = fit != NULL ? hl_fit_job_before (job) : NULL;

  self->job = job;
  self->n = fit != NULL ? MIN (hl_fit_n_traces (fit), HL_FIT_MOST_PANELS) : 0;
  g_ptr_array_set_size (self->titles, 0);
  for (int k = 0; k < self->n; k++) {
    HlFitTrace trace = hl_fit_trace (fit, k);
    g_ptr_array_add (self->titles, hl_fit_trace_title (fit, k));
    self->panels[k] = (HlFitPanel){.title = self->titles->pdata[k],
                                   .unit = trace.unit,
                                   .n = trace.n,
                                   .t = trace.t,
                                   .measured = trace.measured,
                                   .model = answer->model + trace.first,
                                   .residual = answer->residual + trace.first,
                                   .before = before != NULL ? before + trace.first : NULL};
  }
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

#define REACH_PX 8.0

struct _HlStudiesChart {
  HlChart parent_instance;
  HlStudiesView *view; /* borrowed */
  HlStudyPictureKind kind;
  int axes[2];        /* of a cloud */
  HlSpot pressed;     /* last requested place, where a drag begins */
  HlSpot hovered;     /* where the pointer stood last */
  HlRect box;         /* of the brush, device; empty: none */
  guint8 *lit_before; /* of a drag that may be given up */
  gboolean had_lit;
  HlStudyColumn columns[HL_STUDY_MOST_COLUMNS]; /* of the picture */
};

enum { BRUSHED, WANTED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlStudiesChart, hl_studies_chart, HL_TYPE_CHART)

/* --- the picture --- */

static HlStudyPicture picture_of (HlStudiesChart *self) {
  const HlStudiesView *view = self->view;
  int chosen[HL_STUDY_MOST_COLUMNS], n_all = hl_studies_view_n_columns (view), n = 0;

  if (self->kind == HL_STUDY_CLOUD) {
    for (int k = 0; k < 2; k++)
      if (self->axes[k] >= 0 && self->axes[k] < n_all)
        chosen[n++] = self->axes[k];
  } else
    n = view_choose (view, chosen);
  for (int k = 0; k < n; k++)
    self->columns[k] = g_array_index (view->columns, HlStudyColumn, chosen[k]);
  return (HlStudyPicture){.kind = self->kind,
                          .columns = self->columns,
                          .n_columns = n,
                          .n_rows = hl_studies_view_n_rows (view),
                          .lit = view->has_lit ? view->lit : NULL,
                          .row = &view->row};
}

static gboolean has_picture (HlStudiesChart *self) {
  return self->view != NULL && hl_studies_view_n_columns (self->view) > 0;
}

static void figure (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlStudiesChart *self = HL_STUDIES_CHART (chart);

  if (!has_picture (self))
    return;
  HlStudyPicture picture = picture_of (self);
  hl_paint_study (cr, &picture, area, style);
}

static void paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlStudiesChart *self = HL_STUDIES_CHART (chart);

  if (!has_picture (self)) {
    hl_text_paint_wrapped (cr, style, style->ink_soft,
                           _ ("Each run of the study appears here as a point. Choose the varied numbers and "
                              "the measures, then press Compute."),
                           (HlSpot){area.x + 0.5 * area.width, area.y + 0.5 * area.height},
                           fmin (0.8 * area.width, 26.0 * style->font_size));
    return;
  }
  figure (chart, cr, area, style);
  if (self->box.width + self->box.height <= 0.0)
    return;
  hl_color_set (cr, hl_color_with_alpha (style->accent, 0.15));
  cairo_rectangle (cr, self->box.x, self->box.y, self->box.width, self->box.height);
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
}

static char *table (HlChart *chart) {
  HlStudiesChart *self = HL_STUDIES_CHART (chart);

  return has_picture (self) ? hl_study_job_table (self->view->job) : NULL;
}

/* Returns the panel at a spot; -1: none. */
static int panel_at (HlStudiesChart *self, HlSpot at, HlStudyPicture *picture, HlStudyPanel *panel) {
  HlStudyPanel panels[HL_STUDY_MOST_PANELS];
  HlStyle style = hl_widget_style (GTK_WIDGET (self));

  if (!has_picture (self))
    return -1;
  *picture = picture_of (self);
  int n = hl_study_panels (picture, hl_chart_area (HL_CHART (self)), &style, panels);
  int found = hl_study_panel_at (panels, n, at);
  if (found >= 0)
    *panel = panels[found];
  return found;
}

static int row_at (HlStudiesChart *self, HlSpot at) {
  HlStudyPicture picture;
  HlStudyPanel panel;

  return panel_at (self, at, &picture, &panel) >= 0 ? hl_study_row_at (&picture, &panel, at, REACH_PX) : -1;
}

gboolean hl_studies_chart_place (HlStudiesChart *self, int panel, int row, HlSpot *spot) {
  HlStudyPanel panels[HL_STUDY_MOST_PANELS];
  HlStyle style = hl_widget_style (GTK_WIDGET (self));

  if (!has_picture (self))
    return FALSE;
  HlStudyPicture picture = picture_of (self);
  int n = hl_study_panels (&picture, hl_chart_area (HL_CHART (self)), &style, panels);
  if (panel >= n || panels[panel].y_column < 0 || row >= picture.n_rows)
    return FALSE;
  *spot = hl_study_panel_place (&panels[panel], picture.columns[panels[panel].x_column].values[row],
                                picture.columns[panels[panel].y_column].values[row]);
  return !isnan (spot->x) && !isnan (spot->y);
}

/* --- looking --- */

static void look_at (HlStudiesChart *self, int row) {
  if (row < 0 || row == self->view->row)
    return;
  self->view->row = row;
  hl_chart_say_pointed (HL_CHART (self));
}

static const char *hover (HlChart *chart, HlSpot at) {
  HlStudiesChart *self = HL_STUDIES_CHART (chart);
  int row = row_at (self, at);
  gboolean has_moved = hypot (at.x - self->hovered.x, at.y - self->hovered.y) >= 1.0;

  self->hovered = at; /* events of a pointer at rest are repeated, and the keyboard focus may have moved */
  if (row >= 0 && has_moved)
    look_at (self, row);
  return row >= 0 ? "pointer" : "crosshair";
}

static void emit_wanted (HlStudiesChart *self) {
  if (self->view->row >= 0)
    g_signal_emit (self, signals[WANTED], 0);
}

/* --- the brush --- */

static void say_brushed (HlStudiesChart *self) {
  g_signal_emit (self, signals[BRUSHED], 0);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static gboolean put_out (HlStudiesChart *self) {
  if (!has_picture (self) || !self->view->has_lit)
    return FALSE;
  self->box = (HlRect){0};
  hl_studies_view_clear_lit (self->view);
  say_brushed (self);
  return TRUE;
}

/* Returns the part of the chart under the pointer; a press in a frame may begin a selection box. */
static HlChartPart hit (HlChart *chart, HlSpot at, int *index) {
  HlStudiesChart *self = HL_STUDIES_CHART (chart);
  HlStudyPicture picture;
  HlStudyPanel panel;

  self->pressed = at;
  *index = panel_at (self, at, &picture, &panel);
  return *index >= 0 ? HL_CHART_ON_CURSOR : HL_CHART_NOWHERE;
}

static void begin_drag (HlChart *chart) {
  HlStudiesChart *self = HL_STUDIES_CHART (chart);

  g_clear_pointer (&self->lit_before, g_free);
  if (!has_picture (self))
    return;
  self->had_lit = self->view->has_lit;
  self->lit_before = g_memdup2 (self->view->lit, (gsize)hl_studies_view_n_rows (self->view) + 1);
}

static void drag_cursor (HlChart *chart, int cursor, HlSpot to) {
  HlStudiesChart *self = HL_STUDIES_CHART (chart);
  HlSpot from = self->pressed;
  HlStudyPicture picture;
  HlStudyPanel panel;

  if (panel_at (self, from, &picture, &panel) < 0)
    return;
  const HlRect *frame = &panel.frame;
  to.x = CLAMP (to.x, frame->x, frame->x + frame->width);
  to.y = CLAMP (to.y, frame->y, frame->y + frame->height);
  self->box = (HlRect){fmin (from.x, to.x), fmin (from.y, to.y), fabs (to.x - from.x), fabs (to.y - from.y)};
  self->view->n_lit = hl_study_brush (&picture, &panel, self->box, self->view->lit);
  self->view->has_lit = TRUE;
  say_brushed (self);
}

static void drop_cursor (HlChart *chart, HlSpot from, gboolean has_moved) {
  HlStudiesChart *self = HL_STUDIES_CHART (chart);
  int row = has_moved ? -1 : row_at (self, from);

  self->box = (HlRect){0};
  if (row >= 0) {
    look_at (self, row);
    emit_wanted (self);
  } else if (!has_moved || (self->view->has_lit && self->view->n_lit == 0))
    put_out (self); /* nothing lies in it */
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void put_cursor_back (HlChart *chart, int cursor) {
  HlStudiesChart *self = HL_STUDIES_CHART (chart);
  int n = hl_studies_view_n_rows (self->view);

  self->box = (HlRect){0};
  if (self->lit_before == NULL)
    return;
  memcpy (self->view->lit, self->lit_before, (gsize)n);
  self->view->has_lit = self->had_lit;
  self->view->n_lit = 0;
  for (int row = 0; row < n; row++)
    self->view->n_lit += self->view->lit[row];
  say_brushed (self);
}

/* --- keys --- */

static gboolean key (HlChart *chart, guint keyval, gboolean shift) {
  HlStudiesChart *self = HL_STUDIES_CHART (chart);

  if (!has_picture (self))
    return FALSE;
  switch (keyval) {
  case GDK_KEY_Left:
  case GDK_KEY_Right:
    view_step (self->view, keyval == GDK_KEY_Left ? -1 : 1);
    hl_chart_say_pointed (chart);
    return TRUE;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
    emit_wanted (self);
    return TRUE;
  case GDK_KEY_Escape:
    return put_out (self);
  default:
    return FALSE;
  }
}

/* --- life --- */

static void studies_chart_finalize (GObject *object) {
  g_free (HL_STUDIES_CHART (object)->lit_before);
  G_OBJECT_CLASS (hl_studies_chart_parent_class)->finalize (object);
}

static void hl_studies_chart_class_init (HlStudiesChartClass *klass) {
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = studies_chart_finalize;
  chart_class->paint = paint;
  chart_class->figure = figure;
  chart_class->table = table;
  chart_class->hit = hit;
  chart_class->hover = hover;
  chart_class->begin_drag = begin_drag;
  chart_class->drag_cursor = drag_cursor;
  chart_class->drop_cursor = drop_cursor;
  chart_class->put_cursor_back = put_cursor_back;
  chart_class->key = key;
  signals[BRUSHED] =
      g_signal_new ("brushed", HL_TYPE_STUDIES_CHART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[WANTED] =
      g_signal_new ("wanted", HL_TYPE_STUDIES_CHART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void hl_studies_chart_init (HlStudiesChart *self) {
  self->axes[1] = 1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  hl_studies_chart_set_kind (self, HL_STUDY_SCATTER);
}

void hl_studies_chart_set_view (HlStudiesChart *self, HlStudiesView *view) {
  self->view = view;
}

void hl_studies_chart_set_kind (HlStudiesChart *self, HlStudyPictureKind kind) {
  const char *name = kind == HL_STUDY_SCATTER ? _ ("Scatter matrix of the study")
                     : kind == HL_STUDY_CLOUD ? _ ("One column of the study over another")
                                              : _ ("Histograms of the study");

  self->kind = kind;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_studies_chart_set_axes (HlStudiesChart *self, int x, int y) {
  self->axes[0] = x;
  self->axes[1] = y;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}
