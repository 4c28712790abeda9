/* SPDX-License-Identifier: MIT */
/* PNG: the IHDR chunk comes first (W3C PNG, 11.2.2). JPEG: segments of a marker and a length up to
 * the start of frame (ITU-T T.81, B.1 and B.2.2). TIFF: the entries of the first directory, in the
 * byte order that the file begins with (TIFF 6.0, section 2). */
#include "core/io/hl-image-size.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"

#include <string.h>
#include <unistd.h>

#define MOST_SEGMENTS 4096 /* of a JPEG before its frame */
#define TIFF_WIDTH 256
#define TIFF_HEIGHT 257
#define TIFF_DEPTH 258
#define TIFF_SHORT 3
#define TIFF_LONG 4

/* Source of the bytes: memory, or a file. */
typedef struct {
  const guint8 *bytes; /* length of them; NULL: the file */
  gsize length;
  int descriptor;
} Source;

typedef enum { FOUND, NO_PICTURE, CUT_OFF } Answer;

static gboolean read_bytes (const Source *source, guint64 at, gsize n, guint8 *out) {
  if (source->bytes == NULL)
    return at <= G_MAXINT64 - n && pread (source->descriptor, out, n, (off_t)at) == (gssize)n;
  if (at > source->length || n > source->length - at)
    return FALSE;
  memcpy (out, source->bytes + at, n);
  return TRUE;
}

static guint32 number (const guint8 *bytes, int n, gboolean big_end_first) {
  guint32 value = 0;

  for (int i = 0; i < n; i++)
    value = value << 8 | bytes[big_end_first ? i : n - 1 - i];
  return value;
}

/* --- the three formats --- */

static Answer read_png (const Source *source, HlPictureHeader *header) {
  guint8 chunk[4 + 4 + 13];

  if (!read_bytes (source, 8, sizeof chunk, chunk))
    return CUT_OFF;
  if (memcmp (chunk + 4, "IHDR", 4) != 0)
    return NO_PICTURE;
  header->kind = HL_PICTURE_PNG;
  header->width = number (chunk + 8, 4, TRUE);
  header->height = number (chunk + 12, 4, TRUE);
  header->pixel_bytes = chunk[16] > 8 ? 8 : 4;
  return FOUND;
}

/* Returns whether a marker starts a frame: C0 to CF except the tables C4, C8, CC. */
static gboolean is_frame (guint8 marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/* Markers without a length: padding, TEM, restarts, start of image. */
static gboolean stands_alone (guint8 marker) {
  return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

static Answer read_jpeg (const Source *source, HlPictureHeader *header) {
  guint64 at = 2;

  for (int segment = 0; segment < MOST_SEGMENTS; segment++) {
    guint8 head[2 + 2 + 5];
    if (!read_bytes (source, at, 2, head))
      return CUT_OFF;
    if (head[0] != 0xff || head[1] == 0xd9 || head[1] == 0xda) /* end, or data without a frame */
      return NO_PICTURE;
    if (head[1] == 0xff || stands_alone (head[1])) {
      at += head[1] == 0xff ? 1 : 2;
      continue;
    }
    if (!read_bytes (source, at, is_frame (head[1]) ? sizeof head : 4, head))
      return CUT_OFF;
    if (is_frame (head[1])) {
      header->kind = HL_PICTURE_JPEG;
      header->height = number (head + 5, 2, TRUE);
      header->width = number (head + 7, 2, TRUE);
      header->pixel_bytes = 4;
      return FOUND;
    }
    at += 2 + (guint64)number (head + 2, 2, TRUE);
  }
  return NO_PICTURE;
}

/* Returns whether one of the first samples has more than 8 bits; what does not fit into the entry's four
 * bytes stands where they point. */
static gboolean has_deep_samples (const Source *source, const guint8 *value, guint32 count,
                                  gboolean big_end_first) {
  guint8 depths[2 * 4] = {0};
  gsize n = MIN (count, 4);

  if (count <= 2)
    memcpy (depths, value, 2 * n);
  else if (!read_bytes (source, number (value, 4, big_end_first), 2 * n, depths))
    return TRUE;
  for (gsize k = 0; k < n; k++)
    if (number (depths + 2 * k, 2, big_end_first) > 8)
      return TRUE;
  return FALSE;
}

/* Reads the size of a TIFF; the larger value counts if a size is stated twice, since decoders may use either. */
static Answer read_tiff (const Source *source, gboolean big_end_first, HlPictureHeader *header) {
  guint8 bytes[12];

  if (!read_bytes (source, 4, 4, bytes))
    return CUT_OFF;
  guint64 at = number (bytes, 4, big_end_first);
  if (!read_bytes (source, at, 2, bytes))
    return CUT_OFF;
  guint32 n_entries = number (bytes, 2, big_end_first);
  header->kind = HL_PICTURE_TIFF;
  header->width = header->height = 0;
  header->pixel_bytes = 4;
  for (guint32 entry = 0; entry < n_entries; entry++) {
    if (!read_bytes (source, at + 2 + 12 * (guint64)entry, 12, bytes))
      return CUT_OFF;
    guint32 tag = number (bytes, 2, big_end_first), type = number (bytes + 2, 2, big_end_first);
    guint32 count = number (bytes + 4, 4, big_end_first);
    guint32 value = number (bytes + 8, type == TIFF_SHORT ? 2 : 4, big_end_first);
    if (type != TIFF_SHORT && type != TIFF_LONG)
      continue;
    if (tag == TIFF_WIDTH)
      header->width = MAX (header->width, value);
    if (tag == TIFF_HEIGHT)
      header->height = MAX (header->height, value);
    if (tag == TIFF_DEPTH && has_deep_samples (source, bytes + 8, count, big_end_first))
      header->pixel_bytes = 16;
  }
  return FOUND;
}

static Answer read_any (const Source *source, HlPictureHeader *header) {
  guint8 magic[8];

  if (!read_bytes (source, 0, sizeof magic, magic))
    return NO_PICTURE;
  if (memcmp (magic, "\x89PNG\r\n\x1a\n", 8) == 0)
    return read_png (source, header);
  if (magic[0] == 0xff && magic[1] == 0xd8)
    return read_jpeg (source, header);
  if (memcmp (magic, "II*\0", 4) == 0)
    return read_tiff (source, FALSE, header);
  if (memcmp (magic, "MM\0*", 4) == 0)
    return read_tiff (source, TRUE, header);
  return NO_PICTURE;
}

/* --- the answer --- */

static gboolean read_header (const Source *source, const char *name, HlPictureHeader *header,
                             GError **error) {
  Answer answer = read_any (source, header);

  if (answer == FOUND && (header->width == 0 || header->height == 0))
    answer = NO_PICTURE;
  if (answer != FOUND) {
    g_set_error (
        error, HL_ERROR, HL_ERROR_FILE,
        answer == CUT_OFF
            ? _ ("%s: the picture file is incomplete; use a complete copy")
            : _ ("%s: the file is not a PNG, JPEG or TIFF picture; save the picture in one of these formats"),
        name);
    return FALSE;
  }
  double pixels = (double)header->width * header->height;
  if (pixels * header->pixel_bytes <= HL_PICTURE_MOST_BYTES)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FILE,
               _ ("%s: the picture has %u × %u pixels, which is too large; reduce the picture to at most "
                  "%.0f million pixels"),
               name, header->width, header->height, 1e-6 * HL_PICTURE_MOST_BYTES / header->pixel_bytes);
  return FALSE;
}

gboolean hl_picture_header_parse (const guint8 *bytes, gsize length, const char *name,
                                  HlPictureHeader *header, GError **error) {
  static const guint8 nothing[1];
  Source source = {bytes != NULL ? bytes : nothing, length, -1};

  return read_header (&source, name, header, error);
}

gboolean hl_picture_header_load (const char *path, HlPictureHeader *header, GError **error) {
  int descriptor = hl_file_open_regular (path, NULL, error);

  if (descriptor < 0)
    return FALSE;
  Source source = {NULL, 0, descriptor};
  gboolean ok = read_header (&source, path, header, error);
  close (descriptor);
  return ok;
}
