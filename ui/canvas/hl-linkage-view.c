/* SPDX-License-Identifier: MIT */
/* The linkage is painted in its pose at the time cursor. The fitted box contains its whole motion during the
 * run. */
#include "ui/canvas/hl-linkage-view.h"

#include "core/base/hl-error.h"
#include "core/base/hl-text-escape.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-file-reference.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-image-size.h"
#include "core/run/hl-start-pose-hold.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-worker-thread.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/linkage/hl-scene-linkage.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"

#include <cairo.h>
#include <gdk/gdk.h>
#include <gio/gio.h>
#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

/* A thread reads the file (hl-photograph-file). This part starts it and keeps the result. */

/* GTK reads the three image formats. Its loaders trust any size that a file states, so the size is checked
 * before loading and again on the loaded image. */

static gboolean stop_cb (gpointer cancellable) {
  return g_cancellable_is_cancelled (cancellable);
}

static cairo_surface_t *surface_of (GdkTexture *texture) {
  int width = gdk_texture_get_width (texture), height = gdk_texture_get_height (texture);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy (surface);
    return NULL;
  }
  gdk_texture_download (texture, cairo_image_surface_get_data (surface),
                        (gsize)cairo_image_surface_get_stride (surface));
  cairo_surface_mark_dirty (surface);
  return surface;
}

/* Reads a PNG, JPEG or TIFF as ARGB32. NULL and HL_ERROR_FILE when it is not a regular file, when it or its
 * picture is too large, and when it is damaged; HL_ERROR_CANCELLED. Owned by the caller. */
static cairo_surface_t *photograph_read (const char *path, GCancellable *cancellable, GError **error) {
  HlPictureHeader header;
  gsize length;

  /* a few bytes first: most of what is refused is refused by them */
  if (!hl_picture_header_load (path, &header, error))
    return NULL;
  char *text = hl_file_read (path, HL_FILE_MOST_BYTES, stop_cb, cancellable, &length, error);
  if (text == NULL)
    return NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_take (text, length);
  if (!hl_picture_header_parse ((const guint8 *)text, length, path, &header, error))
    return NULL;
  g_autoptr (GError) why = NULL;
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_bytes (bytes, &why);
  cairo_surface_t *surface = texture != NULL ? surface_of (texture) : NULL;
  if (surface == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be read: %s"), path,
                 why != NULL ? why->message : _ ("there is not enough memory"));
  return surface;
}

#define KEY "photograph"
#define TICK_PX 5.0
#define TITLE_EM 3.4 /* height of the canvas' title */

struct _HlPhotographLayer {
  HlPhotograph *photograph; /* NULL: the document has none */
  char *path;               /* of what was read, or tried; NULL: nothing yet */
  gint64 written_s, size;   /* of the file then */
  GCancellable *reading;    /* under way; NULL: no */
  cairo_surface_t *surface; /* NULL: not read or not readable */
  guint n_read;
  char *problem;
  void (*done) (gpointer data);
  gpointer done_data;
  HlMechPhotograph picture;
  HlPhotographTool tool;
  gboolean has_moved; /* in this drag */
  void (*told) (HlPhotographAnswer answer, gpointer data);
  gpointer changed_data;
};

static HlPhotographLayer *photograph_layer_new (void) {
  return g_new0 (HlPhotographLayer, 1);
}

static void stop_reading (HlPhotographLayer *layer) {
  if (layer->reading != NULL)
    g_cancellable_cancel (layer->reading);
  g_clear_object (&layer->reading);
}

static void forget_pixels (HlPhotographLayer *layer) {
  g_clear_pointer (&layer->surface, cairo_surface_destroy);
  g_clear_pointer (&layer->path, g_free);
  g_clear_pointer (&layer->problem, g_free);
}

static void photograph_layer_free (HlPhotographLayer *layer) {
  if (layer == NULL)
    return;
  stop_reading (layer);
  forget_pixels (layer);
  hl_photograph_free (layer->photograph);
  g_free (layer);
}

/* --- pixels --- */

static char *problem_text (const char *path, const GError *error) {
  g_autofree char *name = g_path_get_basename (path);
  const char *tail = error->message;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return g_strdup_printf (_ ("The photograph\n“%s” is missing"), name);
  if (g_str_has_prefix (tail, path) && g_str_has_prefix (tail + strlen (path), ": "))
    tail += strlen (path) + strlen (": ");
  g_autofree char *why = hl_shown_text (tail, FALSE);
  g_auto (GStrv) lines = g_strsplit (why, "; ", -1);
  g_autofree char *below = g_strjoinv (";\n", lines);
  g_autofree char *cannot = g_strdup_printf (_ ("The photograph\n“%s” cannot be read"), name);
  return g_strconcat (cannot, ":\n", below, NULL);
}

static gpointer work (gpointer path, GCancellable *cancellable, GError **error) {
  return photograph_read (path, cancellable, error);
}

static void read_cb (gpointer sender, gpointer path, gpointer surface, const GError *error) {
  HlPhotographLayer *layer = sender;

  g_clear_object (&layer->reading);
  g_clear_pointer (&layer->surface, cairo_surface_destroy);
  g_clear_pointer (&layer->problem, g_free);
  layer->surface = surface;
  layer->n_read++;
  if (surface == NULL)
    layer->problem = problem_text (layer->path, error);
  if (layer->done != NULL)
    layer->done (layer->done_data);
}

static void start_reading (HlPhotographLayer *layer) {
  layer->reading = g_cancellable_new ();
  hl_task_start (&(HlTask){.work = work,
                           .done = read_cb,
                           .free_job = g_free,
                           .free_answer = (GDestroyNotify)cairo_surface_destroy,
                           .sender = layer,
                           .life = layer->reading},
                 g_strdup (layer->path));
}

/* Sets a callback for the end of reading, successful or not; not called from within an update. */
static void photograph_layer_watch (HlPhotographLayer *layer, void (*done) (gpointer data), gpointer data) {
  layer->done = done;
  layer->done_data = data;
}

gboolean hl_photograph_layer_is_reading (const HlPhotographLayer *layer) {
  return layer->reading != NULL;
}

/* Keeps the picture visible until the file is read again; removes it if the file is another one. */
static void follow_file (HlPhotographLayer *layer, HlWorkbench *workbench) {
  GStatBuf facts = {0};
  g_autofree char *path =
      hl_file_reference_path (layer->photograph->file, hl_editing_path (hl_workbench_editing (workbench)));

  if (g_stat (path, &facts) != 0)
    facts.st_size = -1;
  gboolean same_file = g_strcmp0 (path, layer->path) == 0;
  if (same_file && facts.st_mtime == layer->written_s && facts.st_size == layer->size &&
      (layer->surface != NULL || layer->problem != NULL || layer->reading != NULL))
    return;
  stop_reading (layer);
  if (!same_file) {
    forget_pixels (layer);
    layer->path = g_steal_pointer (&path);
  }
  layer->written_s = facts.st_mtime;
  layer->size = facts.st_size;
  start_reading (layer);
}

void hl_photograph_layer_update (HlPhotographLayer *layer, HlWorkbench *workbench) {
  hl_photograph_free (layer->photograph);
  layer->photograph = hl_photograph_of_document (hl_editing_document (hl_workbench_editing (workbench)));
  if (layer->photograph != NULL && !layer->photograph->hidden) {
    follow_file (layer, workbench);
    return;
  }
  stop_reading (layer);
  g_clear_pointer (&layer->problem, g_free);
  if (layer->photograph == NULL)
    forget_pixels (layer);
}

const HlMechPhotograph *hl_photograph_layer_picture (const HlPhotographLayer *layer) {
  const HlPhotograph *photograph = layer->photograph;
  HlPhotographLayer *self = (HlPhotographLayer *)layer; /* only what is handed out */

  if (photograph == NULL || photograph->hidden || layer->surface == NULL)
    return NULL;
  self->picture = (HlMechPhotograph){
      .surface = layer->surface,
      .box = {photograph->at[0], photograph->at[1],
              photograph->scale * cairo_image_surface_get_width (layer->surface),
              photograph->scale * cairo_image_surface_get_height (layer->surface)},
      .opacity = photograph->opacity,
  };
  return &layer->picture;
}

const char *hl_photograph_layer_problem (const HlPhotographLayer *layer) {
  return layer->problem;
}

/* --- the pointer --- */

void hl_photograph_layer_set_changed_cb (HlPhotographLayer *layer,
                                         void (*told) (HlPhotographAnswer answer, gpointer data),
                                         gpointer data) {
  layer->told = told;
  layer->changed_data = data;
}

HlPhotographTool *hl_photograph_layer_tool (HlPhotographLayer *layer) {
  return &layer->tool;
}

static void move_by (HlPhotographLayer *layer, HlWorkbench *workbench) {
  HlEditing *editing = hl_workbench_editing (workbench);
  HlPhotograph *photograph = layer->photograph;

  if (photograph == NULL)
    return;
  for (int axis = 0; axis < 2; axis++)
    photograph->at[axis] += layer->tool.b[axis] - layer->tool.a[axis];
  layer->has_moved = TRUE;
  hl_editing_commit (editing, hl_photograph_put (hl_editing_document (editing), photograph),
                     _ ("Move the photograph"), KEY);
}

static void apply_answer (HlPhotographLayer *layer, HlWorkbench *workbench, HlPhotographAnswer answer) {
  HlEditing *editing = hl_workbench_editing (workbench);

  if (answer == HL_PHOTOGRAPH_MOVED)
    move_by (layer, workbench);
  if (answer == HL_PHOTOGRAPH_PLACED || answer == HL_PHOTOGRAPH_LEFT)
    hl_editing_end_gesture (editing);
  if (answer == HL_PHOTOGRAPH_LEFT && layer->has_moved)
    hl_editing_undo (editing);
  if (answer != HL_PHOTOGRAPH_MOVED)
    layer->has_moved = FALSE;
  if (layer->told != NULL)
    layer->told (answer, layer->changed_data);
}

gboolean hl_photograph_layer_event (HlPhotographLayer *layer, HlWorkbench *workbench,
                                    const HlCanvasEvent *event) {
  HlPhotographEvent kind;

  if (layer->tool.state == HL_PHOTOGRAPH_IDLE)
    return FALSE;
  if (event->type == HL_CANVAS_PRESS && event->button == GDK_BUTTON_PRIMARY)
    kind = HL_PHOTOGRAPH_PRESS;
  else if (event->type == HL_CANVAS_MOVE)
    kind = HL_PHOTOGRAPH_MOVE;
  else if (event->type == HL_CANVAS_RELEASE)
    kind = HL_PHOTOGRAPH_RELEASE;
  else if (event->type == HL_CANVAS_KEY && event->keyval == GDK_KEY_Escape)
    kind = HL_PHOTOGRAPH_ESCAPE;
  else
    return FALSE;
  apply_answer (layer, workbench, hl_photograph_tool_event (&layer->tool, kind, event->at.x, event->at.y));
  return TRUE;
}

/* --- over the drawing --- */

static void paint_measure (const HlPhotographLayer *layer, cairo_t *cr, const HlView *view,
                           const HlStyle *style) {
  HlSpot a = hl_view_to_device (view, (HlSpot){layer->tool.a[0], layer->tool.a[1]});
  HlSpot b = hl_view_to_device (view, (HlSpot){layer->tool.b[0], layer->tool.b[1]});

  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, 1.5 * style->line_width);
  cairo_move_to (cr, a.x, a.y);
  cairo_line_to (cr, b.x, b.y);
  cairo_stroke (cr);
  for (int end = 0; end < 2; end++) {
    HlSpot at = end == 0 ? a : b;
    cairo_arc (cr, at.x, at.y, TICK_PX, 0, 2 * G_PI);
    cairo_stroke (cr);
  }
}

/* Paints the measured line and the problem over the drawing. */
static void photograph_layer_paint (const HlPhotographLayer *layer, cairo_t *cr, const HlView *view,
                                    HlRect area, const HlStyle *style) {
  double em = style->font_size;

  if (layer->tool.state == HL_PHOTOGRAPH_SECOND)
    paint_measure (layer, cr, view, style);
  if (layer->problem != NULL)
    hl_text_pill (cr, style, layer->problem, (HlSpot){area.x + em, area.y + TITLE_EM * em}, 0, 0);
}

static guint64 photograph_layer_fingerprint (const HlPhotographLayer *layer, guint64 print) {
  const HlMechPhotograph *picture = hl_photograph_layer_picture (layer);

  print = hl_fingerprint_text (print, layer->problem);
  print = hl_fingerprint_number (print, layer->tool.state, 1);
  for (int axis = 0; axis < 2 && layer->tool.state == HL_PHOTOGRAPH_SECOND; axis++) {
    print = hl_fingerprint_number (print, layer->tool.a[axis], 1e-6);
    print = hl_fingerprint_number (print, layer->tool.b[axis], 1e-6);
  }
  if (picture == NULL)
    return print;
  const double numbers[] = {picture->box.x,      picture->box.y,   picture->box.width,
                            picture->box.height, picture->opacity, (double)layer->n_read};
  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    print = hl_fingerprint_number (print, numbers[k], 1e-6);
  return print;
}

#define REACH_PX 6.0
#define SEEN_PX 0.05 /* smallest motion that shows */
#define SEEN_ANGLE 1e-3
#define MIN_SCALE 1.0 /* px a metre */
#define MAX_SCALE 1e5
#define TRAVEL 2.5 /* a way this many times the size of the machine: the view goes along */
#define BOX_INSTANTS 24
#define LEAST_INSTANTS 4
#define MANY_PARTS 100
#define LEAST_BOX 0.1   /* [m] */
#define EMPTY_WIDTH 6.0 /* [m], of a sheet without a linkage */
#define EMPTY_HEIGHT 4.0

struct _HlLinkageView {
  HlCanvas parent_instance;
  HlToolBridge *bridge;
  HlPhotographLayer *photograph;
  HlLinkageScene *scene;
  HlLinkageScene *extremes[2]; /* of a mode */
  guint boxed_serial;          /* run whose way the fitted box holds */
  HlRect driven;               /* where the machine of a driven run has been */
  guint driven_serial;
  gboolean travels; /* a vehicle: the view follows it instead of showing all its way */
  /* Inputs of the present picture: a frame needs it several times. */
  struct {
    HlDocument *document;
    const HlResults *results;
    int n_rows;
    double t;
    const HlMechanismPicture *picture; /* NULL: none */
  } made;
  /* The gravity arrow stays where it is while the linkage moves. */
  struct {
    int place; /* 0: to be found */
    HlDocument *document;
    HlRect shown; /* of the world */
  } arrow;
};

G_DEFINE_FINAL_TYPE (HlLinkageView, hl_linkage_view, HL_TYPE_CANVAS)

static gboolean is_made (const HlLinkageView *self, const HlDocument *document, const HlInstant *instant) {
  return self->made.picture != NULL && self->made.document == document &&
         self->made.results == instant->results && self->made.t == instant->t &&
         (instant->results == NULL || self->made.n_rows == hl_results_n_rows (instant->results));
}

/* Discards the picture; other changes of its inputs are announced. */
static void forget_picture (HlLinkageView *self) {
  self->made.picture = NULL;
}

/* Returns the start of a run, if it is so near to the drawing that it is not reported: the numbers beside the
 * drawing are then those of the plots. */
static const double *start_of (HlLinkageView *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (hl_canvas_workbench (HL_CANVAS (self))));
  const HlDocument *document = hl_tool_bridge_document (self->bridge);
  HlStartShift shift;

  if (at == NULL || at->point == NULL || hl_tool_bridge_shows_drawing (self->bridge) ||
      hl_system_n_bodies (at->system) != hl_document_n_elements (document, HL_SECTION_BODIES))
    return NULL; /* of the model before an edit */
  return hl_start_shift (at->system, at->point, &shift) ? NULL : at->point->x;
}

static const HlMechanismPicture *update (HlLinkageView *self, double t) {
  HlWorkbench *workbench = hl_canvas_workbench (HL_CANVAS (self));
  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  /* At the start the linkage is in the drawn pose, where the tools edit it; a run that begins in the equilibrium may
   * stand elsewhere. */
  gboolean has_run = run != NULL && t > 0 && !hl_tool_bridge_shows_drawing (self->bridge);
  HlInstant instant = {.results = has_run ? run->results : NULL, .t = t};
  instant.start = has_run ? NULL : start_of (self);
  HlMarks marks = {hl_workbench_selection (workbench), hl_workbench_hover (workbench),
                   hl_editing_findings (hl_workbench_editing (workbench))};

  const HlDocument *document = hl_tool_bridge_document (self->bridge);

  if (!is_made (self, document, &instant)) {
    self->made.picture = hl_linkage_scene_update (self->scene, document, &instant, &marks);
    hl_document_ref (document);
    hl_document_unref (self->made.document);
    self->made.document = (HlDocument *)document;
    self->made.results = instant.results;
    self->made.n_rows = instant.results != NULL ? hl_results_n_rows (instant.results) : 0;
    self->made.t = instant.t;
  }
  return self->made.picture;
}

/* Returns the linkage in a mode, at a part of its period. */
static const HlMechanismPicture *update_mode (HlLinkageView *self, HlLinkageScene *scene,
                                              const HlModeMovie *movie, double phase) {
  HlWorkbench *workbench = hl_canvas_workbench (HL_CANVAS (self));
  HlEditing *editing = hl_workbench_editing (workbench);
  HlInstant instant = {movie->results, phase};
  HlMarks marks = {hl_workbench_selection (workbench), hl_workbench_hover (workbench),
                   hl_editing_findings (editing)};

  return hl_linkage_scene_update (scene, hl_editing_document (editing), &instant, &marks);
}

static const HlMechanismPicture *update_now (HlLinkageView *self) {
  HlWorkbench *workbench = hl_canvas_workbench (HL_CANVAS (self));
  HlLocusStudy *study = hl_workbench_locus (workbench);
  const HlModeMovie *movie = hl_locus_study_mode_movie (study);

  if (movie != NULL) {
    forget_picture (self);
    return update_mode (self, self->scene, movie, hl_locus_study_mode_phase (study));
  }
  return update (self, hl_runs_time (hl_workbench_runs (hl_canvas_workbench (HL_CANVAS (self)))));
}

const HlMechanismPicture *hl_linkage_view_picture (HlLinkageView *self) {
  return update_now (self);
}

/* Finds a new place for the arrow when the drawing or the view changes, not while it is dragged. */
static int place_arrow (HlLinkageView *self, const HlMechanismPicture *picture, HlRect area,
                        const HlStyle *style) {
  const HlView *view = hl_canvas_view (HL_CANVAS (self));
  HlWorkbench *workbench = hl_canvas_workbench (HL_CANVAS (self));
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  HlRect shown = hl_view_visible (view, area);
  HlRect known = self->arrow.shown;
  gboolean is_same = self->arrow.document == document && known.x == shown.x && known.y == shown.y &&
                     known.width == shown.width && known.height == shown.height;

  if (self->arrow.place > 0 && (is_same || hl_tool_is_busy (hl_tool_bridge_tool (self->bridge))))
    return self->arrow.place;
  hl_document_ref (document);
  hl_document_unref (self->arrow.document);
  self->arrow.document = (HlDocument *)document;
  self->arrow.shown = shown;
  self->arrow.place = hl_mechanism_gravity_place (picture, view, area, style);
  return self->arrow.place;
}

static void linkage_view_paint (HlCanvas *canvas, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlLinkageView *self = HL_LINKAGE_VIEW (canvas);
  HlMechanismPicture picture = *update_now (self);
  const HlModeMovie *movie = hl_locus_study_mode_movie (hl_workbench_locus (hl_canvas_workbench (canvas)));
  HlMechGhost ghosts[2] = {0};

  if (!hl_tool_is_busy (hl_tool_bridge_tool (HL_LINKAGE_VIEW (canvas)->bridge)))
    picture.empty_text = _ ("No linkage yet\n\nG and one click: a ground pivot\nL and two clicks: a link; "
                            "its length can be typed\nC and two clicks: a cylinder");
  for (int side = 0; movie != NULL && side < 2; side++) {
    const HlMechanismPicture *extreme = update_mode (self, self->extremes[side], movie, 0.5 * side);
    ghosts[side] = (HlMechGhost){.bodies = extreme->bodies, .n_bodies = extreme->n_bodies};
    picture.ghosts = ghosts;
    picture.n_ghosts = 2;
  }
  picture.head_px = HL_CANVAS_TITLE_PX;
  picture.left_px = hl_canvas_covered (canvas);
  picture.gravity_place = place_arrow (self, &picture, area, style);
  hl_photograph_layer_update (self->photograph, hl_canvas_workbench (canvas));
  picture.photograph = hl_photograph_layer_picture (self->photograph);
  hl_paint_mechanism (cr, &picture, hl_canvas_view (canvas), area, style);
}

static void linkage_view_paint_over (HlCanvas *canvas, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlLinkageView *self = HL_LINKAGE_VIEW (canvas);

  hl_tool_bridge_paint (self->bridge, cr, area, style);
  photograph_layer_paint (self->photograph, cr, hl_canvas_view (canvas), area, style);
}

/* Returns the two-state marks of an entry as one number. */
static double marks_of (gboolean selected, gboolean hovered, gboolean third, int more) {
  return selected + 2 * hovered + 4 * third + 8 * more;
}

static guint64 fingerprint_bodies (const HlMechanismPicture *picture, double seen, guint64 print) {
  for (int i = 0; i < picture->n_bodies; i++) {
    const HlMechBody *body = &picture->bodies[i];
    print = hl_fingerprint_text (print, body->label);
    print = hl_fingerprint_number (
        print, marks_of (body->selected, body->hovered, body->is_problem, body->n_points), 1);
    for (int point = 0; point < body->n_points; point++) {
      print = hl_fingerprint_number (print, body->points[point].x, seen);
      print = hl_fingerprint_number (print, body->points[point].y, seen);
    }
  }
  for (int i = 0; i < picture->n_joints; i++) {
    const HlMechJoint *joint = &picture->joints[i];
    print = hl_fingerprint_number (
        print, marks_of (joint->selected, joint->hovered, joint->is_problem, (int)joint->kind), 1);
    print = hl_fingerprint_number (print, joint->at.x, seen);
    print = hl_fingerprint_number (print, joint->at.y, seen);
    print = hl_fingerprint_number (print, joint->angle, SEEN_ANGLE);
  }
  return print;
}

static guint64 fingerprint_forces (const HlMechanismPicture *picture, double seen, guint64 print) {
  for (int i = 0; i < picture->n_cylinders; i++) {
    const HlMechCylinder *at = &picture->cylinders[i];
    const double numbers[] = {at->base.x, at->base.y, at->rod.x,     at->rod.y,
                              at->stroke, at->closed, at->open_rest, at->diameter};
    print = hl_fingerprint_number (print, marks_of (at->selected, at->hovered, at->is_problem, 0), 1);
    for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
      print = hl_fingerprint_number (print, numbers[k], seen);
  }
  for (int i = 0; i < picture->n_springs; i++) {
    const HlMechSpring *at = &picture->springs[i];
    const double numbers[] = {at->a.x, at->a.y, at->b.x, at->b.y};
    print =
        hl_fingerprint_number (print, marks_of (at->selected, at->hovered, at->damper, at->is_problem), 1);
    for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
      print = hl_fingerprint_number (print, numbers[k], seen);
  }
  for (int i = 0; i < picture->n_loads; i++) {
    const HlMechLoad *load = &picture->loads[i];
    print = hl_fingerprint_text (print, load->label);
    print = hl_fingerprint_number (
        print,
        marks_of (load->selected, load->hovered, load->value > 0, (load->value < 0) + 2 * load->is_problem),
        1);
    print = hl_fingerprint_number (print, load->at.x, seen);
    print = hl_fingerprint_number (print, load->at.y, seen);
    print = hl_fingerprint_number (print, load->angle, SEEN_ANGLE);
  }
  return print;
}

static guint64 linkage_view_fingerprint (HlCanvas *canvas) {
  gboolean is_new;
  guint64 print = hl_tool_bridge_fingerprint_drawing (HL_LINKAGE_VIEW (canvas)->bridge, &is_new);
  if (is_new)
    return print;
  const HlMechanismPicture *picture = update_now (HL_LINKAGE_VIEW (canvas));
  double seen = SEEN_PX / hl_canvas_view (canvas)->scale;

  print = fingerprint_forces (picture, seen, fingerprint_bodies (picture, seen, print));
  for (int i = 0; i < picture->n_angles; i++)
    print = hl_fingerprint_text (print, picture->angles[i].label);
  if (hl_locus_study_mode_movie (hl_workbench_locus (hl_canvas_workbench (canvas))) !=
      NULL) /* the extremes */
    print = hl_fingerprint_number (
        print, hl_locus_study_mode_movie (hl_workbench_locus (hl_canvas_workbench (canvas)))->amplitude,
        1e-12);
  print = hl_fingerprint_number (print, picture->gravity.x, 1e-9);
  print = hl_fingerprint_number (print, picture->gravity.y, 1e-9);
  return photograph_layer_fingerprint (HL_LINKAGE_VIEW (canvas)->photograph, print);
}

static guint64 linkage_view_fingerprint_over (HlCanvas *canvas) {
  return hl_tool_bridge_fingerprint (HL_LINKAGE_VIEW (canvas)->bridge, 0);
}

/* Returns the area that a driven machine has covered so far. */
static HlRect driven_box (HlLinkageView *self, const HlRun *run, HlRect now) {
  gboolean is_new = self->driven_serial != run->serial;

  self->driven_serial = run->serial;
  return is_new ? now : hl_rect_union (self->driven, now);
}

/* Returns whether the machine leaves the covered area. */
static gboolean leaves_box (HlLinkageView *self, const HlRun *run) {
  if (run->serial != self->driven_serial)
    return TRUE;
  HlRect all = hl_rect_union (self->driven, hl_mechanism_box (update_now (self)));
  return all.width > self->driven.width || all.height > self->driven.height;
}

static HlRect linkage_view_box (HlCanvas *canvas) {
  HlLinkageView *self = HL_LINKAGE_VIEW (canvas);
  HlWorkbench *workbench = hl_canvas_workbench (canvas);
  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  const HlMechanismPicture *picture = update_now (self);
  HlRect now = hl_mechanism_box (picture);

  if (picture->n_bodies + picture->n_joints + picture->n_cylinders == 0) {
    const HlMechPhotograph *photograph = hl_photograph_layer_picture (self->photograph);
    if (photograph != NULL)
      return photograph->box;
    return (HlRect){-1, -1, EMPTY_WIDTH, EMPTY_HEIGHT};
  }

  self->travels = FALSE;
  /* a pivot alone has no size: as much paper round it as an empty drawing shows */
  if (now.width == 0 && now.height == 0)
    now = (HlRect){now.x - 0.5 * EMPTY_WIDTH, now.y - 0.5 * EMPTY_HEIGHT, EMPTY_WIDTH, EMPTY_HEIGHT};
  if (run == NULL || (run->state != HL_RUN_DONE && !run->is_driven))
    return now;
  HlRect way = now;
  if (run->is_driven)
    way = self->driven = driven_box (self, run, now);
  /* of very many parts some are outermost whenever one looks, and each look costs a picture */
  int n_parts = MAX (picture->n_bodies + picture->n_joints + picture->n_cylinders, 1);
  int n_instants = CLAMP (BOX_INSTANTS * MANY_PARTS / n_parts, LEAST_INSTANTS, BOX_INSTANTS);
  for (int instant = 0; instant <= n_instants && !run->is_driven; instant++)
    way = hl_rect_union (way, hl_mechanism_box (update (self, run->t_end * instant / n_instants)));
  self->travels = fmax (way.width, way.height) > TRAVEL * fmax (fmax (now.width, now.height), LEAST_BOX);
  return self->travels ? now : way;
}

static HlRect extent (const HlView *view, gpointer canvas) {
  HlStyle style = hl_widget_style (GTK_WIDGET (canvas));
  return hl_mechanism_extent (update_now (HL_LINKAGE_VIEW (canvas)), view, &style);
}

static const char *linkage_view_hit (HlCanvas *canvas, HlSpot device, const HlStyle *style) {
  HlLinkageView *self = HL_LINKAGE_VIEW (canvas);
  int index;
  HlMechPart part =
      hl_mechanism_at (update_now (self), hl_canvas_view (canvas), style, device, REACH_PX, &index);
  return hl_linkage_scene_id (self->scene, part, index);
}

static gboolean linkage_view_where (HlCanvas *canvas, const char *id, HlRect *box) {
  return hl_linkage_where (update_now (HL_LINKAGE_VIEW (canvas)), id, box);
}

static void linkage_view_changed (HlCanvas *canvas, guint changes) {
  HlLinkageView *self = HL_LINKAGE_VIEW (canvas);
  HlRun *run = hl_runs_shown (hl_workbench_runs (hl_canvas_workbench (canvas)));

  forget_picture (self);
  hl_tool_bridge_changed (HL_LINKAGE_VIEW (canvas)->bridge, changes);
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_FILE))
    hl_photograph_layer_update (self->photograph, hl_canvas_workbench (canvas));
  if (changes & HL_CHANGED_DOCUMENT)
    hl_canvas_box_changed (canvas);
  /* The first run of a document shows how far the linkage moves; later ones leave the view alone.
   */
  if ((changes & HL_CHANGED_RUN) && run != NULL && run->state == HL_RUN_DONE && !run->preview &&
      self->boxed_serial == 0) {
    self->boxed_serial = run->serial;
    hl_canvas_box_changed (canvas);
  }
  if (run == NULL)
    self->boxed_serial = 0;
  if ((changes & HL_CHANGED_TIME) &&
      (self->travels || (run != NULL && run->is_driven && leaves_box (self, run))))
    hl_canvas_box_changed (canvas);
  if (changes &
      (HL_CHANGED_NUMBERS | HL_CHANGED_RUN | HL_CHANGED_TIME | HL_CHANGED_SELECTION | HL_CHANGED_HOVER |
       HL_CHANGED_FINDINGS | HL_CHANGED_UNITS | HL_CHANGED_MODE | HL_CHANGED_PHASE))
    hl_pixels_queue_draw (GTK_WIDGET (canvas));
}

static gboolean linkage_view_event (HlCanvas *canvas, const HlCanvasEvent *event) {
  HlLinkageView *self = HL_LINKAGE_VIEW (canvas);

  if (hl_photograph_layer_event (self->photograph, hl_canvas_workbench (canvas), event)) {
    hl_pixels_queue_draw (GTK_WIDGET (canvas));
    return TRUE;
  }
  return hl_tool_bridge_event (self->bridge, event);
}

HlToolBridge *hl_linkage_view_bridge (HlLinkageView *self) {
  return self->bridge;
}

HlPhotographLayer *hl_linkage_view_photograph (HlLinkageView *self) {
  return self->photograph;
}

static void linkage_view_dispose (GObject *object) {
  if (HL_LINKAGE_VIEW (object)->bridge != NULL)
    g_object_run_dispose (G_OBJECT (HL_LINKAGE_VIEW (object)->bridge));
  G_OBJECT_CLASS (hl_linkage_view_parent_class)->dispose (object);
}

static void linkage_view_finalize (GObject *object) {
  HlLinkageView *self = HL_LINKAGE_VIEW (object);
  photograph_layer_free (self->photograph);
  hl_linkage_scene_free (self->scene);
  hl_document_unref (self->arrow.document);
  hl_document_unref (self->made.document);
  for (int side = 0; side < 2; side++)
    hl_linkage_scene_free (self->extremes[side]);
  g_object_unref (HL_LINKAGE_VIEW (object)->bridge);
  G_OBJECT_CLASS (hl_linkage_view_parent_class)->finalize (object);
}

static void hl_linkage_view_class_init (HlLinkageViewClass *klass) {
  HlCanvasClass *canvas_class = HL_CANVAS_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = linkage_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = linkage_view_finalize;
  canvas_class->event = linkage_view_event;
  canvas_class->turn = 1;
  canvas_class->paint = linkage_view_paint;
  canvas_class->paint_over = linkage_view_paint_over;
  canvas_class->fingerprint = linkage_view_fingerprint;
  canvas_class->fingerprint_over = linkage_view_fingerprint_over;
  canvas_class->box = linkage_view_box;
  canvas_class->extent = extent;
  canvas_class->hit = linkage_view_hit;
  canvas_class->where = linkage_view_where;
  canvas_class->changed = linkage_view_changed;
}

/* Fits an empty drawing to its photograph. */
static void photograph_read_cb (gpointer data) {
  hl_canvas_box_changed (data);
  hl_pixels_queue_draw (data);
}

static void hl_linkage_view_init (HlLinkageView *self) {
  self->bridge = hl_tool_bridge_new (HL_CANVAS (self), HL_TOOL_LINKAGE);
  self->photograph = photograph_layer_new ();
  photograph_layer_watch (self->photograph, photograph_read_cb, self);
  self->scene = hl_linkage_scene_new ();
  for (int side = 0; side < 2; side++)
    self->extremes[side] = hl_linkage_scene_new ();
  hl_canvas_set_scale_limits (HL_CANVAS (self), TRUE, MIN_SCALE, MAX_SCALE, MAX_SCALE);
}
