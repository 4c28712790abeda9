/* SPDX-License-Identifier: MIT */
/* Programs save in several steps (a temporary file, a rename, permissions): the file is looked at
 * when it has been quiet for a moment. */
#include "app/window/hl-file-watch.h"

#include "core/io/hl-file-read.h"
#include "core/io/hl-json.h"

#define QUIET_MS 250

struct _HlFileWatch {
  char *path;
  char *known; /* checksum of what was read or written; NULL: there was no file */
  HlFileState told;
  GFileMonitor *monitor;
  guint timeout;
  void (*changed) (HlFileState state, gpointer data);
  gpointer data;
};

HlFileWatch *hl_file_watch_new (void (*changed) (HlFileState state, gpointer data), gpointer data) {
  HlFileWatch *watch = g_new0 (HlFileWatch, 1);

  watch->changed = changed;
  watch->data = data;
  return watch;
}

static void stop (HlFileWatch *watch) {
  g_clear_handle_id (&watch->timeout, g_source_remove);
  if (watch->monitor != NULL)
    g_signal_handlers_disconnect_by_data (watch->monitor, watch);
  g_clear_object (&watch->monitor);
  g_clear_pointer (&watch->path, g_free);
  g_clear_pointer (&watch->known, g_free);
}

void hl_file_watch_free (HlFileWatch *watch) {
  if (watch == NULL)
    return;
  stop (watch);
  g_free (watch);
}

static char *checksum_of (const char *path) {
  gsize length;
  g_autofree char *content = hl_file_read (path, HL_JSON_MAX_BYTES, NULL, NULL, &length, NULL);

  if (content == NULL)
    return NULL;
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)content, length);
}

HlFileState hl_file_watch_look (HlFileWatch *watch) {
  if (watch->path == NULL || watch->known == NULL)
    return HL_FILE_SAME;
  g_autofree char *now = checksum_of (watch->path);
  return now == NULL ? HL_FILE_GONE : g_strcmp0 (now, watch->known) == 0 ? HL_FILE_SAME : HL_FILE_CHANGED;
}

const char *hl_file_watch_path (HlFileWatch *watch) {
  return watch->path;
}

static gboolean quiet_cb (gpointer data) {
  HlFileWatch *watch = data;
  HlFileState state = hl_file_watch_look (watch);

  watch->timeout = 0;
  if (state != watch->told) {
    watch->told = state;
    watch->changed (state, watch->data);
  }
  return G_SOURCE_REMOVE;
}

static void event_cb (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event,
                      HlFileWatch *watch) {
  g_clear_handle_id (&watch->timeout, g_source_remove);
  watch->timeout = g_timeout_add (QUIET_MS, quiet_cb, watch);
}

void hl_file_watch_accept (HlFileWatch *watch, const char *path) {
  g_autofree char *kept = g_strdup (path);

  stop (watch);
  watch->told = HL_FILE_SAME;
  if (kept == NULL)
    return;
  g_autoptr (GFile) file = g_file_new_for_path (kept);
  watch->known = checksum_of (kept);
  watch->path = g_steal_pointer (&kept);
  watch->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (watch->monitor != NULL)
    g_signal_connect (watch->monitor, "changed", G_CALLBACK (event_cb), watch);
}
