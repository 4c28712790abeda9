/* SPDX-License-Identifier: MIT */
/* Any bytes as a photograph's file: refused with a word, or of a size that memory holds. */
#include "core/base/hl-error.h"
#include "core/io/hl-image-size.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  HlPictureHeader header = {0};
  g_autoptr (GError) error = NULL;

  if (hl_picture_header_parse (data, size, "fuzz", &header, &error)) {
    g_assert_no_error (error);
    g_assert_cmpuint (header.width, >, 0);
    g_assert_cmpuint (header.height, >, 0);
    g_assert_cmpfloat ((double)header.width * header.height * header.pixel_bytes, <=, HL_PICTURE_MOST_BYTES);
  } else
    g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  return 0;
}
