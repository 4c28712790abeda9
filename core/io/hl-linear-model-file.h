/* SPDX-License-Identifier: MIT */
/* The linear model as files that other programs read: JSON, CSV, MAT, a script for MATLAB and GNU
 * Octave, a script for Python with python-control. All carry names, SI units and the point. */
#pragma once

#include "core/hybrid/hl-hybrid-linearization.h"
#include "core/document/hl-document.h"

typedef struct {
  char *name, *unit;
} HlSheetEntry;

typedef struct {
  HlArena arena;         /* of itself, its entries and texts */
  char *title;           /* of the document */
  HlSheetEntry *states;  /* n of the model */
  HlSheetEntry *inputs;  /* n_inputs: n_signals inputs, then disturbances, the pressures of pumps */
  HlSheetEntry *outputs; /* n_outputs: the probes of the document that a run has */
  HlLinearModel *model;  /* its n_signals inputs stand first: signals and, of the hybrid oil, their rates */
} HlLinearSheet;

/* Returns where the columns and numbers of the disturbances begin: E after B, F after D, d0 after u0. */
const double *hl_linear_sheet_disturbances (const HlLinearSheet *sheet, char letter);

/* Returns the probes of the document as outputs. NULL and a fault when there is no linear model there. */
HlLinearSheet *hl_linear_sheet_new (const HlDocument *document, const HlSystem *sys, HlWork *work,
                                    const HlPoint *point, HlFault *fault);
/* Returns the same where the point has been linearized in the coordinates of the rule. */
HlLinearSheet *hl_linear_sheet_new_of (const HlDocument *document, const HlSystem *sys, HlWork *work,
                                       const HlPoint *point, const HlLinearization *lin, HlFault *fault);
/* Returns the same of a mode of the hybrid model (hl-hybrid-linearization.h). */
HlLinearSheet *hl_linear_sheet_new_hybrid (const HlDocument *document, const HlSystem *sys,
                                           const HlHybridPlace *place, const HlHybridChoice *choice,
                                           HlFault *fault);
void hl_linear_sheet_free (HlLinearSheet *sheet);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLinearSheet, hl_linear_sheet_free)

/* Saves in the format of the name: .json .csv .mat .m .py; HL_ERROR_USAGE for another one. */
gboolean hl_linear_sheet_save (const HlLinearSheet *sheet, const char *path, GError **error);

/* Returns the texts, owned by the caller. Scripts leave out outputs without a simple tangent and say so. */
char *hl_linear_sheet_json (const HlLinearSheet *sheet);
char *hl_linear_sheet_csv (const HlLinearSheet *sheet);
char *hl_linear_sheet_octave (const HlLinearSheet *sheet);
char *hl_linear_sheet_python (const HlLinearSheet *sheet);
