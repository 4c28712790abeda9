/* SPDX-License-Identifier: MIT */
/* Document to system: the only place that sees both. */
#pragma once

#include "core/document/hl-check.h"
#include "core/document/hl-document.h"
#include "core/system/hl-system.h"

/* Compiles; returns an owned system (reference count 1), or NULL when findings hold an error.
 * Findings collects the structural findings of hl_check () and those that need mathematics
 * (assembly, rank, stroke, volumes), each addressed to an id. */
HlSystem *hl_compile (const HlDocument *doc, HlFindings *findings);

/* English sentence for a fault, "Cylinder ‘boom’: ...": what is wrong and what would mend it. Owned
 * by the caller (g_free). */
char *hl_fault_message (const HlSystem *sys, const HlFault *fault);
