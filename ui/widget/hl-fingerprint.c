/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-fingerprint.h"

#include <math.h>
#include <string.h>

guint64 hl_fingerprint_text (guint64 print, const char *text) {
  /* FNV-1a */
  for (; text != NULL && *text != '\0'; text++)
    print = (print ^ (guchar)*text) * G_GUINT64_CONSTANT (1099511628211);
  return (print ^ 0xff) * G_GUINT64_CONSTANT (1099511628211);
}

guint64 hl_fingerprint_number (guint64 print, double number, double step) {
  double steps = isfinite (number) ? round (number / step) : 0.5;
  guint64 bits;
  memcpy (&bits, &steps, sizeof bits);
  return (print ^ bits ^ (bits >> 29)) * G_GUINT64_CONSTANT (1099511628211);
}
