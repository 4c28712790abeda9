/* SPDX-License-Identifier: MIT */
/* A picture fills as many frames of the film as its duration requires: frames that were not taken, because
 * nothing was painted or the encoder is late, repeat the previous one. So the film has the right speed. */
#include "app/export/hl-window-recorder.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"

#include <gio/gio.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <glib/gstdio.h>

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* The file is written under another name, and has its own when it is whole. */

#define ENCODER "ffmpeg"
/* Longest time without a sign of life. A working encoder takes pictures or writes its file more often than this: a live
 * one has to keep pace; else it may be on one frame of 8192 pixels for long. */
#define LIVE_PATIENCE_US (10 * G_USEC_PER_SEC)
#define PATIENCE_US (60 * G_USEC_PER_SEC)
#define LOOK_US (G_USEC_PER_SEC / 20) /* between two looks at an encoder that lets us wait */

struct _HlEncoder {
  char *path, *temporary;
  GSubprocess *process;
  GPollableOutputStream *pipe;  /* of the process */
  gint64 patience_us, alive_us; /* alive_us: time of its last sign of life */
  HlEncoderWaits waits;
  gpointer data;
};

gboolean hl_encoder_exists (void) {
  g_autofree char *program = g_find_program_in_path (ENCODER);
  return program != NULL;
}

static GSubprocess *start_encoder (const char *path, const char *size, const char *rate, gboolean is_live,
                                   GError **error) {
  const char *words[] = {ENCODER,
                         "-y",
                         "-f",
                         "rawvideo",
                         "-pixel_format",
                         G_BYTE_ORDER == G_LITTLE_ENDIAN ? "bgr0" : "0rgb",
                         "-video_size",
                         size,
                         "-framerate",
                         rate,
                         "-i",
                         "-",
                         "-c:v",
                         "libvpx-vp9",
                         "-crf",
                         "30",
                         "-b:v",
                         "0",
                         "-deadline",
                         is_live ? "realtime" : "good",
                         "-cpu-used",
                         is_live ? "8" : "1",
                         "-pix_fmt",
                         "yuv420p",
                         "-f",
                         "webm",
                         path,
                         NULL};

  return g_subprocess_newv (words,
                            G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE |
                                G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                            error);
}

static int pipe_fd (const HlEncoder *encoder) {
  return g_unix_output_stream_get_fd (G_UNIX_OUTPUT_STREAM (encoder->pipe));
}

HlEncoder *hl_encoder_new (const char *path, int width, int height, double rate_hz, gboolean is_live,
                           HlEncoderWaits waits, gpointer data, GError **error) {
  g_autofree char *size = g_strdup_printf ("%dx%d", width, height);
  g_autofree char *rate = g_strdup_printf ("%.9g", rate_hz);
  g_autofree char *temporary = g_strconcat (path, ".part", NULL);

  if (!hl_encoder_exists ()) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("WebM needs the program ffmpeg, which is not installed. Choose numbered pictures (.png) "
                    "instead."));
    return NULL;
  }
  GSubprocess *process = start_encoder (temporary, size, rate, is_live, error);
  if (process == NULL)
    return NULL;
  HlEncoder *encoder = g_new0 (HlEncoder, 1);
  encoder->path = g_strdup (path);
  encoder->temporary = g_steal_pointer (&temporary);
  encoder->process = process;
  encoder->pipe = G_POLLABLE_OUTPUT_STREAM (g_subprocess_get_stdin_pipe (process));
  encoder->patience_us = is_live ? LIVE_PATIENCE_US : PATIENCE_US;
  encoder->alive_us = g_get_monotonic_time ();
  encoder->waits = waits;
  encoder->data = data;
  /* a write of more than the pipe has room for must return, too */
  g_unix_set_fd_nonblocking (pipe_fd (encoder), TRUE, NULL);
  return encoder;
}

/* Sleeps a little. Returns FALSE when the encoder has shown no sign of life for too long, or `waits` returned FALSE. */
static gboolean wait_for_encoder (HlEncoder *encoder) {
  if (g_get_monotonic_time () - encoder->alive_us > encoder->patience_us)
    return FALSE;
  if (encoder->waits != NULL && !encoder->waits (encoder->data))
    return FALSE;
  g_usleep (LOOK_US);
  return TRUE;
}

/* Waits until the process can take more bytes. Returns FALSE when it takes none. */
static gboolean wait_for_pipe (HlEncoder *encoder) {
  GPollFD pipe = {.fd = pipe_fd (encoder), .events = G_IO_OUT};

  while (g_poll (&pipe, 1, (int)(LOOK_US / 1000)) == 0)
    if (!wait_for_encoder (encoder))
      return FALSE;
  return TRUE;
}

static gboolean write_bytes (HlEncoder *encoder, const guchar *bytes, gsize n) {
  while (n > 0) {
    g_autoptr (GError) why = NULL;
    gssize n_written = g_pollable_output_stream_write_nonblocking (encoder->pipe, bytes, n, NULL, &why);

    if (n_written < 0 &&
        (!g_error_matches (why, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK) || !wait_for_pipe (encoder)))
      return FALSE;
    if (n_written <= 0)
      continue;
    encoder->alive_us = g_get_monotonic_time ();
    bytes += n_written;
    n -= (gsize)n_written;
  }
  return TRUE;
}

gboolean hl_encoder_put (HlEncoder *encoder, cairo_surface_t *surface, GError **error) {
  int stride = cairo_image_surface_get_stride (surface);
  const guchar *data = cairo_image_surface_get_data (surface);
  gsize width = 4 * (gsize)cairo_image_surface_get_width (surface);

  for (int row = 0; row < cairo_image_surface_get_height (surface); row++)
    if (!write_bytes (encoder, data + (gsize)row * (gsize)stride, width)) {
      gboolean has_ended = g_subprocess_get_identifier (encoder->process) == NULL;
      g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s",
                   has_ended ? _ ("ffmpeg failed, perhaps because it was built without VP9. Install an "
                                  "ffmpeg with VP9, or choose numbered pictures (.png).")
                             : _ ("ffmpeg stopped accepting pictures, so no file was written. Check the free "
                                  "disk space, or choose numbered pictures (.png)."));
      return FALSE;
    }
  return TRUE;
}

/* Waits for the end of the process as long as its file grows; then ends it. */
static void wait_for_end (HlEncoder *encoder) {
  goffset size = -1;

  encoder->alive_us = g_get_monotonic_time ();
  while (g_subprocess_get_identifier (encoder->process) != NULL) {
    GStatBuf now;
    if (g_stat (encoder->temporary, &now) == 0 && now.st_size != size) {
      size = now.st_size;
      encoder->alive_us = g_get_monotonic_time ();
    }
    if (!wait_for_encoder (encoder)) {
      g_subprocess_force_exit (encoder->process);
      return;
    }
  }
}

gboolean hl_encoder_close (HlEncoder *encoder, gboolean keep, GError **error) {
  gboolean ok = keep;

  if (!keep)
    g_subprocess_force_exit (encoder->process);
  g_output_stream_close (G_OUTPUT_STREAM (encoder->pipe), NULL, NULL);
  if (keep)
    wait_for_end (encoder);
  gboolean ended = g_subprocess_wait_check (encoder->process, NULL, NULL);
  if (keep && (!ended || g_rename (encoder->temporary, encoder->path) != 0)) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, _ ("%s: ffmpeg could not write the file"), encoder->path);
    ok = FALSE;
  }
  if (!ok)
    g_unlink (encoder->temporary);
  g_object_unref (encoder->process);
  g_free (encoder->path);
  g_free (encoder->temporary);
  g_free (encoder);
  return ok || !keep;
}

#define RATE_HZ HL_WINDOW_RECORDER_RATE_HZ
#define MOST_WAITING 8                  /* pictures that the encoder has not had yet */
#define CLOSING_US (3 * G_USEC_PER_SEC) /* a window that closes waits no longer for its film */

typedef struct {
  cairo_surface_t *surface; /* NULL: the end */
  int frames;               /* of the film until it comes, with itself */
} Picture;

struct _HlCamera {
  GtkWindow *window;   /* borrowed; NULL: it takes no more */
  GtkWidget *left_out; /* borrowed; no picture shows it; NULL: none */
  GdkFrameClock *clock;
  HlCameraEnded ended;
  gpointer data;
  char *path;
  int width, height;
  guint timeout;
  gboolean was_painted; /* since the last picture */
  gboolean waits;
  gint64 began_us;
  int n_frames; /* of the film so far */
  GAsyncQueue *waiting;
  GThread *thread;
  HlEncoder *encoder; /* of the thread */
  GError *error;      /* written by the thread before it is over */
  atomic_bool is_over;
  atomic_llong last_us; /* 0, or until when the window's thread waits for the encoder */
};

/* --- the thread --- */

static void picture_free (Picture *picture) {
  if (picture->surface != NULL)
    cairo_surface_destroy (picture->surface);
  g_free (picture);
}

static gboolean encoder_waits_cb (gpointer data) {
  HlWindowRecorder *self = data;
  long long last_us = atomic_load_explicit (&self->last_us, memory_order_relaxed);

  return last_us == 0 || g_get_monotonic_time () < last_us;
}

/* Writes a picture, which repeats the one before until its time. */
static gboolean write_picture (HlWindowRecorder *self, const Picture *picture, cairo_surface_t *last) {
  gboolean ok = TRUE;

  for (int k = 1; ok && last != NULL && k < picture->frames; k++)
    ok = hl_encoder_put (self->encoder, last, &self->error);
  return ok && (picture->surface == NULL || hl_encoder_put (self->encoder, picture->surface, &self->error));
}

static gboolean report_cb (gpointer data) {
  HlWindowRecorder *self = data;

  hl_window_recorder_stop (self);
  g_thread_join (self->thread);
  self->thread = NULL;
  if (self->ended != NULL)
    self->ended (self->data, self->path, self->error);
  hl_window_recorder_drop (self);
  return G_SOURCE_REMOVE;
}

static gpointer work (gpointer data) {
  HlWindowRecorder *self = data;
  Picture *last = NULL;
  gboolean ok = TRUE, goes_on = TRUE;

  while (ok && goes_on) {
    Picture *picture = g_async_queue_pop (self->waiting);
    goes_on = picture->surface != NULL;
    ok = write_picture (self, picture, last != NULL ? last->surface : NULL);
    g_clear_pointer (&last, picture_free);
    last = picture;
  }
  picture_free (last);
  hl_encoder_close (self->encoder, ok, ok ? &self->error : NULL);
  atomic_store_explicit (&self->is_over, TRUE, memory_order_release);
  g_idle_add (report_cb, self);
  return NULL;
}

/* --- pictures --- */

static cairo_surface_t *download (GdkTexture *texture) {
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, gdk_texture_get_width (texture),
                                                         gdk_texture_get_height (texture));

  gdk_texture_download (texture, cairo_image_surface_get_data (surface),
                        (gsize)cairo_image_surface_get_stride (surface));
  cairo_surface_mark_dirty (surface);
  return surface;
}

/* Returns the painted window; NULL: it is not yet. */
static GdkTexture *texture_of (GtkWindow *window) {
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (window));
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (GTK_WIDGET (window));
  int width = gdk_paintable_get_intrinsic_width (paintable);
  int height = gdk_paintable_get_intrinsic_height (paintable);

  if (renderer == NULL || width <= 0 || height <= 0)
    return NULL;
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  if (node == NULL)
    return NULL;
  /* Without the border and the shadow around the window: they would be scaled into the frame, which blurs text. */
  graphene_rect_t outer;
  gboolean has_outer = gtk_widget_compute_bounds (GTK_WIDGET (window), GTK_WIDGET (window), &outer);
  graphene_rect_t inner = GRAPHENE_RECT_INIT (
      has_outer ? -outer.origin.x : 0, has_outer ? -outer.origin.y : 0,
      (float)gtk_widget_get_width (GTK_WIDGET (window)), (float)gtk_widget_get_height (GTK_WIDGET (window)));
  GdkTexture *texture = gsk_renderer_render_texture (renderer, node, &inner);
  gsk_render_node_unref (node);
  return texture;
}

/* Paints over the widget that no picture shows, in the color to its left. */
static void leave_out (const HlWindowRecorder *self, cairo_surface_t *seen) {
  graphene_rect_t box;

  if (self->left_out == NULL || !gtk_widget_get_mapped (self->left_out) ||
      !gtk_widget_compute_bounds (self->left_out, GTK_WIDGET (self->window), &box))
    return;
  int x = (int)floor (box.origin.x) - 2, y = (int)(box.origin.y + 0.5f * box.size.height);
  if (x < 0 || y < 0 || y >= cairo_image_surface_get_height (seen))
    return;
  const guchar *pixel =
      cairo_image_surface_get_data (seen) + y * cairo_image_surface_get_stride (seen) + 4 * x;
  guint32 color;
  memcpy (&color, pixel, sizeof color);
  cairo_t *cr = cairo_create (seen);
  cairo_set_source_rgb (cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0,
                        (color & 0xff) / 255.0);
  cairo_rectangle (cr, x, floor (box.origin.y) - 1, ceil (box.size.width) + 4, ceil (box.size.height) + 2);
  cairo_fill (cr);
  cairo_destroy (cr);
}

/* Returns the picture centred in a frame of the video's size. */
static cairo_surface_t *fit_frame (const HlWindowRecorder *self, cairo_surface_t *seen) {
  double width = cairo_image_surface_get_width (seen), height = cairo_image_surface_get_height (seen);
  double scale = fmin (1, fmin (self->width / width, self->height / height));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, self->width, self->height);
  cairo_t *cr = cairo_create (surface);

  cairo_translate (cr, floor (0.5 * (self->width - scale * width)),
                   floor (0.5 * (self->height - scale * height)));
  cairo_scale (cr, scale, scale);
  cairo_set_source_surface (cr, seen, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* Returns the number of frames due until now; 0: none. */
static int frames_due (const HlWindowRecorder *self) {
  double seconds = (double)(g_get_monotonic_time () - self->began_us) / G_USEC_PER_SEC;
  return (int)floor (seconds * RATE_HZ) + 1 - self->n_frames;
}

static void hand_over (HlWindowRecorder *self, cairo_surface_t *surface, int frames) {
  Picture *picture = g_new0 (Picture, 1);

  *picture = (Picture){.surface = surface, .frames = frames};
  self->n_frames += frames;
  g_async_queue_push (self->waiting, picture);
}

static gboolean take_cb (gpointer data) {
  HlWindowRecorder *self = data;
  int frames = frames_due (self);

  if (atomic_load_explicit (&self->is_over, memory_order_acquire)) {
    self->timeout = 0; /* the encoder failed */
    return G_SOURCE_REMOVE;
  }
  if (frames < 1 || !self->was_painted || self->waits || g_async_queue_length (self->waiting) >= MOST_WAITING)
    return G_SOURCE_CONTINUE;
  g_autoptr (GdkTexture) texture = texture_of (self->window);
  if (texture == NULL)
    return G_SOURCE_CONTINUE;
  cairo_surface_t *seen = download (texture);
  leave_out (self, seen);
  if (self->n_frames == 0) /* the film begins with it, even if it had to wait */
    self->began_us = g_get_monotonic_time ();
  hand_over (self, fit_frame (self, seen), self->n_frames == 0 ? 1 : frames);
  cairo_surface_destroy (seen);
  self->was_painted = FALSE;
  return G_SOURCE_CONTINUE;
}

static void painted_cb (GdkFrameClock *clock, HlWindowRecorder *self) {
  self->was_painted = TRUE;
}

/* --- begin and end --- */

HlWindowRecorder *hl_window_recorder_new (GtkWindow *window, const char *path, HlCameraEnded ended,
                                          gpointer data, GError **error) {
  int width = 2 * ((gtk_widget_get_width (GTK_WIDGET (window)) + 1) / 2);
  int height = 2 * ((gtk_widget_get_height (GTK_WIDGET (window)) + 1) / 2);
  HlWindowRecorder *self = g_new0 (HlWindowRecorder, 1);
  HlEncoder *encoder = hl_encoder_new (path, width, height, RATE_HZ, TRUE, encoder_waits_cb, self, error);

  if (encoder == NULL) {
    g_free (self);
    return NULL;
  }
  self->window = window;
  self->path = g_strdup (path);
  self->ended = ended;
  self->data = data;
  self->width = width;
  self->height = height;
  self->encoder = encoder;
  self->was_painted = TRUE;
  self->began_us = g_get_monotonic_time ();
  self->waiting = g_async_queue_new_full ((GDestroyNotify)picture_free);
  self->clock = g_object_ref (gtk_widget_get_frame_clock (GTK_WIDGET (window)));
  g_signal_connect (self->clock, "after-paint", G_CALLBACK (painted_cb), self);
  self->timeout = g_timeout_add (1000 / RATE_HZ, take_cb, self);
  self->thread = g_thread_new ("camera", work, self);
  return self;
}

double hl_window_recorder_seconds (const HlWindowRecorder *self) {
  return 1e-6 * (double)(g_get_monotonic_time () - self->began_us);
}

void hl_window_recorder_leave_out (HlWindowRecorder *self, GtkWidget *widget) {
  self->left_out = widget;
}

void hl_window_recorder_set_waiting (HlWindowRecorder *self, gboolean waits) {
  self->waits = waits;
}

void hl_window_recorder_stop (HlWindowRecorder *self) {
  if (self->window == NULL)
    return;
  self->window = NULL;
  g_clear_handle_id (&self->timeout, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->clock, self);
  hand_over (self, NULL, MAX (frames_due (self), 1));
}

void hl_window_recorder_drop (HlWindowRecorder *self) {
  if (self == NULL)
    return;
  hl_window_recorder_stop (self);
  if (self->thread != NULL) {
    atomic_store_explicit (&self->last_us, g_get_monotonic_time () + CLOSING_US, memory_order_relaxed);
    g_thread_join (self->thread);
    g_idle_remove_by_data (self);
  }
  g_async_queue_unref (self->waiting);
  g_clear_error (&self->error);
  g_object_unref (self->clock);
  g_free (self->path);
  g_free (self);
}
