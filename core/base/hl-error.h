/* SPDX-License-Identifier: MIT */
/* The error domain of all code that uses GLib. */
#pragma once

#include <glib.h>

#define HL_ERROR (hl_error_quark ())
/* Returns the domain of all errors of core. */
GQuark hl_error_quark (void);

typedef enum {
  HL_ERROR_FILE,    /* cannot be read or written */
  HL_ERROR_SYNTAX,  /* not JSON, or not the JSON of a model file */
  HL_ERROR_VERSION, /* written by a newer program */
  HL_ERROR_MODEL,   /* the model is wrong: names the element */
  HL_ERROR_USAGE,   /* bad command line, unknown path or name */
  HL_ERROR_FAILED,  /* the work itself failed: no equilibrium, solver failed */
  HL_ERROR_CANCELLED
} HlErrorCode;
