/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-case-subset.h"

#include <stdio.h>

static void read_share (guint *part, guint *n_parts) {
  const char *said = g_getenv ("HL_SHARE");

  *part = *n_parts = 1;
  if (said != NULL && (sscanf (said, "%u/%u", part, n_parts) != 2 || *part == 0 || *part > *n_parts))
    g_error ("HL_SHARE is K/N, not “%s”", said);
}

gboolean hl_case_share_takes (guint index) {
  guint part, n_parts;

  read_share (&part, &n_parts);
  return index % n_parts == part - 1;
}

guint hl_share_of (guint count) {
  guint part, n_parts;

  read_share (&part, &n_parts);
  return count / n_parts;
}
