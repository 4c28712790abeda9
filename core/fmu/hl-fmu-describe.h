/* SPDX-License-Identifier: MIT */
/* The XML files of an FMU. */
#pragma once

#include "core/fmu/hl-fmu.h"

/* What the C code inside offers beyond what the standard demands. */
typedef struct {
  gboolean model_exchange, co_simulation;
  gboolean state;       /* fmi3GetFMUState and its kin, bytes as well */
  gboolean derivatives; /* directional and adjoint */
  gboolean event_mode;  /* of co-simulation */
  gboolean early_return;
  double step; /* fixed, of co-simulation; 0: as it likes [s] */
} HlFmuAbilities;

/* Of what hl_fmu_sources () writes. */
HlFmuAbilities hl_fmu_abilities (const HlSystem *sys);

typedef struct {
  const HlDocument *document;
  const HlSystem *sys;
  const HlWork *work;
  const HlFmuTable *table;
  const char *identifier; /* a C identifier */
  const char *token;      /* NULL: left away */
  HlFmuAbilities can;
} HlFmuDescription;

/* modelDescription.xml, sources/buildDescription.xml and terminalsAndIcons/terminalsAndIcons.xml, the last
 * NULL where nothing is to be joined. Owned by the caller. */
char *hl_fmu_describe_model (const HlFmuDescription *d);
char *hl_fmu_describe_build (const HlFmuDescription *d);
char *hl_fmu_describe_terminals (const HlFmuDescription *d);
