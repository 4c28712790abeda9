/* SPDX-License-Identifier: MIT */
/* The file is written under another name, and has its own when it is whole. */
#include "app/export/hl-encoder.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"

#include <gio/gio.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <glib/gstdio.h>

#define ENCODER "ffmpeg"
/* Longest time without a sign of life. An encoder at work takes pictures or writes its file more often: live, it has
 * to keep pace; else it may be on one frame of 8192 pixels for long. */
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

static GSubprocess *start (const char *path, const char *size, const char *rate, gboolean is_live,
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
                 _ ("WebM needs the program ffmpeg, which is not installed; numbered pictures "
                    "(.png) need nothing"));
    return NULL;
  }
  GSubprocess *process = start (temporary, size, rate, is_live, error);
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
                   has_ended ? _ ("ffmpeg gave up: it may have been built without VP9")
                             : _ ("ffmpeg does not take any more pictures. Nothing was written."));
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
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, _ ("%s: ffmpeg could not write it"), encoder->path);
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
