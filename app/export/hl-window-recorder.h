/* SPDX-License-Identifier: MIT */
/* Films as WebM: HlEncoder writes them picture by picture, HlWindowRecorder makes them of what a window shows.
 *
 * HlWindowRecorder: whatever continues in the window, with the captions and the ring about the pointer of the lecture
 * hall. The main thread takes pictures, HL_WINDOW_RECORDER_RATE_HZ a second at most and only where the window was painted since; a separate
 * thread passes them to the encoder, so that a slow one costs pictures and never time. */
#pragma once

#include <cairo.h>
#include <glib.h>
#include <gtk/gtk.h>

#define HL_WINDOW_RECORDER_RATE_HZ 25

typedef struct _HlCamera HlWindowRecorder;

/* Called at the end of the film: after hl_window_recorder_stop (), or after a failure (error, else NULL). The
 * camera is freed afterwards. */
typedef void (*HlCameraEnded) (gpointer data, const char *path, const GError *error);

/* Begins; the film has the size that the window has now, what is larger later is made smaller. NULL and an error
 * when there is no encoder. */
HlWindowRecorder *hl_window_recorder_new (GtkWindow *window, const char *path, HlCameraEnded ended,
                                          gpointer data, GError **error);
/* A widget of the window that no picture shows, such as the one that ends the film: its place has the color beside it.
 * Borrowed; it outlives the recording. */
void hl_window_recorder_leave_out (HlWindowRecorder *camera, GtkWidget *widget);
/* Pauses the recording, which shows the last picture or begins later, while a bar that is not recorded covers
 * the window. */
void hl_window_recorder_set_waiting (HlWindowRecorder *camera, gboolean waits);
/* Stops recording; `ended` is called when the file is complete. */
void hl_window_recorder_stop (HlWindowRecorder *camera);
/* Returns how long it has filmed so far [s]. */
double hl_window_recorder_seconds (const HlWindowRecorder *camera);
/* Waits until the file is complete and frees the camera without calling a callback, for a window that closes.
 * Accepts NULL. */
void hl_window_recorder_drop (HlWindowRecorder *camera);

/* HlEncoder: frames into a WebM file (VP9), by the program ffmpeg where it is installed. May be used by any
 * thread, one at a time. */

typedef struct _HlEncoder HlEncoder;

/* Returns FALSE to give up waiting for the encoder. Called several times a second, by the thread that waits. */
typedef gboolean (*HlEncoderWaits) (gpointer data);

gboolean hl_encoder_exists (void);
/* Begins a file of pictures of that size, even numbers, so many a second. `is_live`: as fast as pictures come,
 * for a somewhat larger file. `waits` may be NULL. NULL and HL_ERROR_USAGE where there is no ffmpeg. */
HlEncoder *hl_encoder_new (const char *path, int width, int height, double rate_hz, gboolean is_live,
                           HlEncoderWaits waits, gpointer data, GError **error);
/* Writes one picture: an image surface of that size, flushed, in RGB24. HL_ERROR_FAILED when ffmpeg failed, took
 * nothing for a while (10 s when live, else 60 s), or `waits` returned FALSE. */
gboolean hl_encoder_put (HlEncoder *encoder, cairo_surface_t *surface, GError **error);
/* Ends the file and frees the encoder; `keep` FALSE: nothing of the file is left. HL_ERROR_FAILED when it could
 * not be written, and then nothing of it is left either. */
gboolean hl_encoder_close (HlEncoder *encoder, gboolean keep, GError **error);
