/* SPDX-License-Identifier: MIT */
/* Document to system: the only place that sees both. */
#pragma once

#include "core/edit/hl-check.h"
#include "core/document/hl-document.h"
#include "core/system/hl-system.h"

/* Compiles; returns an owned system (reference count 1), or NULL when findings hold an error that
 * bars everything. That the oil model of the file cannot run the drawing is an error as well
 * (HL_BARS_OIL, HL_BARS_RUN), but the system is there for the other oils.
 * Findings collects the structural findings of hl_check_document () and those that need mathematics
 * (assembly, rank, stroke, volumes), each addressed to an id. */
HlSystem *hl_compile (const HlDocument *doc, HlFindings *findings);

/* What keeps an oil model from running the system, as errors that bar that oil or runs in it, and
 * what it takes for granted. Nothing for the lumped one, which runs whatever compiles. The
 * structure of document and system must belong together. */
void hl_compile_verify_oil (const HlDocument *doc, HlSystem *sys, HlModelKind model, HlFindings *findings);

/* English sentence for a fault, "Cylinder ‘boom’: ...": what is wrong and what would mend it. Owned
 * by the caller (g_free). */
char *hl_fault_message (const HlSystem *sys, const HlFault *fault);
