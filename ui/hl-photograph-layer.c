/* SPDX-License-Identifier: MIT */
/* GTK's textures read PNG, JPEG and TIFF; cairo gets their pixels once. */
#include "ui/hl-photograph-layer.h"

#include "core/document/hl-file-reference.h"
#include "core/document/hl-i18n.h"
#include "ui/hl-fingerprint.h"
#include "ui/paint/hl-text.h"

#include <glib/gstdio.h>
#include <math.h>

#define KEY "photograph"
#define MOST_PIXELS 100e6
#define TICK_PX 5.0
#define TITLE_EM 3.4 /* height of the canvas' title */

struct _HlPhotographLayer
{
  HlPhotograph *photograph; /* NULL: the document has none */
  char *path;               /* of what was read, or tried; NULL: nothing yet */
  gint64 written_s, size;   /* of the file then */
  cairo_surface_t *surface; /* NULL: not readable */
  char *problem;
  HlMechPhotograph picture;
  HlPhotographTool tool;
  gboolean has_moved; /* in this drag */
  void (*told) (HlPhotographAnswer answer, gpointer data);
  gpointer told_data;
};

HlPhotographLayer *
hl_photograph_layer_new (void)
{
  return g_new0 (HlPhotographLayer, 1);
}

static void
forget_pixels (HlPhotographLayer *layer)
{
  g_clear_pointer (&layer->surface, cairo_surface_destroy);
  g_clear_pointer (&layer->path, g_free);
  g_clear_pointer (&layer->problem, g_free);
}

void
hl_photograph_layer_free (HlPhotographLayer *layer)
{
  if (layer == NULL)
    return;
  forget_pixels (layer);
  hl_photograph_free (layer->photograph);
  g_free (layer);
}

/* --- pixels --- */

static cairo_surface_t *
surface_of (GdkTexture *texture)
{
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

static void
read_file (HlPhotographLayer *layer)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_path_get_basename (layer->path);
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_filename (layer->path, &error);

  if (texture != NULL &&
      (double)gdk_texture_get_width (texture) * gdk_texture_get_height (texture) <= MOST_PIXELS)
    layer->surface = surface_of (texture);
  if (layer->surface != NULL)
    return;
  gboolean exists = g_file_test (layer->path, G_FILE_TEST_EXISTS);
  layer->problem = g_strdup_printf (exists ? _ ("The photograph\n“%s” cannot be read")
                                           : _ ("The photograph\n“%s” is missing"),
                                    name);
}

void
hl_photograph_layer_update (HlPhotographLayer *layer, HlWorkbench *workbench)
{
  GStatBuf facts = {0};

  hl_photograph_free (layer->photograph);
  layer->photograph = hl_photograph_of_document (hl_workbench_document (workbench));
  if (layer->photograph == NULL || layer->photograph->hidden) {
    g_clear_pointer (&layer->problem, g_free);
    if (layer->photograph == NULL)
      forget_pixels (layer);
    return;
  }
  g_autofree char *path =
      hl_file_reference_path (layer->photograph->file, hl_workbench_path (workbench));
  if (g_stat (path, &facts) != 0)
    facts.st_size = -1;
  if (g_strcmp0 (path, layer->path) == 0 && facts.st_mtime == layer->written_s &&
      facts.st_size == layer->size && (layer->surface != NULL || layer->problem != NULL))
    return;
  forget_pixels (layer);
  layer->path = g_steal_pointer (&path);
  layer->written_s = facts.st_mtime;
  layer->size = facts.st_size;
  read_file (layer);
}

const HlMechPhotograph *
hl_photograph_layer_picture (const HlPhotographLayer *layer)
{
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

const char *
hl_photograph_layer_problem (const HlPhotographLayer *layer)
{
  return layer->problem;
}

/* --- the pointer --- */

void
hl_photograph_layer_listen (HlPhotographLayer *layer,
                            void (*told) (HlPhotographAnswer answer, gpointer data),
                            gpointer data)
{
  layer->told = told;
  layer->told_data = data;
}

HlPhotographTool *
hl_photograph_layer_tool (HlPhotographLayer *layer)
{
  return &layer->tool;
}

static void
move_by (HlPhotographLayer *layer, HlWorkbench *workbench)
{
  HlPhotograph *photograph = layer->photograph;

  if (photograph == NULL)
    return;
  for (int axis = 0; axis < 2; axis++)
    photograph->at[axis] += layer->tool.b[axis] - layer->tool.a[axis];
  layer->has_moved = TRUE;
  hl_workbench_commit (workbench, hl_photograph_put (hl_workbench_document (workbench), photograph),
                       _ ("Move the photograph"), KEY);
}

static void
act (HlPhotographLayer *layer, HlWorkbench *workbench, HlPhotographAnswer answer)
{
  if (answer == HL_PHOTOGRAPH_MOVED)
    move_by (layer, workbench);
  if (answer == HL_PHOTOGRAPH_PLACED || answer == HL_PHOTOGRAPH_LEFT)
    hl_workbench_end_gesture (workbench);
  if (answer == HL_PHOTOGRAPH_LEFT && layer->has_moved)
    hl_workbench_undo (workbench);
  if (answer != HL_PHOTOGRAPH_MOVED)
    layer->has_moved = FALSE;
  if (layer->told != NULL)
    layer->told (answer, layer->told_data);
}

gboolean
hl_photograph_layer_event (HlPhotographLayer *layer,
                           HlWorkbench *workbench,
                           const HlCanvasEvent *event)
{
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

static void
paint_measure (const HlPhotographLayer *layer,
               cairo_t *cr,
               const HlView *view,
               const HlStyle *style)
{
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

void
hl_photograph_layer_paint (const HlPhotographLayer *layer,
                           cairo_t *cr,
                           const HlView *view,
                           HlRect area,
                           const HlStyle *style)
{
  double em = style->font_size;

  if (layer->tool.state == HL_PHOTOGRAPH_SECOND)
    paint_measure (layer, cr, view, style);
  if (layer->problem != NULL)
    hl_text_pill (cr, style, layer->problem, (HlSpot){area.x + em, area.y + TITLE_EM * em}, 0, 0);
}

guint64
hl_photograph_layer_fingerprint (const HlPhotographLayer *layer, guint64 print)
{
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
                            picture->box.height, picture->opacity, (double)layer->written_s};
  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    print = hl_fingerprint_number (print, numbers[k], 1e-6);
  return print;
}
