/* SPDX-License-Identifier: MIT */
/* Errors that the library gives away: behind the end of each text stands what kind of failure it tells of,
 * for the project's own programs, which end with another status for a bad file than for work that
 * failed. */
#include "core/api/hl-api-private.h"

#include <string.h>

void hydrolink_free (char *text) {
  g_free (text);
}

int hl_api_say (HlErrorCode code, char *text, char **error) {
  if (error != NULL) {
    gsize size = strlen (text) + 1;
    *error = g_malloc (size + 1);
    memcpy (*error, text, size);
    (*error)[size] = (char)code;
  }
  g_free (text);
  return FALSE;
}

int hl_api_fail (GError *why, char **error) {
  hl_api_say (why != NULL ? (HlErrorCode)why->code : HL_ERROR_FAILED,
              g_strdup (why != NULL ? why->message : "it failed"), error);
  g_clear_error (&why);
  return FALSE;
}

gboolean hl_api_raise (char *text, GError **error) {
  g_set_error_literal (error, HL_ERROR, text[strlen (text) + 1], text);
  hydrolink_free (text);
  return FALSE;
}
