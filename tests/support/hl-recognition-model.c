/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-recognition-model.h"

#include <math.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"

/* Replaces *doc. */
void hl_test_parts_become (HlDocument **doc, HlDocument *next, GError *error) {
  g_assert_no_error (error);
  g_assert_nonnull (next);
  hl_document_unref (*doc);
  *doc = next;
}

void hl_test_parts_set (HlDocument **doc, const char *path, double value) {
  g_autoptr (GError) error = NULL;
  HlDocument *next = hl_document_with_number (*doc, path, value, &error);
  hl_test_parts_become (doc, next, error);
}

void hl_test_parts_connect (HlDocument **doc, const char *a, const char *b) {
  g_autoptr (GError) error = NULL;
  HlDocument *next = hl_edit_connect (*doc, a, b, &error);
  hl_test_parts_become (doc, next, error);
}

/* Adds a component with properties from JSON-like pairs of name and number; NULL ends them. */
char *hl_test_parts_add (HlDocument **doc, const char *kind, HlValue *members) {
  g_autoptr (GError) error = NULL;
  char *id = NULL;
  HlDocument *next = hl_edit_add (*doc, HL_SECTION_COMPONENTS, kind, members, &id, &error);
  hl_test_parts_become (doc, next, error);
  return id;
}

HlValue *hl_test_parts_numbers (const char *first, ...) {
  HlValue *object = hl_value_new_object ();
  va_list args;

  va_start (args, first);
  for (const char *name = first; name != NULL; name = va_arg (args, const char *)) {
    HlValue *next = hl_value_with_member (object, name, hl_value_new_number (va_arg (args, double)));
    hl_value_unref (object);
    object = next;
  }
  va_end (args);
  return object;
}

/* Compiles the drawing as a lumped model, so that the compile step accepts every drawing. */
HlSystem *hl_test_parts_compile (const HlDocument *doc) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlDocument *lumped = hl_edit_set (doc, "simulation", "model", hl_value_new_string ("lumped"), &error);
  g_assert_no_error (error);
  HlDocument *reduced =
      hl_edit_set (lumped, "simulation", "formulation", hl_value_new_string ("reduced"), &error);
  g_assert_no_error (error);
  HlSystem *sys = hl_compile (reduced, findings);
  hl_document_unref (lumped);
  hl_document_unref (reduced);
  return sys;
}

HlTestParts hl_test_parts_find (const HlSystem *sys, double t) {
  HlTestParts parts = {0};
  HlCircuit circuit;
  HlQuasiMachine machine;

  parts.status = hl_recognize (sys, &circuit, &parts.misfit);
  if (parts.status != HL_OK) {
    parts.culprit = g_strdup (hl_system_entity_id (sys, HL_ENTITY_COMPONENT, parts.misfit.component));
    return parts;
  }
  hl_circuit_clear (&circuit);
  g_assert_cmpint (hl_quasi_machine_init_as (&machine, sys, false, NULL), ==, HL_OK);
  HlWork *work = hl_work_new (sys);
  hl_signal_enter (sys->signals, sys->n_signals, t, work->segments);
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t, work->signal_values);
  hl_quasi_machine_open (&machine, sys, work, NULL);
  parts.n = machine.n;
  for (int k = 0; k < machine.n; k++) {
    int slot = machine.slot_of_cylinder[k];
    parts.actuators[k] = machine.actuators[slot];
    parts.pumps[k] = machine.parties[machine.party_of_slot[slot]].limits;
  }
  hl_work_free (work);
  hl_quasi_machine_clear (&machine);
  return parts;
}

void hl_test_parts_clear (HlTestParts *parts) {
  g_free (parts->culprit);
}

static bool is_near (double a, double b) {
  return a == b || fabs (a - b) <= 1e-13 * (fabs (a) + fabs (b));
}

bool hl_test_parts_near (const HlTestParts *a, const HlTestParts *b) {
  bool same = a->n == b->n;

  for (int k = 0; k < a->n && same; k++) {
    const HlActuator *x = &a->actuators[k], *y = &b->actuators[k];
    same = is_near (x->Ah, y->Ah) && is_near (x->Ar, y->Ar) && is_near (x->PhM, y->PhM) &&
           is_near (x->PrM, y->PrM) && is_near (x->ph, y->ph) && is_near (x->th, y->th) &&
           is_near (x->pr, y->pr) && is_near (x->tr, y->tr) && is_near (x->ua, y->ua) &&
           is_near (a->pumps[k].Q, b->pumps[k].Q) && is_near (a->pumps[k].Ub, b->pumps[k].Ub) &&
           is_near (a->pumps[k].PM, b->pumps[k].PM);
  }
  return same;
}
