/* SPDX-License-Identifier: MIT */
/* The file is read by a thread (hl-photograph-file); here it is told when to, and what came of it
 * is kept. */
#include "ui/canvas/hl-photograph-layer.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-file-reference.h"
#include "core/io/hl-file.h"
#include "core/io/hl-picture-header.h"
#include "core/io/hl-shown-text.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-errand.h"
#include "ui/paint/base/hl-text.h"
#include "ui/widget/hl-pixels.h"

#include <cairo.h>
#include <gdk/gdk.h>
#include <gio/gio.h>
#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

/* GTK's textures read the three formats. Their loaders believe any size that a file states: it is
 * looked at before they are let loose, and again at what they made. */

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

/* PNG, JPEG or TIFF, as ARGB32. NULL and HL_ERROR_FILE when it is no ordinary file, when it or what
 * it unfolds to is too large, and when it is damaged; HL_ERROR_CANCELLED. Owned by the caller. */
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
  gpointer told_data;
};

HlPhotographLayer *hl_photograph_layer_new (void) {
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

void hl_photograph_layer_free (HlPhotographLayer *layer) {
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
  hl_errand_send (&(HlErrand){.work = work,
                              .done = read_cb,
                              .free_job = g_free,
                              .free_answer = (GDestroyNotify)cairo_surface_destroy,
                              .sender = layer,
                              .life = layer->reading},
                  g_strdup (layer->path));
}

void hl_photograph_layer_watch (HlPhotographLayer *layer, void (*done) (gpointer data), gpointer data) {
  layer->done = done;
  layer->done_data = data;
}

gboolean hl_photograph_layer_is_reading (const HlPhotographLayer *layer) {
  return layer->reading != NULL;
}

/* What was read of a file stays in sight until it is read anew; of another file it goes. */
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

void hl_photograph_layer_listen (HlPhotographLayer *layer,
                                 void (*told) (HlPhotographAnswer answer, gpointer data), gpointer data) {
  layer->told = told;
  layer->told_data = data;
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

static void act (HlPhotographLayer *layer, HlWorkbench *workbench, HlPhotographAnswer answer) {
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
    layer->told (answer, layer->told_data);
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
  act (layer, workbench, hl_photograph_tool_event (&layer->tool, kind, event->at.x, event->at.y));
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

void hl_photograph_layer_paint (const HlPhotographLayer *layer, cairo_t *cr, const HlView *view, HlRect area,
                                const HlStyle *style) {
  double em = style->font_size;

  if (layer->tool.state == HL_PHOTOGRAPH_SECOND)
    paint_measure (layer, cr, view, style);
  if (layer->problem != NULL)
    hl_text_pill (cr, style, layer->problem, (HlSpot){area.x + em, area.y + TITLE_EM * em}, 0, 0);
}

guint64 hl_photograph_layer_fingerprint (const HlPhotographLayer *layer, guint64 print) {
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
