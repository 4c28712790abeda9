/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-pixel-cache.h"

#include "ui/widget/hl-widget-style.h"

#include <math.h>
#include <string.h>
#include <time.h>

guint64 hl_fingerprint_text (guint64 print, const char *text) {
  /* FNV-1a */
  for (; text != NULL && *text != '\0'; text++)
    print = (print ^ (guchar)*text) * G_GUINT64_CONSTANT (1099511628211);
  return (print ^ 0xff) * G_GUINT64_CONSTANT (1099511628211);
}

guint64 hl_fingerprint_number (guint64 print, double number, double step) {
  double steps = isfinite (number) ? round (number / step) : 0.5;
  guint64 bits;
  memcpy (&bits, &steps, sizeof bits);
  return (print ^ bits ^ (bits >> 29)) * G_GUINT64_CONSTANT (1099511628211);
}

/* Painters that take longer run in separate frames: a frame is 16 ms, and there are several pictures. */
#define LONG_S 0.01
#define N_TURNS 18
#define SPENT_KEY "hl-pixels-spent"
#define PIXELS_KEY "hl-pixel-cache"
/* A frame is laid out and composed as well: what its pictures take together leaves half for that. */
#define MOST_IN_FRAME_S 0.008
#define N_TILES 6     /* in a row and in a column, at most */
#define LEAST_TILE 96 /* px, of a side: each tile costs its renderer some microseconds */
#define LONGEST_FRAME_US (G_USEC_PER_SEC / 10)

struct HlPixels {
  GtkWidget *widget;
  const HlPixelsClass *klass;
  int turn;
  cairo_surface_t *surface;                /* or NULL */
  cairo_surface_t *spare;                  /* the one before it, to be painted next; or NULL */
  GskRenderNode *node;                     /* of the surface, or NULL: not requested yet */
  gboolean node_is_cairo;                  /* for the renderer that draws by cairo */
  cairo_surface_t *shown;                  /* the pixels that the nodes of the tiles show, or NULL */
  GskRenderNode *tiles[N_TILES * N_TILES]; /* row by row; NULL beyond the edge */
  int width, height;                       /* of the surface on the widget */
  guint64 print, print_over;
  cairo_surface_t *below; /* the picture of that print without what lies over it, or NULL */
  guint64 look;           /* fingerprint of the style in which the surface was painted */
  guint64 revision;       /* of all that the picture shows: one more with every request to draw the widget */
  guint64 painted;        /* the revision that the surface shows */
  /* The surface was painted ahead and its frame is queued. A surface of the present revision is up to date unless
   * something else queued a draw too. */
  gboolean awaits_frame;
  double took_s; /* of the processor, to paint it; other widgets may need it as well */
  guint due_id;
};

HlPixels *hl_pixels_new (GtkWidget *widget, const HlPixelsClass *klass, int turn) {
  HlPixels *self = g_new0 (HlPixels, 1);

  self->widget = widget;
  self->klass = klass;
  self->turn = turn;
  g_object_set_data (G_OBJECT (widget), PIXELS_KEY, self);
  return self;
}

static void clear_tiles (HlPixels *self) {
  for (int k = 0; k < N_TILES * N_TILES; k++)
    g_clear_pointer (&self->tiles[k], gsk_render_node_unref);
  g_clear_pointer (&self->shown, cairo_surface_destroy);
}

void hl_pixels_free (HlPixels *self) {
  if (self == NULL)
    return;
  g_object_set_data (G_OBJECT (self->widget), PIXELS_KEY, NULL);
  if (self->due_id != 0)
    g_source_remove (self->due_id);
  g_clear_pointer (&self->node, gsk_render_node_unref);
  g_clear_pointer (&self->surface, cairo_surface_destroy);
  g_clear_pointer (&self->spare, cairo_surface_destroy);
  g_clear_pointer (&self->below, cairo_surface_destroy);
  clear_tiles (self);
  g_free (self);
}

void hl_pixels_queue_draw (GtkWidget *widget) {
  HlPixels *self = g_object_get_data (G_OBJECT (widget), PIXELS_KEY);

  if (self != NULL)
    self->revision++;
  gtk_widget_queue_draw (widget);
}

gboolean hl_pixels_is_due (const HlPixels *self) {
  return self->due_id != 0 || self->awaits_frame;
}

gboolean hl_pixels_is_slow (const HlPixels *self) {
  return self->took_s > LONG_S;
}

void hl_pixels_expect_slow (HlPixels *self) {
  self->took_s = MAX (self->took_s, 2 * LONG_S);
}

double hl_pixels_clock (void) {
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static GdkTexture *texture_of (cairo_surface_t *surface) {
  int height = cairo_image_surface_get_height (surface);
  int stride = cairo_image_surface_get_stride (surface);

  cairo_surface_flush (surface);
  g_autoptr (GBytes) bytes =
      g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), (gsize)stride * (gsize)height,
                                  (GDestroyNotify)cairo_surface_destroy, cairo_surface_reference (surface));
  return gdk_memory_texture_new (cairo_image_surface_get_width (surface), height, GDK_MEMORY_DEFAULT, bytes,
                                 (gsize)stride);
}

static guint64 look_now (HlPixels *self) {
  HlStyle style = hl_widget_style (self->widget);
  guint64 look = hl_fingerprint_number (0, (double)style.kind, 1e-9);

  look = hl_fingerprint_number (look, (double)style.is_contrast, 1e-9);
  look = hl_fingerprint_number (look, style.font_size, 1e-9);
  return hl_fingerprint_number (look, gtk_widget_get_scale_factor (self->widget), 1e-9);
}

static gboolean has_size (const HlPixels *self) {
  return self->surface != NULL && self->width == gtk_widget_get_width (self->widget) &&
         self->height == gtk_widget_get_height (self->widget);
}

/* Returns whether the surface shows what it would show if it were painted now. */
static gboolean is_present (HlPixels *self) {
  return has_size (self) && self->painted == self->revision && self->look == look_now (self);
}

/* Returns an empty surface of that size in device pixels: new memory costs more than cleared memory. A texture that
 * the last frame shows keeps its surface, so that two of them take turns. */
static cairo_surface_t *next_surface (HlPixels *self, int width, int height) {
  cairo_surface_t *spare = g_steal_pointer (&self->spare);

  if (spare != NULL && cairo_image_surface_get_width (spare) == width &&
      cairo_image_surface_get_height (spare) == height &&
      cairo_surface_get_reference_count (spare) == 1) { /* else something shows it */
    cairo_t *cr = cairo_create (spare);
    cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
    cairo_paint (cr);
    cairo_destroy (cr);
    return spare;
  }
  g_clear_pointer (&spare, cairo_surface_destroy);
  return cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
}

static void paint_with (HlPixels *self, cairo_surface_t *surface,
                        void (*painter) (GtkWidget *, cairo_t *, HlRect, const HlStyle *),
                        const HlStyle *style) {
  int scale = gtk_widget_get_scale_factor (self->widget);

  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_t *cr = cairo_create (surface);
  painter (self->widget, cr, (HlRect){0, 0, self->width, self->height}, style);
  cairo_destroy (cr);
}

static void copy_surface (cairo_surface_t *from, cairo_surface_t *to) {
  cairo_surface_flush (from);
  cairo_surface_flush (to);
  memcpy (cairo_image_surface_get_data (to), cairo_image_surface_get_data (from),
          (gsize)cairo_image_surface_get_stride (from) * (gsize)cairo_image_surface_get_height (from));
  cairo_surface_mark_dirty (to);
}

/* Paints the picture; when the part below is the one that was painted last, it is kept for the frames that follow. */
static void paint (HlPixels *self, gboolean same_below) {
  HlStyle style = hl_widget_style (self->widget);
  int scale = gtk_widget_get_scale_factor (self->widget);

  self->width = gtk_widget_get_width (self->widget);
  self->height = gtk_widget_get_height (self->widget);
  if (self->shown != NULL && self->spare == NULL) /* the tiles have its pixels */
    self->spare = g_steal_pointer (&self->surface);
  cairo_surface_t *surface = next_surface (self, scale * self->width, scale * self->height);
  if (!same_below)
    g_clear_pointer (&self->below, cairo_surface_destroy);
  if (self->below != NULL)
    copy_surface (self->below, surface);
  else
    paint_with (self, surface, self->klass->paint, &style);
  if (same_below && self->below == NULL) {
    self->below = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, scale * self->width, scale * self->height);
    copy_surface (surface, self->below);
  }
  if (self->klass->paint_over != NULL)
    paint_with (self, surface, self->klass->paint_over, &style);
  g_clear_pointer (&self->node, gsk_render_node_unref);
  g_clear_pointer (&self->spare, cairo_surface_destroy);
  self->spare = self->surface;
  self->surface = surface;
}

/* Paints unless the picture is as it would become. FALSE: it was. */
static gboolean refresh (HlPixels *self) {
  double began = hl_pixels_clock ();
  guint64 print = self->klass->print != NULL ? self->klass->print (self->widget) : 0;
  guint64 over = self->klass->print_over != NULL ? self->klass->print_over (self->widget) : 0;
  guint64 look = look_now (self);
  gboolean same_below =
      self->klass->print != NULL && has_size (self) && print == self->print && look == self->look;
  gboolean is_same = same_below && over == self->print_over;

  self->painted = self->revision; /* read before the data are: what comes while they are painted is later */
  if (is_same)
    return FALSE;
  self->print = print;
  self->print_over = over;
  self->look = look;
  paint (self, same_below);
  self->took_s = hl_pixels_clock () - began;
  return TRUE;
}

static gboolean due_cb (gpointer data) {
  HlPixels *self = data;

  self->due_id = 0;
  if (gtk_widget_get_width (self->widget) < 1 || gtk_widget_get_height (self->widget) < 1)
    return G_SOURCE_REMOVE;
  if (!is_present (self))
    refresh (self);
  if (self->node == NULL) { /* not shown yet */
    self->awaits_frame = TRUE;
    gtk_widget_queue_draw (self->widget);
  }
  return G_SOURCE_REMOVE;
}

/* Postpones painting until before the next frame, which might otherwise always come first, with a priority
 * for each picture: the main loop dispatches all sources of the same priority in one turn. */
static void put_off (HlPixels *self) {
  if (self->due_id == 0)
    self->due_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE + 1 + self->turn % N_TURNS, due_cb, self, NULL);
}

/* --- how long the pictures of one frame may take together --- */

typedef struct {
  gint64 frame;
  gint64 began_us; /* a widget that is drawn without a frame does not keep its surface */
  double took_s;
} Spent;

static Spent *spent_in_frame (GtkWidget *widget) {
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);

  if (clock == NULL)
    return NULL;
  Spent *spent = g_object_get_data (G_OBJECT (clock), SPENT_KEY);
  if (spent == NULL) {
    spent = g_new0 (Spent, 1);
    g_object_set_data_full (G_OBJECT (clock), SPENT_KEY, spent, g_free);
  }
  gint64 frame = gdk_frame_clock_get_frame_counter (clock), now_us = g_get_monotonic_time ();
  if (spent->frame != frame || now_us - spent->began_us > LONGEST_FRAME_US)
    *spent = (Spent){.frame = frame, .began_us = now_us};
  return spent;
}

void hl_pixels_count (GtkWidget *widget, double since) {
  Spent *spent = spent_in_frame (widget);

  if (spent != NULL)
    spent->took_s += hl_pixels_clock () - since;
}

/* Returns whether there is time to paint, estimated by the time it last took. */
static gboolean has_room (const HlPixels *self, const Spent *spent) {
  return spent == NULL || spent->took_s + self->took_s <= MOST_IN_FRAME_S;
}

/* --- the surface as a source --- */

/* Returns the surface itself to cairo. Cairo copies a recorded surface as soon as it is changed or freed. A
 * source that returns it adds no reference; the surface is not changed while something refers to it. */
static cairo_surface_t *acquire_cb (cairo_pattern_t *pattern, void *surface, cairo_surface_t *target,
                                    const cairo_rectangle_int_t *extents) {
  return cairo_surface_reference (surface);
}

static void release_cb (cairo_pattern_t *pattern, void *data, cairo_surface_t *surface) {
  cairo_surface_destroy (surface);
}

static cairo_status_t copy_cb (cairo_pattern_t *pattern, void *surface, const cairo_pattern_t *other) {
  cairo_surface_reference (surface);
  return CAIRO_STATUS_SUCCESS;
}

static void finish_cb (cairo_pattern_t *pattern, void *surface) {
  cairo_surface_destroy (surface);
}

static cairo_pattern_t *pattern_of (cairo_surface_t *surface) {
  int width = cairo_image_surface_get_width (surface), height = cairo_image_surface_get_height (surface);
  cairo_pattern_t *pattern = cairo_pattern_create_raster_source (cairo_surface_reference (surface),
                                                                 CAIRO_CONTENT_COLOR_ALPHA, width, height);
  double scale_x, scale_y;
  cairo_matrix_t to_pixels;

  cairo_raster_source_pattern_set_acquire (pattern, acquire_cb, release_cb);
  cairo_raster_source_pattern_set_copy (pattern, copy_cb);
  cairo_raster_source_pattern_set_finish (pattern, finish_cb);
  cairo_surface_get_device_scale (surface, &scale_x, &scale_y);
  cairo_matrix_init_scale (&to_pixels, scale_x, scale_y);
  cairo_pattern_set_matrix (pattern, &to_pixels);
  return pattern;
}

static GskRenderNode *new_cairo_node (cairo_surface_t *surface, const graphene_rect_t *bounds) {
  GskRenderNode *node = gsk_cairo_node_new (bounds);
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);
  cairo_pattern_t *pattern = pattern_of (surface);

  cairo_set_source (cr, pattern);
  cairo_paint (cr);
  cairo_pattern_destroy (pattern);
  cairo_destroy (cr);
  return node;
}

/* Copies a rectangle of the surface, in device pixels, to what is shown. FALSE: it is the same there. */
static gboolean copy_changed (HlPixels *self, int x, int y, int width, int height) {
  int stride = cairo_image_surface_get_stride (self->surface);
  const guchar *from = cairo_image_surface_get_data (self->surface) + (gsize)y * (gsize)stride + 4 * (gsize)x;
  guchar *to = cairo_image_surface_get_data (self->shown) + (gsize)y * (gsize)stride + 4 * (gsize)x;
  gboolean is_changed = FALSE;

  for (int row = 0; row < height; row++, from += stride, to += stride)
    if (memcmp (from, to, 4 * (gsize)width) != 0) {
      memcpy (to, from, 4 * (gsize)width);
      is_changed = TRUE;
    }
  return is_changed;
}

static int tile_side (int length) {
  return MAX (LEAST_TILE, (length + N_TILES - 1) / N_TILES);
}

/* Renews the nodes of the tiles in which the picture has changed, so that only these are drawn and sent to the display;
 * a moved pointer changes a small part of a drawing. Returns the node of all. */
static GskRenderNode *new_tiles (HlPixels *self) {
  int width = cairo_image_surface_get_width (self->surface),
      height = cairo_image_surface_get_height (self->surface);
  int scale = width / MAX (self->width, 1), side_x = tile_side (self->width),
      side_y = tile_side (self->height);
  GskRenderNode *nodes[N_TILES * N_TILES];
  guint n = 0;

  if (self->shown == NULL || cairo_image_surface_get_width (self->shown) != width ||
      cairo_image_surface_get_height (self->shown) != height) {
    clear_tiles (self);
    self->shown = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  }
  cairo_surface_set_device_scale (self->shown, scale, scale);
  cairo_surface_flush (self->surface);
  cairo_surface_flush (self->shown);
  for (int k = 0; k < N_TILES * N_TILES; k++) {
    int x = k % N_TILES * side_x, y = k / N_TILES * side_y;
    int part_x = MIN (side_x, self->width - x), part_y = MIN (side_y, self->height - y);
    if (part_x <= 0 || part_y <= 0)
      continue;
    if (copy_changed (self, scale * x, scale * y, scale * part_x, scale * part_y))
      g_clear_pointer (&self->tiles[k], gsk_render_node_unref);
    if (self->tiles[k] == NULL)
      self->tiles[k] = new_cairo_node (
          self->shown, &GRAPHENE_RECT_INIT ((float)x, (float)y, (float)part_x, (float)part_y));
    nodes[n++] = self->tiles[k];
  }
  cairo_surface_mark_dirty (self->shown);
  return gsk_container_node_new (nodes, n);
}

/* Returns a node of the picture. The cairo renderer uses the pixels directly: GTK 4.8 would convert a
 * texture to floats and back in every frame. A renderer on the graphics card keeps a texture there. */
static GskRenderNode *new_node (HlPixels *self, gboolean is_cairo) {
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float)self->width, (float)self->height);

  if (is_cairo)
    return new_tiles (self);
  clear_tiles (self);
  g_autoptr (GdkTexture) texture = texture_of (self->surface);
  return gsk_texture_node_new (texture, &bounds);
}

/* Appends the picture. An unchanged picture is the same node as in the last frame, so nothing of it is drawn
 * again when its widget is redrawn for another reason. */
static void append_picture (HlPixels *self, GtkSnapshot *snapshot) {
  GtkNative *native = gtk_widget_get_native (self->widget);
  GskRenderer *renderer = native != NULL ? gtk_native_get_renderer (native) : NULL;
  gboolean is_cairo = renderer != NULL && GSK_IS_CAIRO_RENDERER (renderer);

  if (self->node == NULL || self->node_is_cairo != is_cairo) {
    g_clear_pointer (&self->node, gsk_render_node_unref);
    self->node = new_node (self, is_cairo);
    self->node_is_cairo = is_cairo;
  }
  gtk_snapshot_append_node (snapshot, self->node);
}

void hl_pixels_prepare (HlPixels *self) {
  if (!hl_pixels_is_slow (self) && has_size (self) && gtk_widget_get_mapped (self->widget) &&
      self->painted != self->revision) {
    refresh (self);
    self->awaits_frame = TRUE;
  }
}

void hl_pixels_show (HlPixels *self, GtkSnapshot *snapshot) {
  int width = gtk_widget_get_width (self->widget), height = gtk_widget_get_height (self->widget);

  if (width < 1 || height < 1)
    return;
  Spent *spent = spent_in_frame (self->widget);
  if (!self->awaits_frame)
    self->revision++;
  self->awaits_frame = FALSE;
  /* even to find out whether it has changed may take long */
  if (!is_present (self)) {
    if (hl_pixels_is_slow (self) || !has_room (self, spent))
      put_off (self);
    else {
      double began = hl_pixels_clock ();
      refresh (self);
      if (spent != NULL)
        spent->took_s += hl_pixels_clock () - began;
    }
  }
  if (self->painted != self->revision) /* it changed during painting: GTK drops such a request */
    put_off (self);
  if (self->surface != NULL)
    append_picture (self, snapshot);
}
