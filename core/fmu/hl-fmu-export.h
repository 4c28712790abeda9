/* SPDX-License-Identifier: MIT */
/* Exports a model for other programs: as an FMU of FMI 3.0 or 2.0, or as an SSP with one FMU. */
#pragma once

#include "core/document/hl-document.h"
#include "core/fmu/hl-fmu.h"

#include <glib.h>

/* The shared objects of an FMU, by C compilers. */

/* A machine that binaries are compiled for: this one, and those that a cross compiler knows. */
typedef struct {
  const char *name;         /* of FMI 3.0, "x86_64-linux": the folder below binaries/ */
  const char *folder_2;     /* that of FMI 2.0, "linux64"; NULL: it names none */
  const char *ending;       /* of a shared object, ".so" */
  const char *compilers[4]; /* the first one that is found compiles; NULL behind the last */
  const char *package;      /* of Debian, which contains one of them */
} HlFmuPlatform;

#define HL_FMU_WINDOWS "x86_64-windows"
/* NULL-named behind the last one. */
extern const HlFmuPlatform hl_fmu_platforms[];
/* Returns this machine; NULL: FMI has no name for it. */
const HlFmuPlatform *hl_fmu_own_platform (void);
/* Returns the platform of that name; NULL: none of them. */
const HlFmuPlatform *hl_fmu_platform_find (const char *name);
/* Returns whether a compiler for it is found. */
gboolean hl_fmu_platform_has_compiler (const HlFmuPlatform *platform);
/* Asked while the compiler works; NULL: never. */
typedef gboolean (*HlFmuStop) (gpointer data);
/* Compiles all.c of files (name below sources/ to GBytes) with the headers of FMI; NULL and an error
 * when there is no compiler, when it refuses, or HL_ERROR_CANCELLED when it is stopped: then it is ended,
 * and nothing of it is left. Owned by the caller. */
GBytes *hl_fmu_compile (GHashTable *files, const HlFmuPlatform *platform, HlFmuStop is_stopped, gpointer data,
                        GError **error);

typedef struct {
  const char *title;         /* source of the model identifier: the file's name without extension */
  const char *const *inputs; /* paths of signals that become inputs, NULL-terminated; or NULL */
  gboolean has_binary;       /* with binaries/ where a C compiler is found */
  /* of these, NULL-terminated: an error where no compiler is found; NULL: this machine, if it has one */
  const char *const *platforms;
  gboolean is_ssp;
  HlFmiVersion version;
  HlFmuStop is_stopped; /* by the data of the notes; or NULL */
} HlFmuExportOptions;

/* Receives remarks of the export: lines of text, NULL-terminated, for example that there is no compiler. */
typedef void (*HlFmuNote) (const char *text, gpointer data);

/* Returns the bytes of the file. Errors: HL_ERROR_MODEL the errors of `validate`, HL_ERROR_USAGE an unknown input,
 * HL_ERROR_FAILED what cannot be exported, with the element and a remedy, HL_ERROR_CANCELLED. */
GBytes *hl_fmu_export (const HlDocument *document, const HlFmuExportOptions *wish, HlFmuNote note,
                       gpointer data, GError **error);

/* The XML files of an FMU. */

/* Optional capabilities of the C code of the FMU. */
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
  HlFmiVersion version;
  HlFmuAbilities can;
} HlFmuDescription;

/* Returns modelDescription.xml; owned by the caller. */
char *hl_fmu_describe_model (const HlFmuDescription *d);

/* Hose ends for other programs: where oil comes from outside. */

/* Returns the model with a flow source of no flow on each place (NULL-terminated, or NULL), a port,
 * "cyl.B", or a line: in an FMU its flow, "cyl_B_hose.flow", is an input, and with the pressure of the
 * line a terminal. A port that is not connected gets a line; if the oil model needs a volume, the line
 * gets the one that `validate` proposes. A note reports each. Errors begin with the place: HL_ERROR_USAGE
 * no such port or line; HL_ERROR_FAILED what keeps the pressure of the line, so that no flow has an
 * effect. */
HlDocument *hl_fmu_with_hoses (const HlDocument *document, const char *const *places, HlFmuNote note,
                               gpointer data, GError **error);

typedef struct {
  char *name;   /* a place that hl_fmu_with_hoses () takes: a line, or a port that is on none */
  char *ports;  /* ports on the line, "cyl.A, dcv.A"; NULL: it is a port */
  char *keeper; /* the element that prescribes the pressure there and so excludes a hose; NULL: none */
} HlFmuHosePlace;

/* Returns the reason why a line cannot have a hose: `keeper` prescribes its pressure. Owned by the caller. */
char *hl_fmu_hose_why_not (const char *keeper);

/* Returns every line, then every port that is not connected, in the order of the document. Owned by the
 * caller. */
GPtrArray *hl_fmu_hose_places (const HlDocument *document);
