/* SPDX-License-Identifier: MIT */
#include "core/study/hl-study-row-file.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE (256 * 1024)         /* bytes read at a time */
#define LONGEST_LINE (16 * PIECE)  /* no row is longer */
#define CRC_POLYNOMIAL 0xedb88320u /* CRC-32 of IEEE 802.3, reflected */
#define DIGITS 8

#define LOCK_POLL_US 20000
#define LOCK_PATIENCE_US 1000000

struct _HlRowFile {
  int fd;
  char *path;
  off_t size; /* of the sound part */
};

guint32 hl_row_checksum (const char *bytes, gsize length) {
  guint32 crc = 0xffffffffu;

  for (gsize k = 0; k < length; k++) {
    crc ^= (guint8)bytes[k];
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ ((crc & 1) != 0 ? CRC_POLYNOMIAL : 0);
  }
  return ~crc;
}

void hl_row_line_append (GString *text, const char *cells) {
  g_string_append_printf (text, "%08x %s\n", hl_row_checksum (cells, strlen (cells)), cells);
}

gint64 hl_row_line_read (const char *line, gsize length, const char **cells) {
  guint32 stated = 0;
  gint64 row = 0;

  if (length < DIGITS + 3 || line[DIGITS] != ' ')
    return -1;
  for (int k = 0; k < DIGITS; k++) {
    int digit = g_ascii_xdigit_value (line[k]);
    if (digit < 0)
      return -1;
    stated = stated << 4 | (guint32)digit;
  }
  *cells = line + DIGITS + 1;
  gsize n = length - DIGITS - 1, at = 0;
  while (at < n && g_ascii_isdigit ((*cells)[at]) && row < G_MAXINT)
    row = row * 10 + ((*cells)[at++] - '0');
  if (at == 0 || at >= n || (*cells)[at] != ',' || hl_row_checksum (*cells, n) != stated)
    return -1;
  return row;
}

static gboolean set_file_error (GError **error, HlErrorCode code, const char *path, const char *what,
                                int failure) {
  g_set_error (error, HL_ERROR, (int)code, "%s: %s: %s", path, what, g_strerror (failure));
  return FALSE;
}

/* --- writing --- */

/* Returns the end of the last complete line. */
static off_t sound_size (int fd, off_t size) {
  char piece[4096];

  while (size > 0) {
    gsize n = (gsize)MIN (size, (off_t)sizeof piece);
    if (pread (fd, piece, n, size - (off_t)n) != (ssize_t)n)
      return size;
    for (gsize k = n; k > 0; k--)
      if (piece[k - 1] == '\n')
        return size - (off_t)n + (off_t)k;
    size -= (off_t)n;
  }
  return 0;
}

/* Returns whether another program has the file locked, after a short wait for a killed program to end. A file
 * system without locks does not prevent the work. */
static gboolean is_locked_by_another (int fd) {
  for (int waited_us = 0; flock (fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
       waited_us += LOCK_POLL_US) {
    if (waited_us >= LOCK_PATIENCE_US)
      return TRUE;
    g_usleep (LOCK_POLL_US);
  }
  return FALSE;
}

HlRowFile *hl_row_file_open (const char *path, GError **error) {
  g_autoptr (HlRowFile) self = g_new0 (HlRowFile, 1);
  struct stat stat;

  self->path = g_strdup (path);
  /* a pipe is opened at once this way, and refused */
  self->fd = open (path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  if (self->fd >= 0 && !hl_file_is_regular (self->fd, path, error))
    return NULL;
  if (self->fd < 0 || fstat (self->fd, &stat) != 0) {
    set_file_error (error, HL_ERROR_FILE, path, _ ("cannot be written"), errno);
    return NULL;
  }
  if (is_locked_by_another (self->fd)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("%s: another run of this study or of this shard is active; wait until that run ends, or "
                    "stop that run"),
                 path);
    return NULL;
  }
  self->size = sound_size (self->fd, stat.st_size);
  if (self->size != stat.st_size && ftruncate (self->fd, self->size) != 0) {
    set_file_error (error, HL_ERROR_FILE, path, _ ("cannot be repaired"), errno);
    return NULL;
  }
  return g_steal_pointer (&self);
}

void hl_row_file_close (HlRowFile *self) {
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  g_free (self);
}

void hl_row_file_leave (HlRowFile *self) {
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

gboolean hl_row_file_append (HlRowFile *self, const char *lines, gsize length, GError **error) {
  gsize done = 0;

  while (done < length) {
    ssize_t n = write (self->fd, lines + done, length - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      int failure = n < 0 ? errno : ENOSPC;
      /* whole lines stay, the rest of a cut one goes */
      while (done > 0 && lines[done - 1] != '\n')
        done--;
      self->size += (off_t)done;
      if (ftruncate (self->fd, self->size) != 0)
        return set_file_error (error, HL_ERROR_FAILED, self->path,
                               _ ("the file cannot be written completely; the next run repairs the file"),
                               failure);
      return set_file_error (error, HL_ERROR_FAILED, self->path, _ ("cannot be written"), failure);
    }
    done += (gsize)n;
  }
  self->size += (off_t)length;
  return TRUE;
}

gboolean hl_row_file_is_empty (const HlRowFile *self) {
  return self->size == 0;
}

void hl_row_file_sync (HlRowFile *self) {
  if (fsync (self->fd) != 0)
    return; /* rows that are not stored are computed again */
}

/* --- reading --- */

gboolean hl_row_file_read (const char *path, HlRowFound found, void *data, int *n_bad, GError **error) {
  gsize size = 0;
  int fd = hl_file_open_regular (path, &size, error), bad = 0;
  gsize piece_size = MIN (size + 1, PIECE); /* most files are small */
  g_autoptr (GString) waiting = g_string_sized_new (piece_size);
  g_autofree char *piece = g_malloc (piece_size);
  guint64 offset = 0; /* of what waits */
  gboolean wants_more = TRUE;

  if (fd < 0)
    return FALSE;
  while (wants_more) {
    ssize_t n = read (fd, piece, piece_size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      set_file_error (error, HL_ERROR_FILE, path, _ ("cannot be read"), errno);
      close (fd);
      return FALSE;
    }
    if (n == 0)
      break;
    g_string_append_len (waiting, piece, n);
    gsize start = 0;
    for (char *end;
         wants_more && (end = memchr (waiting->str + start, '\n', waiting->len - start)) != NULL;) {
      const char *line = waiting->str + start, *cells;
      gsize length = (gsize)(end - line);
      gint64 row = hl_row_line_read (line, length, &cells);
      if (row < 0)
        bad++;
      else
        wants_more = found (row, offset + start + (guint64)(cells - line), cells,
                            length - (gsize)(cells - line), data);
      start += length + 1;
    }
    /* data of this length without a line end are no line */
    if (waiting->len - start > LONGEST_LINE) {
      bad++;
      start = waiting->len;
    }
    g_string_erase (waiting, 0, (gssize)start);
    offset += start;
  }
  close (fd);
  if (n_bad != NULL)
    *n_bad = bad;
  return wants_more;
}
