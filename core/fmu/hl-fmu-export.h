/* SPDX-License-Identifier: MIT */
/* A model as a file for other programs: an FMU of FMI 3.0, or an SSP around one. */
#pragma once

#include "core/document/hl-document.h"
#include "core/fmu/hl-fmu-binary.h"
#include "core/fmu/hl-fmu.h"

typedef struct {
  const char *title;         /* what the model identifier is made of: the file's name without its end */
  const char *const *inputs; /* paths of signals that become inputs, NULL-terminated; or NULL */
  gboolean has_binary;       /* where a C compiler is found, with binaries/ for this machine */
  gboolean is_ssp;
  HlFmuStop is_stopped; /* by the data of the notes; or NULL */
} HlFmuWish;

/* What the export says besides: lines of text, NULL-terminated, e.g. that there is no compiler. */
typedef void (*HlFmuNote) (const char *text, gpointer data);

/* The bytes of the file. Errors: HL_ERROR_MODEL what `validate` tells, HL_ERROR_USAGE an unknown input,
 * HL_ERROR_FAILED what cannot be exported, with the element and a way out,
 * HL_ERROR_CANCELLED. */
GBytes *hl_fmu_export (const HlDocument *document, const HlFmuWish *wish, HlFmuNote note, gpointer data,
                       GError **error);

/* The XML files of an FMU. */

/* What the C code inside offers beyond what the standard demands. */
typedef struct {
  gboolean model_exchange, co_simulation;
  gboolean state;       /* fmi3GetFMUState and its kin, bytes as well */
  gboolean derivatives; /* directional and adjoint */
  gboolean event_mode;  /* of co-simulation */
  gboolean early_return;
  double step; /* fixed, of co-simulation; 0: as it likes [s] */
} HlFmuAbilities;

typedef struct {
  const HlDocument *document;
  const HlSystem *sys;
  const HlWork *work;
  const HlFmuTable *table;
  const char *identifier; /* a C identifier */
  const char *token;      /* NULL: left away */
  HlFmuAbilities can;
} HlFmuDescription;
