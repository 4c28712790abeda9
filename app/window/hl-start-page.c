/* SPDX-License-Identifier: MIT */
/* The motion on the first card is a run of the excavator on a workbench of its own, started after the first
 * frame. When it is complete or was stopped, no further frames are requested. */
#include "app/window/hl-start-page.h"

#include "app/window/hl-template-gallery.h"
#include "app/window/hl-lesson-side-pane.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/linkage/hl-scene-linkage.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-model-thumbnail.h"
#include "ui/widget/hl-widget-style.h"

#include <math.h>
#include <string.h>

#define MOTION_DELAY_MS 400 /* behind the first frame */
#define MOST_MOTION_US (20 * G_USEC_PER_SEC)
#define SUFFIX ".hydrolink"
#define MOST_RECENT 5
#define MOST_PREVIEW_BYTES 200000 /* of a recent file that is drawn */
#define N_TEMPLATES 5
#define THUMBNAIL_WIDTH 148 /* px, for five in a row of a window of 1280 px */
#define THUMBNAIL_HEIGHT 78
#define DRIVEN "excavator-arm.hydrolink"
#define RINGING "four-bar.hydrolink"
#define FIRST_LESSON "why-it-rings.hllesson"
#define GUIDED_DRAWING "first-drawing.hllesson"
#define MARGIN_PX 26.0
#define LINES 0.7 /* of the line widths of a canvas */
#define LARGE_TEXT 1.9
#define HEADROOM 0.3 /* into which the excavator lifts its stick */
#define RING_HZ 73.0
#define RING_DAMPING 0.06 /* of the curve on the card, which dies in the width of a card */
#define RING_SWINGS 9.0

struct _HlStartPage {
  GtkWindow parent_instance;
  HlApplication *application; /* outlives its windows */
  HlWorkbench *workbench;     /* with the run of the excavator; NULL: none was asked for */
  HlDocument *driven, *ringing;
  HlLinkageScene *driven_scene, *ringing_scene;
  HlFileChooser *chooser;
  guint delay, tick;
  gint64 began_us, last_us;
  double t; /* of the run [s] */

  /* template */
  GtkWidget *drive_picture, *ring_picture, *draw_picture;
  GtkButton *ring_button;
  GtkLabel *ring_note;
  GtkFlowBox *templates, *lessons;
  GtkListBox *recent;
  GtkWidget *no_recent;
};

G_DEFINE_FINAL_TYPE (HlStartPage, hl_start_page, GTK_TYPE_WINDOW)

static int template_of (const char *file) {
  for (int k = 0; k < hl_template_count (); k++)
    if (g_strcmp0 (hl_template_get (k).file, file) == 0)
      return k;
  return -1;
}

/* --- motion --- */

static void stop_motion (HlStartPage *self) {
  g_clear_handle_id (&self->delay, g_source_remove);
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
}

gboolean hl_start_page_is_moving (HlStartPage *self) {
  return self->delay != 0 || self->tick != 0;
}

static const HlRun *whole_run (HlStartPage *self) {
  const HlRun *run = self->workbench != NULL ? hl_runs_shown (hl_workbench_runs (self->workbench)) : NULL;

  return run != NULL && hl_run_is_over ((HlRun *)run) && hl_results_n_rows (run->results) > 0 ? run : NULL;
}

/* Moves the machine through its run once, in real time. */
static gboolean move_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlStartPage *self = HL_START_PAGE (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);

  if (self->began_us == 0)
    self->began_us = now;
  hl_workbench_frame (self->workbench);
  const HlRun *run = whole_run (self);
  if (run != NULL) {
    self->t += self->last_us != 0 ? 1e-6 * (double)(now - self->last_us) : 0.0;
    self->last_us = now;
    hl_pixels_queue_draw (self->drive_picture);
  }
  if (now - self->began_us < MOST_MOTION_US && (run == NULL || self->t < run->t_end))
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static gboolean begin_motion_cb (gpointer data) {
  HlStartPage *self = data;

  self->delay = 0;
  self->workbench = hl_workbench_new ();
  hl_workbench_set_worker_shutdown (self->workbench, hl_application_worker_shutdown (self->application));
  hl_editing_set_document (hl_workbench_editing (self->workbench), hl_document_ref (self->driven));
  self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), move_cb, NULL, NULL);
  return G_SOURCE_REMOVE;
}

static gboolean input_cb (GtkEventController *controller, GdkEvent *event, HlStartPage *self) {
  GdkEventType type = gdk_event_get_event_type (event);

  if (type == GDK_BUTTON_PRESS || type == GDK_KEY_PRESS || type == GDK_SCROLL || type == GDK_TOUCH_BEGIN)
    stop_motion (self);
  return FALSE;
}

static void map_cb (HlStartPage *self) {
  gboolean animates = FALSE;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &animates, NULL);
  if (animates && self->workbench == NULL && self->delay == 0)
    self->delay = g_timeout_add (MOTION_DELAY_MS, begin_motion_cb, self);
}

/* --- pictures --- */

/* Paints the linkage in the view of the drawn pose, so that the machine moves and the picture does not;
 * `headroom` is the share of the height that is left free above that pose. */
static void paint_linkage (cairo_t *cr, HlRect area, double headroom, const HlStyle *style,
                           HlLinkageScene *scene, const HlDocument *document, const HlInstant *instant) {
  HlInstant start = {NULL, 0};
  HlStyle fine = hl_style_scaled (style, LINES);
  HlView view = {.scale = 1.0, .y_up = TRUE};
  HlRect pose = {area.x, area.y + headroom * area.height, area.width, (1 - headroom) * area.height};

  hl_view_fit (&view, hl_mechanism_box (hl_linkage_scene_update (scene, document, &start, NULL)), pose,
               MARGIN_PX, 1e6);
  HlMechanismPicture picture = *hl_linkage_scene_update (scene, document, instant, NULL);
  picture.plain = TRUE;
  picture.show_grid = FALSE;
  hl_paint_mechanism (cr, &picture, &view, area, &fine);
}

static void draw_driven_cb (GtkDrawingArea *widget, cairo_t *cr, int width, int height, gpointer data) {
  HlStartPage *self = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (widget));
  const HlRun *run = whole_run (self);
  HlInstant instant = {.results = run != NULL ? run->results : NULL,
                       .t = run != NULL ? fmin (self->t, run->t_end) : 0};

  hl_paint_background (cr, 0, 0, width, height, &style);
  paint_linkage (cr, (HlRect){0, 0, width, height}, HEADROOM, &style, self->driven_scene, self->driven,
                 &instant);
}

static void draw_ringing_cb (GtkDrawingArea *widget, cairo_t *cr, int width, int height, gpointer data) {
  HlStartPage *self = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (widget));
  HlInstant start = {NULL, 0};
  double middle = 0.78 * height, swing = 0.16 * height, left = MARGIN_PX, right = width - MARGIN_PX;

  hl_paint_background (cr, 0, 0, width, height, &style);
  paint_linkage (cr, (HlRect){0, 0, 0.68 * width, 0.62 * height}, 0, &style, self->ringing_scene,
                 self->ringing, &start);
  hl_color_set (cr, style.trace[0]);
  cairo_set_line_width (cr, style.trace_width);
  for (double x = left; x <= right; x += 1.0) {
    double phase = 2.0 * G_PI * RING_SWINGS * (x - left) / (right - left);
    double y = middle - swing * exp (-RING_DAMPING * phase) * cos (phase);
    cairo_line_to (cr, x, y);
  }
  cairo_stroke (cr);
  g_autofree char *hertz = g_strdup_printf (_ ("%.0f Hz"), RING_HZ);
  HlStyle large = hl_style_scaled (&style, LARGE_TEXT);
  hl_text_paint (cr, &large, HL_TEXT_BOLD, style.accent, hertz, (HlSpot){right, 0.3 * height}, 1.0, 0.5);
}

/* Draws a sheet of dots with a link. */
static void draw_blank_cb (GtkDrawingArea *widget, cairo_t *cr, int width, int height, gpointer data) {
  HlStyle style = hl_widget_style (GTK_WIDGET (widget));
  const double pitch = 18.0;

  hl_paint_background (cr, 0, 0, width, height, &style);
  hl_color_set (cr, style.grid);
  for (double y = pitch; y < height; y += pitch)
    for (double x = pitch; x < width; x += pitch)
      cairo_rectangle (cr, x, y, 1.5, 1.5);
  cairo_fill (cr);
  /* a link that is being drawn: from its pivot to the pointer */
  HlSpot from = {0.3 * width, 0.72 * height}, to = {0.66 * width, 0.32 * height};
  hl_color_set (cr, style.accent);
  cairo_set_line_width (cr, 2.0 * style.line_width);
  hl_dash_set (cr, HL_DASH_DASHED, style.line_width);
  cairo_move_to (cr, from.x, from.y);
  cairo_line_to (cr, to.x, to.y);
  cairo_stroke (cr);
  hl_dash_set (cr, HL_DASH_SOLID, style.line_width);
  for (int end = 0; end < 2; end++) {
    HlSpot at = end == 0 ? from : to;
    cairo_arc (cr, at.x, at.y, 1.4 * style.joint_radius, 0, 2 * G_PI);
    hl_color_set (cr, style.background);
    cairo_fill_preserve (cr);
    hl_color_set (cr, style.accent);
    cairo_set_line_width (cr, style.line_width);
    cairo_stroke (cr);
  }
}

/* --- where the cards lead --- */

static void leave_to_template (HlStartPage *self, int template, const char *arrangement, const char *action) {
  GtkWindow *window = hl_application_open_template (self->application, template, NULL);

  if (arrangement != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (window), "arrangement",
                                    g_variant_new_string (arrangement));
  if (action != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (window), action, NULL);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void leave_to_file (HlStartPage *self, GFile *file) {
  hl_application_open_window (self->application, file);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void drive_clicked_cb (HlStartPage *self) {
  leave_to_template (self, template_of (DRIVEN), "drive", NULL);
}

static void ring_clicked_cb (HlStartPage *self) {
  leave_to_template (self, template_of (FIRST_LESSON), NULL, NULL);
}

static void draw_clicked_cb (HlStartPage *self) {
  leave_to_template (self, 0, NULL, NULL);
}

static void guide_clicked_cb (HlStartPage *self) {
  leave_to_template (self, template_of (GUIDED_DRAWING), NULL, NULL);
}

static void activate_card (HlStartPage *self, GtkFlowBoxChild *card) {
  leave_to_template (self, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (card), "template")), NULL, NULL);
}

static void template_activated_cb (HlStartPage *self, GtkFlowBoxChild *card, GtkFlowBox *box) {
  activate_card (self, card);
}

static void lesson_activated_cb (HlStartPage *self, GtkFlowBoxChild *card, GtkFlowBox *box) {
  activate_card (self, card);
}

static void recent_activated_cb (HlStartPage *self, GtkListBoxRow *row, GtkListBox *list) {
  g_autoptr (GFile) file = g_file_new_for_uri (g_object_get_data (G_OBJECT (row), "uri"));

  leave_to_file (self, file);
}

static void open_response_cb (HlFileChooser *chooser, int response, HlStartPage *self) {
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? hl_file_chooser_get_file (chooser) : NULL;

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (file != NULL)
    leave_to_file (self, file);
}

static void open_clicked_cb (HlStartPage *self) {
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = hl_file_chooser_new (_ ("Open a model"), GTK_WINDOW (self), FALSE, _ ("_Open"));
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (open_response_cb), self, 0);
  hl_file_chooser_show (self->chooser);
}

/* --- lists --- */

static void fill_templates (HlStartPage *self) {
  for (int k = 1, n = 0; k < hl_template_count () && n < N_TEMPLATES; k++) {
    g_autoptr (GFile) lesson = hl_template_lesson (k);
    if (lesson != NULL)
      continue;
    GtkWidget *card = hl_template_card_new (k, THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT);
    g_object_set_data (G_OBJECT (card), "template", GINT_TO_POINTER (k));
    gtk_flow_box_append (self->templates, card);
    n++;
  }
}

/* Returns the progress of a lesson, "step 4 of 9" or "done"; NULL: not begun. Owned by the caller. */
static char *progress_text (GFile *lesson) {
  int at, n;

  if (!hl_lesson_files_progress (lesson, &at, &n))
    return NULL;
  return at + 1 >= n ? g_strdup (_ ("✓ done")) : g_strdup_printf (_ ("step %d of %d"), at + 1, n);
}

static GtkWidget *lesson_card_new (int template, const char *progress) {
  const char *title = hl_template_get (template).title;
  GtkWidget *card = gtk_flow_box_child_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_widget_add_css_class (box, "lesson");
  gtk_box_append (GTK_BOX (box), gtk_label_new (title));
  if (progress != NULL) {
    GtkWidget *label = gtk_label_new (progress);
    gtk_widget_add_css_class (label, "dim-label");
    gtk_box_append (GTK_BOX (box), label);
  }
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (card), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (card), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, progress != NULL ? progress : "", -1);
  g_object_set_data (G_OBJECT (card), "template", GINT_TO_POINTER (template));
  return card;
}

static void fill_lessons (HlStartPage *self) {
  for (int k = 0; k < hl_template_count (); k++) {
    g_autoptr (GFile) lesson = hl_template_lesson (k);
    if (lesson == NULL)
      continue;
    g_autofree char *progress = progress_text (lesson);
    gtk_flow_box_append (self->lessons, lesson_card_new (k, progress));
    if (progress == NULL || strcmp (hl_template_get (k).file, FIRST_LESSON) != 0)
      continue;
    gtk_button_set_label (self->ring_button, _ ("Continue"));
    gtk_label_set_text (self->ring_note, progress);
  }
}

/* Returns a picture of a file that is small enough to be read in no time; else an empty sheet. */
static GtkWidget *preview_new (const char *path) {
  gsize length;
  g_autofree char *text = hl_file_read (path, MOST_PREVIEW_BYTES, NULL, NULL, &length, NULL);
  g_autoptr (HlDocument) document = text != NULL ? hl_document_parse (text, length, path, NULL) : NULL;

  if (document == NULL)
    document = hl_document_new_empty ();
  GtkWidget *picture = hl_thumbnail_new (document, 64, 44);
  gtk_widget_add_css_class (picture, "thumbnail");
  return picture;
}

static GtkWidget *recent_row_new (GtkRecentInfo *info, const char *path) {
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *name = g_strdup (gtk_recent_info_get_display_name (info));
  g_autofree char *folder = g_path_get_dirname (path);
  GtkWidget *title = gtk_label_new (NULL), *place = gtk_label_new (folder);

  if (g_str_has_suffix (name, SUFFIX) && strlen (name) > strlen (SUFFIX))
    name[strlen (name) - strlen (SUFFIX)] = '\0';
  gtk_label_set_text (GTK_LABEL (title), name);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_xalign (GTK_LABEL (place), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_ellipsize (GTK_LABEL (place), PANGO_ELLIPSIZE_START);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_add_css_class (place, "dim-label");
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (words), title);
  gtk_box_append (GTK_BOX (words), place);
  gtk_box_append (GTK_BOX (box), preview_new (path));
  gtk_box_append (GTK_BOX (box), words);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_object_set_data_full (G_OBJECT (row), "uri", g_strdup (gtk_recent_info_get_uri (info)), g_free);
  return row;
}

static void fill_recent (HlStartPage *self) {
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  int n = 0;

  for (GList *at = items; at != NULL && n < MOST_RECENT; at = at->next) {
    const char *uri = gtk_recent_info_get_uri (at->data);
    g_autofree char *path = g_str_has_suffix (uri, SUFFIX) ? g_filename_from_uri (uri, NULL, NULL) : NULL;
    if (path == NULL || !gtk_recent_info_exists (at->data))
      continue;
    gtk_list_box_append (self->recent, recent_row_new (at->data, path));
    n++;
  }
  g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
  gtk_widget_set_visible (self->no_recent, n == 0);
  gtk_widget_set_visible (GTK_WIDGET (self->recent), n > 0);
}

/* --- life --- */

static void hl_start_page_dispose (GObject *object) {
  HlStartPage *self = HL_START_PAGE (object);

  stop_motion (self);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_start_page_parent_class)->dispose (object);
}

static void hl_start_page_finalize (GObject *object) {
  HlStartPage *self = HL_START_PAGE (object);

  hl_linkage_scene_free (self->driven_scene);
  hl_linkage_scene_free (self->ringing_scene);
  hl_document_unref (self->driven);
  hl_document_unref (self->ringing);
  G_OBJECT_CLASS (hl_start_page_parent_class)->finalize (object);
}

static gboolean open_key_cb (GtkWidget *widget, GVariant *arguments, gpointer data) {
  open_clicked_cb (HL_START_PAGE (widget));
  return TRUE;
}

static void hl_start_page_class_init (HlStartPageClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_start_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_start_page_finalize;
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_o, GDK_CONTROL_MASK, open_key_cb, NULL);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_w, GDK_CONTROL_MASK, "window.close",
                                       NULL);
  hl_widget_tree_load (klass, "hl-start-page");
  HL_TREE_CHILD (klass, HlStartPage, drive_picture);
  HL_TREE_CHILD (klass, HlStartPage, ring_picture);
  HL_TREE_CHILD (klass, HlStartPage, draw_picture);
  HL_TREE_CHILD (klass, HlStartPage, ring_button);
  HL_TREE_CHILD (klass, HlStartPage, ring_note);
  HL_TREE_CHILD (klass, HlStartPage, templates);
  HL_TREE_CHILD (klass, HlStartPage, lessons);
  HL_TREE_CHILD (klass, HlStartPage, recent);
  HL_TREE_CHILD (klass, HlStartPage, no_recent);
  HL_TREE_CALLBACK (klass, map_cb);
  HL_TREE_CALLBACK (klass, open_clicked_cb);
  HL_TREE_CALLBACK (klass, drive_clicked_cb);
  HL_TREE_CALLBACK (klass, ring_clicked_cb);
  HL_TREE_CALLBACK (klass, draw_clicked_cb);
  HL_TREE_CALLBACK (klass, template_activated_cb);
  HL_TREE_CALLBACK (klass, guide_clicked_cb);
  HL_TREE_CALLBACK (klass, lesson_activated_cb);
  HL_TREE_CALLBACK (klass, recent_activated_cb);
}

static void hl_start_page_init (HlStartPage *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  GtkEventController *input = gtk_event_controller_legacy_new ();

  gtk_event_controller_set_propagation_phase (input, GTK_PHASE_CAPTURE);
  g_signal_connect (input, "event", G_CALLBACK (input_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), input);
  self->driven = hl_template_document (template_of (DRIVEN), NULL);
  self->ringing = hl_template_document (template_of (RINGING), NULL);
  self->driven_scene = hl_linkage_scene_new ();
  self->ringing_scene = hl_linkage_scene_new ();
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->drive_picture), draw_driven_cb, self, NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->ring_picture), draw_ringing_cb, self, NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->draw_picture), draw_blank_cb, self, NULL);
  fill_templates (self);
  fill_lessons (self);
  fill_recent (self);
}

HlStartPage *hl_start_page_present (HlApplication *application) {
  HlStartPage *self = g_object_new (HL_TYPE_START_PAGE, "application", application, NULL);

  self->application = application;
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
