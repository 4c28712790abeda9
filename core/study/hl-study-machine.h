/* SPDX-License-Identifier: MIT */
/* What a study measures of a machine besides its probes: energies by element, and at its start the
 * eigenvalues, modes and margins of the linearized lumped model. */
#pragma once

#include "core/document/hl-document.h"
#include "core/study/hl-study.h"
#include "core/system/hl-system.h"

/* Whether the machine has what the measure asks for; FALSE: HL_ERROR_USAGE. Probes are not looked
 * at. */
gboolean hl_study_machine_knows (const HlDocument *document, const HlSystem *system, const HlMeasure *measure,
                                 GError **error);
/* Energy [J] of the element of the measure: energies[3 * hl_power_n_parts ()] as
 * HlSimOptions.parts gives them. */
double hl_study_machine_energy (const HlSystem *system, const HlMeasure *measure, const double energies[]);
/* Fills measured[n_measures] where the measure is one of the start. NULL, or what went wrong; owned by
 * the caller. */
char *hl_study_machine_measure (const HlSystem *system, const HlStudy *study, const HlDocument *document,
                                double measured[]);
