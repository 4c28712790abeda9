/* SPDX-License-Identifier: MIT */
/* A model as a file for other programs: an FMU of FMI 3.0, or an SSP around one. */
#pragma once

#include "core/document/hl-document.h"
#include "core/fmu/hl-fmu.h"

#include <glib.h>

/* The shared object for this machine, by its C compiler. */

/* The folder below binaries/ for this machine, "x86_64-linux"; NULL: none that FMI names. */
const char *hl_fmu_platform (void);
/* Asked while the compiler works; NULL: never. */
typedef gboolean (*HlFmuStop) (gpointer data);
/* Compiles all.c of files (name below sources/ to GBytes) with the headers of FMI; NULL and an error
 * when there is no compiler, when it refuses, or HL_ERROR_CANCELLED when it is stopped: then it is ended,
 * and nothing of it is left. Owned by the caller. */
GBytes *hl_fmu_compile (GHashTable *files, HlFmuStop is_stopped, gpointer data, GError **error);

/* Texts that the program carries with it: its licence, and the headers of FMI 3.0 for a binary of its own. */

typedef struct {
  const char *name;
  const char *text;
} HlFmuKept;

/* NULL behind the last name. */
extern const HlFmuKept hl_fmu_kept[];

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

/* Hose ends for other programs: where oil comes from outside. */

/* The model with a flow source of no flow on each place (NULL-terminated, or NULL), a port, "cyl.B", or a
 * line: in an FMU its flow, "cyl_B_hose.flow", is an input, and with the pressure of the line a terminal.
 * A port that is on no line gets one; where the oil asks for a volume, that which `validate` offers. A note
 * reports each. Errors begin with the place: HL_ERROR_USAGE no such port or line; HL_ERROR_FAILED what
 * keeps the pressure of the line, so that no flow has an effect. */
HlDocument *hl_fmu_with_hoses (const HlDocument *document, const char *const *places, HlFmuNote note,
                               gpointer data, GError **error);

typedef struct {
  char *name;   /* a place that hl_fmu_with_hoses () takes: a line, or a port that is on none */
  char *ports;  /* what the line joins, "cyl.A, dcv.A"; NULL: it is a port */
  char *keeper; /* what keeps the pressure there, so that it takes no hose; NULL: nothing does */
} HlFmuHosePlace;

/* Why a line whose pressure `keeper` keeps takes no hose; owned by the caller. */
char *hl_fmu_hose_why_not (const char *keeper);

/* Every line, then every port that is on none, in the order of the document; owned by the caller. */
GPtrArray *hl_fmu_hose_places (const HlDocument *document);
