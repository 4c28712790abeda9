/* SPDX-License-Identifier: MIT */
/* Findings about the quasistatic model: whether the circuit fits its
 * pattern, what the model takes for granted, openings outside of it, and values for the virtual
 * elements. */
#include "core/compile/hl-compile-private.h"

#include <math.h>

#include "core/run/hl-simulate.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-property-label.h"
#include "core/hydro/hl-flow-law.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/quasistatic/hl-quasi-model.h"

#define STEP_SHARE 0.9 /* of the longest stable step: what is advised */

static const char *component_id (HlCompiler *c, int component) {
  return component >= 0 ? c->topology->names[HL_ENTITY_COMPONENT][component] : NULL;
}

static void report_misfit (HlCompiler *c, const HlMisfit *misfit) {
  const char *id = component_id (c, misfit->component);
  const char *line = misfit->line >= 0 ? c->topology->names[HL_ENTITY_LINE][misfit->line] : NULL;
  const char *advice = _ (hl_misfit_advice (misfit->kind)); /* never empty for a misfit */

  if (misfit->kind == HL_MISFIT_EXTRA && id != NULL && line != NULL)
    hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, id, advice,
                     _ ("the quasistatic model does not support element ‘%s’ at line ‘%s’"), id, line);
  else if (misfit->kind == HL_MISFIT_TWO_PUMPS && line != NULL)
    hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, id, advice, _ ("two pumps feed line ‘%s’"), line);
  else if (id != NULL)
    hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, id, advice, "%s", _ (hl_misfit_text (misfit->kind)));
  else
    hl_findings_add (c->findings, HL_SEVERITY_ERROR, NULL, NULL, advice, "%s",
                     _ (hl_misfit_text (misfit->kind)));
}

/* ---- the virtual elements ---- */

/* Reports a missing number, with a fix to `value` unless it is NAN. */
static void report_missing_coupling (HlCompiler *c, const char *id, const char *property, double value,
                                     const char *unit, const char *advice) {
  g_autofree char *path = g_strconcat (id, ".", property, NULL);
  g_autofree char *words = hl_path_label (c->doc, path);
  HlFinding *finding = hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, path, advice,
                                        _ ("the quasistatic model needs the %s: a virtual spring and damper "
                                           "are between the actuator and the linkage"),
                                        words);
  finding->bars = HL_BARS_RUN; /* maps do without */
  if (isnan (value))
    return;

  g_autofree char *label = g_strdup_printf (_ ("Set %s to %s %s"), words, hl_shown (value, 2).text, unit);
  hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, label, path, NULL, value);
}

/* Rounds a number to two digits, which are enough for advice. */
static double rounded (double value) {
  double unit = pow (10.0, floor (log10 (value)) - 1.0);
  return round (value / unit) * unit;
}

/* Returns whether the advice is to be reported: at a dead point no mass moves with the piston, and no
 * stiffness is within the limit of a step. */
static bool is_reported (const HlQuasiAdvice *advice) {
  return isnormal (advice->stiff_K) && isnormal (advice->stiff_B) && isnormal (advice->oil_K) &&
         isnormal (advice->oil_B);
}

static void report_coupling (HlCompiler *c, const HlCylinder *cyl, const HlQuasiAdvice *advice, double h) {
  const char *id = component_id (c, cyl->component);
  bool told = is_reported (advice);
  /* only a fixed step bounds the stiffness; else the oil's own is the truest */
  bool is_stepped = c->sys->formulation == HL_FORMULATION_DISCRETE;
  const char *units[2] = {cyl->is_rotary ? "N·m/rad" : "N/m", cyl->is_rotary ? "N·m·s/rad" : "N·s/m"};
  double K = told ? rounded (is_stepped ? advice->stiff_K : advice->oil_K) : NAN;
  double B = told ? rounded (is_stepped ? advice->stiff_B : advice->oil_B) : NAN;

  g_autofree char *text =
      !told
          ? g_strdup_printf (
                _ ("set the virtual stiffness and virtual damping, or move the linkage or an end "
                   "of the cylinder to get proposed values: ‘%s’ is at its dead point"),
                id)
          : g_strdup_printf (
                _ ("set the virtual stiffness to %s %s and the virtual damping to %s %s (the stiffest stable "
                   "values for a step of %s s), or to %s and %s (the compliance of the oil)"),
                hl_shown (rounded (advice->stiff_K), 2).text, units[0],
                hl_shown (rounded (advice->stiff_B), 2).text, units[1], hl_shown (h, 6).text,
                hl_shown (advice->oil_K, 2).text, hl_shown (advice->oil_B, 2).text);
  if (!(cyl->virtual_stiffness > 0.0))
    report_missing_coupling (c, id, "virtual_stiffness", K, units[0], text);
  if (!(cyl->virtual_damping > 0.0))
    report_missing_coupling (c, id, "virtual_damping", B, units[1], text);
  if (c->sys->formulation == HL_FORMULATION_DISCRETE && h > advice->longest_step) {
    HlFinding *finding =
        hl_findings_add (c->findings, HL_SEVERITY_WARNING, id, id, text,
                         _ ("the virtual element of ‘%s’ is too stiff for a step of %s s: the "
                            "discrete form is stable up to %s s"),
                         id, hl_shown (h, 6).text, hl_shown (advice->longest_step, 3).text);
    double step = rounded (STEP_SHARE * advice->longest_step);
    g_autofree char *label = g_strdup_printf (_ ("Use steps of %s s"), hl_shown (step, 6).text);
    hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, label, "simulation.step", NULL, step);
  }
}

static void report_couplings (HlCompiler *c) {
  HlSystem *sys = c->sys;
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  HlQuasiAdvice *advice = g_new0 (HlQuasiAdvice, sys->n_cylinders + 1);
  double h = sys->step > 0.0 ? sys->step : 1.0e-3;

  if (hl_start_point (sys, work, HL_START_AS_GIVEN, NULL, point, NULL, NULL) == HL_OK &&
      hl_quasi_advise (sys, work, point, h, advice, NULL) == HL_OK)
    for (int k = 0; k < sys->n_cylinders; k++)
      report_coupling (c, &sys->cylinders[k], &advice[k], h);
  g_free (advice);
  hl_point_free (point);
  hl_work_free (work);
}

/* ---- the openings over the run ---- */

static bool regeneration_is_ignored (const HlActuator *actuator) {
  HlQuasiReason reason;

  return hl_actuator_check (actuator, &reason) == HL_OK && reason == HL_QUASI_REGENERATION_IGNORED;
}

static void report_ignored (HlCompiler *c, const HlCylinder *cyl, double t) {
  const char *id = component_id (c, cyl->component);

  hl_findings_add (c->findings, HL_SEVERITY_INFO, id, id,
                   _ ("close the valve while the cylinder does not extend, or ignore this message"),
                   _ ("regeneration of ‘%s’ is opened outside U+ (at t = %s s) and is ignored there"), id,
                   hl_shown (t, 6).text);
}

static void report_openings (HlCompiler *c, HlQuasiMachine *machine) {
  const HlSystem *sys = c->sys;
  HlWork *work = hl_work_new (sys);
  double times[HL_QUASI_MOST_TIMES];
  int n = hl_quasi_sample_times (sys, times);
  bool *is_reported = g_new0 (bool, machine->n + 1);
  HlFault fault = {0};
  HlStatus status = HL_OK;

  for (int k = 0; k < n && status == HL_OK; k++) {
    hl_quasi_set_signals (sys, work, times[k]);
    status = hl_quasi_machine_open (machine, sys, work, &fault);
    if (status != HL_OK) {
      const char *id = component_id (c, fault.entity);
      hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, id, _ (fault.mend), _ ("‘%s’ at t = %s s: %s"), id,
                       hl_shown (times[k], 6).text, _ (fault.why));
      hl_compile_offer_lumped (c);
      break;
    }
    for (int slot = 0; slot < machine->n; slot++) {
      if (is_reported[slot] || !regeneration_is_ignored (&machine->actuators[slot]))
        continue;
      report_ignored (c, &sys->cylinders[machine->cylinder_of_slot[slot]], times[k]);
      is_reported[slot] = true;
    }
  }
  g_free (is_reported);
  hl_work_free (work);
}

/* ---- what the model takes for granted ---- */

static void report_assumptions (HlCompiler *c, const HlCircuit *circuit) {
  for (int k = 0; k < circuit->n_cylinders; k++) {
    const HlCircuitCylinder *part = &circuit->cylinders[k];
    const char *id = component_id (c, c->sys->cylinders[k].component);
    for (int side = 0; side < 2; side++)
      if ((side == 0 ? part->head_suction : part->rod_suction) < 0)
        hl_findings_add (
            c->findings, HL_SEVERITY_WARNING, id, id, _ ("add a check valve from the tank to the chamber"),
            side == 0
                ? _ ("the piston-side chamber of ‘%s’ has no suction valve; the quasistatic model assumes "
                     "one")
                : _ ("the rod-side chamber of ‘%s’ has no suction valve; the quasistatic model assumes one"),
            id);
  }
  for (int k = 0; k < c->sys->n_passages; k++) {
    const HlPassage *at = &c->sys->passages[k];
    const char *id = component_id (c, at->component);
    if (at->kind == HL_PASSAGE_PIPE && at->flow >= 0)
      hl_findings_add (c->findings, HL_SEVERITY_INFO, id, id, _ ("no change is needed"),
                       _ ("the quasistatic model neglects the resistance and inertia of pipe ‘%s’"), id);
  }
}

/* Reports lines of pumps controlled by a pressure that no flow determines, and of controllers without a lag. */
static void report_soft (HlCompiler *c) {
  const HlTopology *top = c->sys->topology;

  for (int k = top->n_stored; k < top->n_soft; k++) {
    const char *id = top->names[HL_ENTITY_LINE][c->sys->nodes[top->soft[k]].line];
    hl_findings_add (
        c->findings, HL_SEVERITY_INFO, id, id, _ ("no change is needed"),
        k < top->n_deaf
            ? _ ("the pressure of ‘%s’ controls a pump, and the flow of a flow control valve does not depend "
                 "on it: the oil of this line is compressible in the quasistatic model too")
            : _ ("a controller measures the pressure of ‘%s’ without a lag: the oil of this line is "
                 "compressible in the quasistatic model too"),
        id);
  }
}

/* Reports purely turbulent orifices, which in the lumped model are infinitely stiff at rest. */
void hl_compile_turbulent (HlCompiler *c) {
  int first = -1, count = 0;

  for (int k = 0; k < c->sys->n_components; k++) {
    const HlComponent *component = &c->sys->components[k];
    int field = hl_component_find_field (component, "dp_lim");
    if (field < 0 || *hl_component_number (component, component->klass->kind.fields[field].place) > 0.0)
      continue;
    first = first < 0 ? k : first;
    count++;
  }
  if (first < 0)
    return;
  const char *id = component_id (c, first);
  g_autofree char *path = g_strconcat (id, ".dp_lim", NULL);
  g_autofree char *others =
      count > 1
          ? g_strdup_printf (
                ngettext (" and %d other element", " and %d other elements", (gulong)(count - 1)), count - 1)
          : g_strdup ("");
  hl_findings_add (
      c->findings, HL_SEVERITY_INFO, id, path,
      _ ("no change is needed; a value sets the laminar limit of the lumped model"),
      _ ("the laminar limit (dp_lim) of ‘%s’%s is 0 (purely turbulent); the lumped model uses %s Pa instead"),
      id, others, hl_shown (HL_DP_LIM_SMALLEST, 6).text);
}

void hl_compile_quasistatic (HlCompiler *c) {
  HlQuasiMachine machine;
  HlMisfit misfit;

  if (hl_quasi_check (c->sys, &misfit) != HL_OK) {
    report_misfit (c, &misfit);
    hl_compile_offer_lumped (c);
    return;
  }
  if (hl_quasi_machine_init (&machine, c->sys, NULL) != HL_OK)
    return;
  if (machine.net == NULL)
    report_assumptions (c, &machine.circuit);
  report_soft (c);
  report_couplings (c);
  report_openings (c, &machine);
  hl_quasi_machine_clear (&machine);
}
