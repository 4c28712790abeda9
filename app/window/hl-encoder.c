/* SPDX-License-Identifier: MIT */
/* The file is written under another name, and has its own when it is whole. */
#include "app/window/hl-encoder.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#define ENCODER "ffmpeg"

struct _HlEncoder
{
  char *path, *temporary;
  GSubprocess *process;
  GOutputStream *pipe; /* of the process */
};

gboolean
hl_encoder_exists (void)
{
  g_autofree char *program = g_find_program_in_path (ENCODER);
  return program != NULL;
}

static GSubprocess *
start (const char *path, const char *size, const char *rate, gboolean is_live, GError **error)
{
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

HlEncoder *
hl_encoder_new (
    const char *path, int width, int height, double rate_hz, gboolean is_live, GError **error)
{
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
  encoder->pipe = g_subprocess_get_stdin_pipe (process);
  return encoder;
}

gboolean
hl_encoder_put (HlEncoder *encoder, cairo_surface_t *surface, GError **error)
{
  int stride = cairo_image_surface_get_stride (surface);
  const guchar *data = cairo_image_surface_get_data (surface);
  gsize width = 4 * (gsize)cairo_image_surface_get_width (surface);

  for (int row = 0; row < cairo_image_surface_get_height (surface); row++)
    if (!g_output_stream_write_all (encoder->pipe, data + (gsize)row * (gsize)stride, width, NULL,
                                    NULL, NULL)) {
      g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
                   _ ("ffmpeg gave up: it may have been built without VP9"));
      return FALSE;
    }
  return TRUE;
}

gboolean
hl_encoder_close (HlEncoder *encoder, gboolean keep, GError **error)
{
  gboolean ok = keep;

  if (!keep)
    g_subprocess_force_exit (encoder->process);
  g_output_stream_close (encoder->pipe, NULL, NULL);
  gboolean ended = g_subprocess_wait_check (encoder->process, NULL, NULL);
  if (keep && (!ended || g_rename (encoder->temporary, encoder->path) != 0)) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, _ ("%s: ffmpeg could not write it"),
                 encoder->path);
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
