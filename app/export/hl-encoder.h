/* SPDX-License-Identifier: MIT */
/* HlEncoder: frames into a WebM file (VP9), by the program ffmpeg where it is installed. May be used by any
 * thread, one at a time. */
#pragma once

#include <cairo.h>
#include <glib.h>

typedef struct _HlEncoder HlEncoder;

/* Returns FALSE to give up waiting for the encoder. Called several times a second, by the thread that waits. */
typedef gboolean (*HlEncoderWaits) (gpointer data);

gboolean hl_encoder_exists (void);
/* Begins a file of pictures of that size, even numbers, so many a second. `is_live`: as fast as pictures come,
 * for a somewhat larger file. `waits` may be NULL. NULL and HL_ERROR_USAGE where there is no ffmpeg. */
HlEncoder *hl_encoder_new (const char *path, int width, int height, double rate_hz, gboolean is_live,
                           HlEncoderWaits waits, gpointer data, GError **error);
/* Writes one picture: an image surface of that size, flushed, in RGB24. HL_ERROR_FAILED when ffmpeg gave up, took
 * nothing for a while (10 s when live, else 60 s), or `waits` returned FALSE. */
gboolean hl_encoder_put (HlEncoder *encoder, cairo_surface_t *surface, GError **error);
/* Ends the file and frees the encoder; `keep` FALSE: nothing of the file is left. HL_ERROR_FAILED when it could
 * not be written, and then nothing of it is left either. */
gboolean hl_encoder_close (HlEncoder *encoder, gboolean keep, GError **error);
