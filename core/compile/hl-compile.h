/* SPDX-License-Identifier: MIT */
/* Compiles a document to a system: the only code that uses both. */
#pragma once

#include "core/base/hl-json-value.h"
#include "core/document/hl-document.h"
#include "core/edit/hl-document-check.h"
#include "core/mech/hl-joint.h"
#include "core/system/hl-system.h"

/* Compiles; returns an owned system (reference count 1), or NULL when findings hold an error that
 * bars everything. That the oil model of the file cannot run the drawing is an error as well
 * (HL_BARS_OIL, HL_BARS_RUN), but the system is there for the other oils.
 * Findings collects the structural findings of hl_check_document () and those that need mathematics
 * (assembly, rank, stroke, volumes), each addressed to an id. */
HlSystem *hl_compile (const HlDocument *doc, HlFindings *findings);

/* Adds findings for an oil model: errors for what the model cannot run, and notes on its assumptions. The
 * lumped model runs every system that compiles, so it has none. The structure of document and system must
 * belong together. */
void hl_compile_verify_oil (const HlDocument *doc, HlSystem *sys, HlModelKind model, HlFindings *findings);

/* Returns the English sentence for a fault, "Cylinder ‘boom’: ...": what is wrong and what would mend it.
 * Owned by the caller (g_free). */
char *hl_fault_message (const HlSystem *sys, const HlFault *fault);

/* The graph of a signal of a document, for a picture of it. */

/* Returns its value at the start; NAN when it is no whole signal. */
double hl_signal_start (const HlValue *signal);

/* Returns the number of points of the graph from 0 to `end` [s]; a jump is two points of one time; 0 for an
 * incomplete signal. *t and *y are owned by the caller. */
int hl_signal_curve (const HlValue *signal, double end, double **t, double **y);

/* From a joint of the document to its constraint rows: for the compile step, and for tools that
 * move a linkage whose document is not whole yet. */

/* Fills the rows of one joint; returns how many, 0 when the joint names what is not there, lacks a
 * number or is of an unknown kind. */
int hl_joint_rows (const HlDocument *doc, int joint, HlRow rows[HL_JOINT_MOST_ROWS]);

/* Parts of the sentence that hl_fault_message () makes of a fault. */

/* Returns the text of a fault without the name of the element. Owned by the caller (g_free). */
char *hl_fault_what (const HlSystem *sys, const HlFault *fault);
/* Returns the advice that removes a fault. */
const char *hl_fault_advice (const HlFault *fault);

/* Numbers that shape the model (points, axes, amplitudes of signals) cannot be changed in a
 * compiled system. Sweeps over them compile the document anew at every value, as long as the result
 * has the same bodies and states, and continue in the same coordinates. */

/* Returns the document with every path set to value times its own of factors[paths] (NULL: 1 each); NULL when
 * one cannot take it. A new reference. */
HlDocument *hl_reshape_document (const HlDocument *document, const char *const *paths, const double *factors,
                                 double value);

/* Returns the compiled system if it has as many bodies, pressures and spools as `like`; NULL and a fault
 * otherwise. */
HlSystem *hl_reshape_system (const HlDocument *document, const HlSystem *like, HlFault *fault);

/* The independent coordinates of a partition, positions first. */
typedef struct {
  int *columns; /* n */
  int n;
} HlReshapeColumns;

/* Returns the global columns that are independent, then those that are admissible, in the present
 * partition; they stay in the arena. */
HlReshapeColumns hl_reshape_note_columns (const HlWork *work, HlArena *arena);
/* Keeps the earlier coordinates where the rule of the file format would now choose others at the point.
 * HL_SINGULAR when that is impossible. */
HlStatus hl_reshape_keep_columns (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                  const HlReshapeColumns *kept, HlFault *fault);
