/* SPDX-License-Identifier: MIT */
/* HlCamera: what a window shows, as a WebM film: whatever goes on in it, with the captions and the ring about the
 * pointer of the lecture hall. Pictures are taken by the main thread, ten a second at most and only where the window
 * was painted since; a thread of its own hands them to the encoder, so that a slow one costs pictures and never
 * time. */
#pragma once

#include <gtk/gtk.h>

typedef struct _HlCamera HlCamera;

/* The film is over: by hl_camera_stop (), or because it cannot go on (error, else NULL). The camera is freed
 * behind it. */
typedef void (*HlCameraEnded) (gpointer data, const char *path, const GError *error);

/* Begins; the film has the size that the window has now, what is larger later is made smaller. NULL and an error
 * when there is no encoder. */
HlCamera *hl_camera_new (GtkWindow *window, const char *path, HlCameraEnded ended, gpointer data,
                         GError **error);
/* Takes no more pictures; `ended` is called when the file is whole. */
void hl_camera_stop (HlCamera *camera);
/* How long it has filmed so far [s]. */
double hl_camera_seconds (const HlCamera *camera);
/* Of a window that goes: waits until the file is whole, calls nobody, and frees the camera. NULL is fine. */
void hl_camera_drop (HlCamera *camera);
