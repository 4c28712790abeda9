/* SPDX-License-Identifier: MIT */
/* Any bytes as the rows of a study on disk. What is read as a sound row has its checksum and stands in the
 * file where it says; after the file was opened for appending a new row is found behind all that were sound. */
#define _GNU_SOURCE /* memfd_create */

#include "core/study/hl-study-row-file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define NEW_ROW 77

typedef struct {
  const uint8_t *bytes;
  size_t size;
  int n;
  gint64 last;
} Found;

static gboolean check_row (gint64 row, guint64 offset, const char *cells, gsize length, void *data) {
  Found *found = data;

  g_assert_cmpint (row, >=, 0);
  g_assert_cmpuint (length, >, 0);
  if (found->bytes != NULL) {
    g_assert_cmpuint (offset + length, <=, found->size);
    g_assert_true (memcmp (found->bytes + offset, cells, length) == 0);
  }
  found->n++;
  found->last = row;
  return TRUE;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  static int fd = -1;
  static char path[64];
  g_autoptr (GError) error = NULL;
  Found before = {.bytes = data, .size = size}, after = {0};
  int n_bad;

  if (fd < 0) {
    fd = memfd_create ("rows", MFD_CLOEXEC);
    snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  }
  g_assert_true (ftruncate (fd, 0) == 0);
  g_assert_cmpint (pwrite (fd, data, size, 0), ==, (gssize)size);
  g_assert_true (hl_row_file_read (path, check_row, &before, &n_bad, &error));
  g_assert_no_error (error);
  g_assert_cmpint (n_bad, >=, 0);

  g_autoptr (HlRowFile) file = hl_row_file_open (path, &error);
  g_assert_no_error (error);
  g_autoptr (GString) line = g_string_new (NULL);
  hl_row_line_append (line, G_STRINGIFY (NEW_ROW) ",1,");
  g_assert_true (hl_row_file_append (file, line->str, line->len, &error));
  g_assert_true (hl_row_file_read (path, check_row, &after, NULL, &error));
  g_assert_cmpint (after.n, ==, before.n + 1);
  g_assert_cmpint (after.last, ==, NEW_ROW);
  return 0;
}
