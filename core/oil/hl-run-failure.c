/* SPDX-License-Identifier: MIT */
#include "core/oil/hl-run-failure.h"

#include <math.h>

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/compile/hl-compile.h"
#include "core/system/hl-system-private.h"

#define MOST_MORE 100.0   /* times as many steps: beyond that a run is not slow but stuck */
#define USUAL_STEPS 1.0e7 /* default maximum number of steps */
#define SPARE 2.0         /* of the steps that the rest of the run would take at this pace */
#define LOOSER 100.0      /* times the tolerance */
#define LOOSEST 1.0e-3    /* tolerance */
#define END_DIGITS 3.0    /* of the time of an earlier end */
#define FORMULATION "simulation.formulation"

/* Returns t rounded down to so many digits; less than t. */
static double earlier (double t) {
  double unit = pow (10.0, floor (log10 (t)) + 1.0 - END_DIGITS);
  double down = floor (t / unit) * unit;

  return down < t ? down : down - unit;
}

void hl_finding_offer_lumped (HlFinding *finding) {
  hl_finding_set_fix (finding, HL_FIX_OIL, _ ("Use the lumped model"), NULL,
                      hl_oil_models[HL_MODEL_LUMPED]->name, 0);
}

static void set_number (HlFinding *finding, const char *label, const char *path, double value) {
  hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, label, path, NULL, value);
}

/* Proposes more steps; false: too many would be necessary. */
static gboolean propose_more_steps (HlFinding *finding, const HlSimOptions *how, const HlFault *fault) {
  double most = how->max_steps, needed = SPARE * most * how->t_end / fault->time;

  if (!(most > 0.0) || !(fault->time > 0.0) || !(needed <= MOST_MORE * most || most < USUAL_STEPS))
    return FALSE;
  double unit = pow (10.0, floor (log10 (needed)) - 1.0), steps = ceil (needed / unit) * unit;
  if (most < USUAL_STEPS) /* the pace of the start is that of no run */
    steps = USUAL_STEPS;
  g_autofree char *label = g_strdup_printf (_ ("Allow %s steps"), hl_shown (steps, 15).text);
  set_number (finding, label, "simulation.max_steps", steps);
  return TRUE;
}

/* Returns whether the fault is one of the linkage, which is the same with every oil model. */
static gboolean is_of_linkage (const HlFault *fault) {
  switch (fault->status) {
  case HL_OUT_OF_STROKE:
  case HL_ZERO_LENGTH:
  case HL_DEAD_POINT:
  case HL_OVERHELD:
    return TRUE;
  default:
    return fault->entity_kind == HL_ENTITY_BODY || fault->entity_kind == HL_ENTITY_JOINT ||
           fault->entity_kind == HL_ENTITY_LOAD;
  }
}

/* Proposes a change for an element that the fault names. Returns false if there is none. */
static gboolean propose_named_change (HlFinding *finding, const HlSimOptions *how, const HlFault *fault,
                                      const char *id) {
  if (fault->change == HL_CHANGE_RELIEVE && fault->entity_kind == HL_ENTITY_LINE && id != NULL)
    hl_finding_set_fix (finding, HL_FIX_RELIEVE, _ ("Add a relief valve with a tank"), id, NULL, 0);
  else if (fault->change == HL_CHANGE_NO_LAG && id != NULL) {
    g_autofree char *path = g_strconcat (id, ".time_constant", NULL);
    g_autofree char *label = g_strdup_printf (_ ("Set the time constant of ‘%s’ to 0 s"), id);
    set_number (finding, label, path, 0.0);
  } else if (fault->change == HL_CHANGE_LOOSEN && how->rtol < LOOSEST) {
    double rtol = fmin (LOOSER * how->rtol, LOOSEST);
    g_autofree char *label =
        g_strdup_printf (_ ("Increase the tolerance (rtol) to %s"), hl_shown (rtol, 2).text);
    set_number (finding, label, "simulation.rtol", rtol);
  } else if (fault->change == HL_CHANGE_REDUCED)
    hl_finding_set_place_fix (finding, _ ("Use the reduced formulation"), FORMULATION,
                              hl_value_new_string ("reduced"));
  else
    return FALSE;
  return TRUE;
}

/* Returns whether no equilibrium was found to start from; in stiff oil HL_INFEASIBLE has another meaning. */
static gboolean has_no_rest (const HlSimOptions *how, const HlFault *fault) {
  return how->start == HL_START_EQUILIBRIUM && fault->entity_kind != HL_ENTITY_JOINT &&
         (fault->status == HL_NO_CONVERGENCE || fault->status == HL_OVERHELD ||
          fault->status == HL_DEAD_POINT || fault->status == HL_SINGULAR ||
          (fault->status == HL_INFEASIBLE && how->model == HL_MODEL_LUMPED));
}

static void find_change (HlFinding *finding, const HlSimOptions *how, const HlFault *fault, const char *id,
                         gboolean keeps_oil) {
  gboolean has_begun = fault->time > 0.0 && isfinite (how->t_end);

  if (propose_named_change (finding, how, fault, id))
    return;
  if (fault->status == HL_OUT_OF_STEPS && has_begun && propose_more_steps (finding, how, fault))
    return;
  if (!(fault->time > 0.0) && has_no_rest (how, fault)) {
    hl_finding_set_place_fix (finding, _ ("Start as given"), "simulation.start",
                              hl_value_new_string ("as-given"));
    return;
  }
  if (how->model != HL_MODEL_LUMPED && !keeps_oil && !is_of_linkage (fault)) {
    hl_finding_offer_lumped (finding);
    return;
  }
  if (has_begun && earlier (fault->time) > 0.0) {
    double end = earlier (fault->time);
    g_autofree char *label =
        g_strdup_printf (_ ("End the run at %s s"), hl_shown (end, (int)END_DIGITS).text);
    set_number (finding, label, "simulation.t_end", end);
  }
}

HlFindings *hl_run_failure_new (const HlSystem *sys, const HlSimOptions *how, const HlFault *fault,
                                gboolean keeps_oil) {
  HlFindings *findings = hl_findings_new ();
  const char *id = hl_system_entity_id (sys, fault->entity_kind, fault->entity);
  g_autofree char *message = hl_fault_message (sys, fault);
  HlFinding *finding = hl_findings_add (findings, HL_SEVERITY_ERROR, id, id, NULL, "%s", message);

  find_change (finding, how, fault, id, keeps_oil);
  return findings;
}

char *hl_fix_as_option (const HlFix *fix) {
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  switch (fix->type) {
  case HL_FIX_SET_NUMBER:
    g_ascii_formatd (number, sizeof number, "%.15g", fix->value);
    return g_strdup_printf ("--set %s=%s", fix->path, number);
  case HL_FIX_OIL:
    return g_strdup_printf ("--model %s", fix->target);
  case HL_FIX_SET_AT:
    return g_str_equal (fix->path, FORMULATION)
               ? g_strdup_printf ("--formulation %s", hl_value_string (fix->json))
               : NULL;
  default:
    return NULL;
  }
}
