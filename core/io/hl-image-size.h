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

/* Parses the first bytes[length] of a file. FALSE and HL_ERROR_FILE when it is not a PNG, JPEG or TIFF, when
 * it ends before its size is stated, or when the picture needs more than HL_PICTURE_MOST_BYTES. `name` starts
 * the message. */
gboolean hl_picture_header_parse (const guint8 *bytes, gsize length, const char *name,
                                  HlPictureHeader *header, GError **error);
/* Loads the header of a file, of which only the necessary bytes are read. */
gboolean hl_picture_header_load (const char *path, HlPictureHeader *header, GError **error);
