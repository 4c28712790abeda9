/* SPDX-License-Identifier: MIT */
/* Bars of the same quantity have one scale; the longest bar has the full width. */
#include "ui/study/hl-rest-band-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/linear/hl-friction-rest-band.h"
#include "core/run/hl-state-snapshot.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/study/hl-restarting-computation.h"
#include "ui/widget/hl-widget-style.h"

#include <math.h>

#define BAR 0.5       /* of the height */
#define MARGIN_PX 6.0 /* beside the longest bar */
#define POINT_PX 4.0

/* Paints the bar; half: half of its length, as a part of half the width, 0 to 1; INFINITY: it continues
 * beyond both ends. */
static void paint_rest (cairo_t *cr, double half, double width, double height, const HlStyle *style) {
  double middle = 0.5 * width, room = middle - MARGIN_PX;
  double reach = isfinite (half) ? half * room : middle;

  cairo_save (cr);
  hl_color_set (cr, style->grid);
  cairo_set_line_width (cr, style->hair_width);
  cairo_move_to (cr, MARGIN_PX, 0.5 * height);
  cairo_line_to (cr, width - MARGIN_PX, 0.5 * height);
  cairo_stroke (cr);
  hl_color_set (cr, hl_color_with_alpha (style->accent, 0.35));
  cairo_rectangle (cr, middle - reach, 0.5 * (1 - BAR) * height, 2 * reach, BAR * height);
  cairo_fill (cr);
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->line_width);
  for (int side = -1; side <= 1 && isfinite (half) && half > 0; side += 2) {
    cairo_move_to (cr, middle + side * reach, 0.5 * (1 - BAR) * height);
    cairo_line_to (cr, middle + side * reach, 0.5 * (1 + BAR) * height);
    cairo_stroke (cr);
  }
  hl_color_set (cr, style->ink);
  cairo_arc (cr, middle, 0.5 * height, POINT_PX, 0, 2 * G_PI);
  cairo_fill (cr);
  cairo_restore (cr);
}

#define PAUSE_MS 150
#define WIDTH 560
#define HEIGHT 420
#define BAR_WIDTH_PX 220
#define BAR_HEIGHT_PX 22
#define LEAST_HALF 1e-15 /* below, a coordinate that nothing moves */
#define SHARE_KEY "hl-rest-share"

struct _HlRestWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  HlStudyRun *run;
  GtkWidget *text, *grid;
  int n_rows;
};

G_DEFINE_FINAL_TYPE (HlRestWindow, hl_rest_window, GTK_TYPE_WINDOW)

typedef struct {
  char *path;
  HlQuantity quantity;
} Line;

typedef struct {
  HlSystem *system;
  HlPoint *point;
  GArray *lines;   /* Line */
  GArray *outputs; /* HlObservable */
} Job;

static void free_job (gpointer data) {
  Job *job = data;

  for (guint k = 0; k < job->lines->len; k++)
    g_free (g_array_index (job->lines, Line, k).path);
  g_array_unref (job->lines);
  g_array_unref (job->outputs);
  hl_point_free (job->point);
  hl_system_unref (job->system);
  g_free (job);
}

static void add_line (Job *job, char *path, HlQuantity quantity) {
  Line line = {path, quantity};
  HlObservable output;

  if (!hl_observable_find (job->system, path, &output)) {
    g_free (path);
    return;
  }
  g_array_append_val (job->lines, line);
  g_array_append_val (job->outputs, output);
}

static gpointer begin_job (gpointer window) {
  static const char *const parts[] = {"x", "y", "angle"};
  HlRestWindow *self = window;
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlWorkingPoint *at = hl_editing_point (editing);
  const HlDocument *document = hl_editing_document (editing);

  if (at == NULL || at->point == NULL || at->system == NULL)
    return NULL;
  Job *job = g_new0 (Job, 1);
  job->system = hl_system_ref (at->system);
  job->point = hl_point_new (at->system);
  hl_point_copy (at->system, job->point, at->point);
  job->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  job->outputs = g_array_new (FALSE, FALSE, sizeof (HlObservable));
  for (int k = 0; k < 3 * hl_document_n_elements (document, HL_SECTION_BODIES); k++)
    add_line (
        job,
        g_strconcat (hl_document_element_id (document, HL_SECTION_BODIES, k / 3), ".", parts[k % 3], NULL),
        k % 3 == 2 ? HL_QUANTITY_ANGLE : HL_QUANTITY_LENGTH);
  for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_LINES); k++)
    add_line (job, g_strconcat (hl_document_element_id (document, HL_SECTION_LINES, k), ".pressure", NULL),
              HL_QUANTITY_PRESSURE);
  return job;
}

static gpointer work (gpointer data, GCancellable *life, GError **error) {
  Job *job = data;
  HlFault fault = {0};

  return hl_rest_band_new (job->system, job->point, (const HlObservable *)(void *)job->outputs->data,
                           (int)job->outputs->len, &fault);
}

/* --- rows --- */

static void draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlStyle style = hl_widget_style (GTK_WIDGET (area));
  const double *share = g_object_get_data (G_OBJECT (area), SHARE_KEY);

  paint_rest (cr, *share, width, height, &style);
}

static void add_row (HlRestWindow *self, const char *name, double share, const char *text) {
  GtkWidget *label = gtk_label_new (name), *area = gtk_drawing_area_new ();
  GtkWidget *numbers = gtk_label_new (text);
  int row = self->n_rows++;

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_xalign (GTK_LABEL (numbers), 0.0);
  gtk_widget_add_css_class (numbers, "numeric");
  gtk_widget_set_size_request (area, BAR_WIDTH_PX, BAR_HEIGHT_PX);
  gtk_widget_set_hexpand (area, TRUE);
  g_object_set_data_full (G_OBJECT (area), SHARE_KEY, g_memdup2 (&share, sizeof share), g_free);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_cb, NULL, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), area, 1, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), numbers, 2, row, 1, 1);
}

static void clear_rows (HlRestWindow *self) {
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
  self->n_rows = 0;
}

static double largest (const Job *job, const HlRestBand *band, HlQuantity quantity) {
  double most = 0.0;

  for (guint k = 0; k < job->lines->len; k++)
    if (g_array_index (job->lines, Line, k).quantity == quantity && isfinite (band->half[k]))
      most = fmax (most, band->half[k]);
  return most;
}

static void show_band (HlRestWindow *self, const Job *job, const HlRestBand *band) {
  const HlUnit *const *units = hl_workbench_units (self->workbench);

  for (guint k = 0; k < job->lines->len; k++) {
    const Line *line = &g_array_index (job->lines, Line, k);
    if (!(band->half[k] > LEAST_HALF))
      continue;
    g_autofree char *at = hl_unit_format_full (units[line->quantity], band->at[k], 6);
    g_autofree char *half = isfinite (band->half[k])
                                ? hl_unit_format_full (units[line->quantity], band->half[k], 3)
                                : g_strdup (_ ("any value"));
    g_autofree char *text = g_strdup_printf ("%s ± %s", at, half);
    add_row (self, line->path,
             isfinite (band->half[k]) ? band->half[k] / largest (job, band, line->quantity) : INFINITY, text);
  }
}

static void done_cb (gpointer window, gpointer job, gpointer answer, const GError *error) {
  HlRestWindow *self = window;
  HlRestBand *band = answer;

  clear_rows (self);
  if (band == NULL)
    gtk_label_set_text (GTK_LABEL (self->text), _ ("There is no linear model at this state."));
  else if (band->force == 0.0)
    gtk_label_set_text (GTK_LABEL (self->text),
                        _ ("No seal has dry friction, so there is only one rest position."));
  else {
    const HlUnit *unit = hl_workbench_units (self->workbench)[HL_QUANTITY_FORCE];
    g_autofree char *force = hl_unit_format_full (unit, band->force, 3);
    g_autofree char *text = g_strdup_printf (
        _ ("The seals hold up to %s. There is a whole band of rest positions: with the present trapped oil "
           "the machine can rest anywhere within the bars. The point is the computed rest position."),
        force);
    gtk_label_set_text (GTK_LABEL (self->text), text);
    show_band (self, job, band);
  }
  hl_rest_band_free (band);
}

static void free_answer (gpointer band) {
  hl_rest_band_free (band);
}

static const HlStudyKind kind = {.pause_ms = PAUSE_MS,
                                 .begin = begin_job,
                                 .work = work,
                                 .done = done_cb,
                                 .free_job = free_job,
                                 .free_answer = free_answer};

/* --- life --- */

static void changed_cb (HlWorkbench *workbench, guint changes, HlRestWindow *self) {
  if ((changes & (HL_CHANGED_POINT | HL_CHANGED_UNITS)) && self->run != NULL)
    hl_study_run_request (self->run);
}

static void hl_rest_window_dispose (GObject *object) {
  HlRestWindow *self = HL_REST_WINDOW (object);

  g_clear_pointer (&self->run, hl_study_run_free);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_rest_window_parent_class)->dispose (object);
}

static void hl_rest_window_class_init (HlRestWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_rest_window_dispose;
}

static void hl_rest_window_init (HlRestWindow *self) {
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->text = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->text), 0.0);
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  gtk_widget_set_margin_top (box, 12);
  gtk_widget_set_margin_bottom (box, 12);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_box_append (GTK_BOX (box), self->text);
  gtk_box_append (GTK_BOX (box), self->grid);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_window_set_child (GTK_WINDOW (self), scrolled);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Rest positions with friction"));
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  gtk_widget_add_css_class (GTK_WIDGET (self), "workbench");
}

GtkWidget *hl_rest_window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlRestWindow *self = g_object_new (HL_TYPE_REST_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  self->run = hl_study_run_new (&kind, GTK_WINDOW (self));
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  hl_study_run_request (self->run);
  return GTK_WIDGET (self);
}
