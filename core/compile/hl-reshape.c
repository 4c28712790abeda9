/* SPDX-License-Identifier: MIT */
#include "core/compile/hl-reshape.h"

#include "core/compile/hl-compile.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

HlDocument *hl_reshape_document (const HlDocument *document, const char *const *paths, const double *factors,
                                 double value) {
  HlDocument *changed = hl_document_ref (document);

  for (int k = 0; changed != NULL && paths[k] != NULL; k++) {
    double factor = factors != NULL ? factors[k] : 1.0;
    HlDocument *next = hl_document_with_number (changed, paths[k], value * factor, NULL);
    hl_document_unref (changed);
    changed = next;
  }
  return changed;
}

static bool has_states_of (const HlSystem *sys, const HlSystem *like) {
  return sys->mech.n_bodies == like->mech.n_bodies && sys->n_pressures == like->n_pressures &&
         sys->topology->n_states_u == like->topology->n_states_u;
}

HlSystem *hl_reshape_system (const HlDocument *document, const HlSystem *like, HlFault *fault) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);

  if (sys != NULL && has_states_of (sys, like))
    return sys;
  if (sys != NULL)
    hl_system_unref (sys);
  hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_NONE, -1, 0.0);
  return NULL;
}

static int column_of (const HlWork *work, int k) {
  return k < work->f ? work->ai_column[k] : work->ad_column[k - work->f];
}

HlReshapeColumns hl_reshape_note_columns (const HlWork *work, HlArena *arena) {
  HlReshapeColumns kept = {.n = work->f + work->l};

  kept.columns = hl_arena_take (arena, kept.n, sizeof (int));
  for (int k = 0; k < kept.n; k++)
    kept.columns[k] = column_of (work, k);
  return kept;
}

HlStatus hl_reshape_keep_columns (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                  const HlReshapeColumns *kept, HlFault *fault) {
  bool is_same = work->f + work->l == kept->n;

  for (int k = 0; is_same && k < kept->n; k++)
    is_same = kept->columns[k] == column_of (work, k);
  if (is_same)
    return HL_OK;
  return hl_partition_choose (sys, work, point->x, HL_PARTITION_WISHED, kept->columns, kept->n, fault);
}
