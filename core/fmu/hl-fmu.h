/* SPDX-License-Identifier: MIT */
/* A system as an FMU: the table of its variables, and the C sources that compute them. */
#pragma once

#include <glib.h>

#include "core/document/hl-document.h"
#include "core/system/hl-system.h"

typedef enum { HL_FMI_3, HL_FMI_2 } HlFmiVersion;

typedef enum {
  HL_FMU_TIME,
  HL_FMU_STATE,
  HL_FMU_DERIVATIVE,
  HL_FMU_INPUT,
  HL_FMU_PARAMETER,
  HL_FMU_OUTPUT,
  HL_FMU_LOCAL,
  HL_FMU_INDICATOR,
  HL_FMU_CALCULATED
} HlFmuRole;

/* One scalar Float64 variable; index counts within its role: state and derivative in the order of the
 * system's state vector, input in the order of the signals given in, parameter in the order of the
 * system's numbers that can be re-parameterised, output a probe, local an observable path, indicator
 * an event indicator, calculated a number that follows from parameters. */
typedef struct {
  guint32 reference;
  HlFmuRole role;
  guint32 index;
  char *name;
  char *path;
  char *description;
  const char *unit;         /* as in the XML, NULL: a pure number; interned */
  const char *display_unit; /* NULL: none; interned */
  const char *quantity;     /* "Pressure"; NULL: not known */
  gboolean tunable;
  double start, nominal, minimum, maximum;
  double least, most; /* of a parameter: the range of its law, even if a slider has a smaller one */
} HlFmuVariable;

typedef struct {
  HlFmuVariable *items;
  gsize n;
  gsize n_states, n_inputs, n_parameters, n_outputs, n_locals, n_indicators;
} HlFmuTable;

/* Returns all variables of a compiled document. `work` stands in the partition that the FMU starts in,
 * `start` is the point it starts at, of the same system. References are places in the table. NULL with the
 * element that cannot be exported. Owned by the caller. */
HlFmuTable *hl_fmu_table_new (const HlDocument *document, const HlSystem *sys, const HlWork *work,
                              const HlPoint *start, GError **error);
void hl_fmu_table_free (HlFmuTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFmuTable, hl_fmu_table_free)

/* Names used in the sources of an FMU. */
typedef struct {
  HlFmiVersion version;
  const char *identifier; /* a C identifier */
  const char *token;      /* token compared at instantiation */
} HlFmuInterface;

/* Writes the texts under sources/, name to text (GBytes), for a compiled system and its start point; all.c is
 * the one file to compile. Of a variable of the table, reference, role, index, name and path are read; a path
 * is one of the system's (an input: hl_system_input_name (), a parameter: hl_system_find_parameter (), an
 * output or a local: hl_observable_find ()). FALSE with the element's name if a variable cannot be exported.
 * *files is owned by the caller. */
gboolean hl_fmu_sources (const HlFmuTable *table, const HlSystem *sys, const HlPoint *start,
                         const HlFmuInterface *interface, GHashTable **files, GError **error);
/* Returns the states at the start, in the order and the frame of the FMU's, and their natural sizes (or
 * NULL): y[hl_fmu_n_states ()], nominals[hl_fmu_n_states ()]. FALSE where the linkage has no partition
 * there. */
int hl_fmu_n_states (const HlSystem *sys, const HlPoint *start);
gboolean hl_fmu_start_states (const HlSystem *sys, const HlPoint *start, double y[], double nominals[],
                              GError **error);
/* Returns the formulation that an FMU is made of where the oil is not the lumped one, NULL: it is. Such an
 * FMU has Co-Simulation alone, and no variables that are states. */
const struct HlSimForm *hl_fmu_form (const HlSystem *sys);
/* Returns the number of event indicators of the code inside, and the meaning of each, "dcv: check valve 1"; owned by
 * the caller. */
int hl_fmu_n_indicators (const HlSystem *sys);
char *hl_fmu_indicator_name (const HlSystem *sys, int indicator);

/* The sources that go into every FMU, made by inside.py when the program is built. */

typedef struct {
  const char *name; /* below sources/ */
  const char *text;
  /* of the quasistatic oil alone: q, of the hybrid one: h; of large machines alone: l, of the others: s; else 0 */
  char wing;
} HlFmuText;

/* Texts that the program carries with it: its licence, and the headers of FMI. NULL behind the last name. */
typedef struct {
  const char *name;
  const char *text;
} HlFmuKept;

extern const HlFmuKept hl_fmu_kept[];
/* Returns the text of that name, which must be one of them. */
const char *hl_fmu_kept_text (const char *name);

extern const HlFmuText hl_fmu_texts[];
extern const int hl_n_fmu_texts;
