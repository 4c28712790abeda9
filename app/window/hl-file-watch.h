/* SPDX-License-Identifier: MIT */
/* HlFileWatch: notices when a file on disk is no longer what the program last read or wrote. What
 * counts is the content: a file that was only touched, or written again with the same bytes, has
 * not changed. */
#pragma once

#include <gio/gio.h>

typedef enum { HL_FILE_SAME, HL_FILE_CHANGED, HL_FILE_GONE } HlFileState;

typedef struct _HlFileWatch HlFileWatch;

/* `changed` is called in the main loop, once for each state the file comes into. */
HlFileWatch *hl_file_watch_new (void (*changed) (HlFileState state, gpointer data), gpointer data);
void hl_file_watch_free (HlFileWatch *watch);
/* The file, NULL = none, is as it should be now: it was just read or written. */
void hl_file_watch_accept (HlFileWatch *watch, const char *path);
const char *hl_file_watch_path (HlFileWatch *watch);
/* Looks now. Without a file: HL_FILE_SAME. */
HlFileState hl_file_watch_look (HlFileWatch *watch);
