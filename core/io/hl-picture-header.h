/* SPDX-License-Identifier: MIT */
/* Size of a picture after decoding, from the first bytes of its file: a PNG of a few kilobytes may unfold to gigabytes. */
#pragma once

#include <glib.h>

#define HL_PICTURE_MOST_BYTES 400e6 /* decoded: 100 million pixels of four bytes */

typedef enum { HL_PICTURE_PNG, HL_PICTURE_JPEG, HL_PICTURE_TIFF } HlPictureKind;

typedef struct {
  HlPictureKind kind;
  guint32 width, height; /* pixels, > 0 */
  guint pixel_bytes;     /* of one decoded pixel: 4, or more where samples are deeper than 8 bits */
} HlPictureHeader;

/* Of bytes[length] that a file begins with. FALSE and HL_ERROR_FILE when it is no PNG, JPEG or
 * TIFF, when it ends before it says its size, or when it would unfold to more than
 * HL_PICTURE_MOST_BYTES. `name` starts the message. */
gboolean hl_picture_header_parse (const guint8 *bytes, gsize length, const char *name,
                                  HlPictureHeader *header, GError **error);
/* Of a file, of which only the few bytes are read that say it. */
gboolean hl_picture_header_load (const char *path, HlPictureHeader *header, GError **error);
