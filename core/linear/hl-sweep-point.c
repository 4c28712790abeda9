/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-sweep-point.h"

#include <math.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/linear/hl-linearize.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-state-rank-scale.h"
#include "core/system/hl-system-private.h"

struct HlSweepPoint {
  HlArena arena;            /* of itself and its arrays */
  HlSystem *sys;            /* a copy whose parameters are changed, or compiled anew */
  HlWork *work;             /* of that system */
  HlPoint *point, *last;    /* at hand; the last good one */
  HlPoint *own;             /* at the model's own values */
  HlStart start;            /* start of the search at every value */
  HlEigen *eigen;           /* of the last eval */
  int n;                    /* states */
  HlReshapeColumns columns; /* independent coordinates of the first point, kept all along */
  double *y, *J, *scale;    /* n, n x n, n: of the last eval */
  bool stays;               /* `last` is the base, all along */
  HlDocument *document;     /* or NULL */
  /* the first system and document, for a rewind: numbers that are set back may round */
  HlSystem *first;
  HlDocument *first_document;
  bool is_stale; /* the document is ahead of the system */
};

bool hl_sweep_parameter_accepts (const HlSweepParameter *parameter, double value) {
  return isfinite (value) && ((parameter->low == 0.0 && parameter->high == 0.0) ||
                              (value >= parameter->low && value <= parameter->high));
}

/* ---- making ---- */

/* Takes the system. */
static HlSweepPoint *make_point (HlSystem *sys, HlStart start, HlFault *fault) {
  HlArena own = {0};
  HlSweepPoint *sweep = hl_arena_take (&own, 1, sizeof *sweep);
  HlArena *arena = &sweep->arena;

  *arena = own;
  sweep->first = sys;
  sweep->sys = hl_system_copy (sys);
  sweep->work = hl_work_new (sweep->sys);
  sweep->point = hl_point_new (sweep->sys);
  sweep->last = hl_point_new (sweep->sys);
  sweep->start = start == HL_START_FROM_MODEL ? (HlStart)sys->start : start;
  if (hl_start_point (sweep->sys, sweep->work, sweep->start, NULL, sweep->point, NULL, fault) != HL_OK) {
    hl_sweep_point_free (sweep);
    return NULL;
  }
  hl_point_copy (sweep->sys, sweep->last, sweep->point);
  sweep->own = hl_point_new (sweep->sys);
  hl_point_copy (sweep->sys, sweep->own, sweep->point);
  int n = sweep->n = sweep->work->n_states;
  sweep->eigen = hl_eigen_new (sweep->n);
  sweep->y = hl_arena_take (arena, n, sizeof (double));
  sweep->J = hl_arena_take (arena, n, (size_t)n * sizeof (double));
  sweep->scale = hl_arena_take (arena, n, sizeof (double));
  sweep->columns = hl_reshape_note_columns (sweep->work, arena);
  hl_state_scales (sweep->sys, sweep->work, sweep->scale);
  hl_state_pack (sweep->sys, sweep->work, sweep->point, sweep->y);
  hl_jacobian_row_error (sweep->sys, sweep->work, 0.0, sweep->y, sweep->scale, sweep->J);
  hl_eigen_set_row_error (sweep->eigen, sweep->n, sweep->J);
  return sweep;
}

HlSweepPoint *hl_sweep_point_new (const HlSystem *sys, HlStart start, HlFault *fault) {
  return make_point (hl_system_copy (sys), start, fault);
}

static HlSystem *compile_document (const HlDocument *document) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  return hl_compile (document, findings);
}

HlSweepPoint *hl_sweep_point_new_of_document (const HlDocument *document, HlStart start, HlFault *fault) {
  HlSystem *sys = compile_document (document);

  if (sys == NULL) {
    hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_NONE, -1, 0.0);
    return NULL;
  }
  HlSweepPoint *sweep = make_point (sys, start, fault);
  if (sweep != NULL) {
    sweep->document = hl_document_ref (document);
    sweep->first_document = hl_document_ref (document);
  }
  return sweep;
}

void hl_sweep_point_free (HlSweepPoint *sweep) {
  if (sweep == NULL)
    return;
  if (sweep->eigen != NULL)
    hl_eigen_free (sweep->eigen);
  hl_point_free (sweep->point);
  hl_point_free (sweep->last);
  hl_point_free (sweep->own);
  hl_work_free (sweep->work);
  hl_system_unref (sweep->sys);
  hl_system_unref (sweep->first);
  if (sweep->document != NULL) {
    hl_document_unref (sweep->document);
    hl_document_unref (sweep->first_document);
  }
  HlArena arena = sweep->arena;
  hl_arena_clear (&arena);
}

/* ---- moving ---- */

static HlStatus set_paths (HlSweepPoint *sweep, const HlSweepParameter *parameter, double value,
                           HlFault *fault) {
  HlDocument *changed = hl_reshape_document (sweep->document, parameter->paths, parameter->factors, value);

  if (changed == NULL)
    return hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_NONE, -1, 0.0);
  hl_document_unref (sweep->document);
  sweep->document = changed;
  sweep->is_stale = true;
  return HL_OK;
}

HlStatus hl_sweep_point_set (HlSweepPoint *sweep, const HlSweepParameter *parameter, double value,
                             HlFault *fault) {
  if (sweep->document != NULL && parameter->paths != NULL)
    return set_paths (sweep, parameter, value, fault);
  for (int k = 0; k < parameter->n; k++)
    hl_system_set_parameter (sweep->sys, parameter->parameters[k],
                             value * (parameter->factors != NULL ? parameter->factors[k] : 1.0));
  return HL_OK;
}

/* Renews the system of the present document. */
static HlStatus renew (HlSweepPoint *sweep, HlFault *fault) {
  HlSystem *sys = hl_reshape_system (sweep->document, sweep->sys, fault);

  if (sys == NULL)
    return HL_BAD_MODEL;
  hl_work_free (sweep->work);
  hl_system_unref (sweep->sys);
  sweep->sys = sys;
  sweep->work = hl_work_new (sys);
  sweep->is_stale = false;
  return HL_OK;
}

/* Computes the start point from `from`, or as the model states it if NULL, and its eigenvalues. */
static HlStatus analyse_from (HlSweepPoint *sweep, const HlPoint *from, unsigned flags, HlFault *fault) {
  HlStatus status = hl_start_point (sweep->sys, sweep->work, sweep->start, from, sweep->point, NULL, fault);

  if (status == HL_OK)
    status = hl_reshape_keep_columns (sweep->sys, sweep->work, sweep->point, &sweep->columns, fault);
  if (status != HL_OK)
    return status;
  if (sweep->work->n_states != sweep->n)
    return hl_fault_set (fault, HL_SINGULAR, HL_ENTITY_NONE, -1, 0.0);
  hl_state_pack (sweep->sys, sweep->work, sweep->point, sweep->y);
  status = hl_jacobian_eval (sweep->sys, 0.0, sweep->y, sweep->J, sweep->work, fault);
  if (status == HL_OK)
    status = hl_eigen_eval (sweep->eigen, sweep->n, sweep->J, sweep->scale, 0.0, flags);
  return status;
}

HlStatus hl_sweep_point_eval (HlSweepPoint *sweep, unsigned flags, HlFault *fault) {
  if (sweep->is_stale && renew (sweep, fault) != HL_OK)
    return HL_BAD_MODEL;
  if (hl_system_check_numbers (sweep->sys, fault) != HL_OK)
    return HL_BAD_MODEL;
  /* as-given starts are stated by the file alone; an equilibrium continues from the last one, or, where that leads nowhere,
   * begins afresh. What nothing determines (trapped oil: null eigenvalues) is as the model states it, too, not as the
   * value before left it. */
  const HlPoint *from = sweep->start == HL_START_EQUILIBRIUM ? sweep->last : NULL;
  HlStatus status = analyse_from (sweep, from, flags, fault);

  bool is_undetermined =
      status == HL_OK && !sweep->stays && (flags & HL_EIGEN_NULL) != 0 && sweep->eigen->n_null > 0;
  if (from != NULL && (status != HL_OK || is_undetermined))
    status = analyse_from (sweep, NULL, flags, fault);
  if (status == HL_OK && !sweep->stays)
    hl_point_copy (sweep->sys, sweep->last, sweep->point);
  return status;
}

void hl_sweep_point_rewind (HlSweepPoint *sweep) {
  hl_system_unref (sweep->sys);
  sweep->sys = hl_system_copy (sweep->first);
  hl_point_copy (sweep->sys, sweep->last, sweep->own);
  hl_point_copy (sweep->sys, sweep->point, sweep->own);
  /* where Newton's method begins for the dependent coordinates, and which they are, stands in the work */
  hl_work_free (sweep->work);
  sweep->work = hl_work_new (sweep->sys);
  if (sweep->document == NULL)
    return;
  hl_document_unref (sweep->document);
  sweep->document = hl_document_ref (sweep->first_document);
  sweep->is_stale = false;
}

void hl_sweep_point_stay (HlSweepPoint *sweep) {
  sweep->stays = true;
}

int hl_sweep_point_n_states (const HlSweepPoint *sweep) {
  return sweep->n;
}

HlSteadiness hl_sweep_point_steadiness (HlSweepPoint *sweep) {
  return hl_linearize_judge (sweep->sys, sweep->work, 0.0, sweep->y, sweep->J, sweep->scale);
}

const double *hl_sweep_point_J (const HlSweepPoint *sweep) {
  return sweep->J;
}

const HlEigen *hl_sweep_point_eigen (const HlSweepPoint *sweep) {
  return sweep->eigen;
}

int hl_sweep_point_nearest (const HlSweepPoint *sweep, double re, double im, bool among_null) {
  int best = -1;
  double smallest = INFINITY;

  for (int k = 0; k < sweep->n; k++) {
    if (!among_null && sweep->eigen->is_null[k])
      continue;
    double distance = hypot (creal (sweep->eigen->value[k]) - re, cimag (sweep->eigen->value[k]) - im);
    if (distance < smallest) {
      smallest = distance;
      best = k;
    }
  }
  return best;
}
