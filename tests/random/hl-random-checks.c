/* SPDX-License-Identifier: MIT */
#include "tests/random/hl-random-checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/io/hl-json-text.h"

#define STANDING 2e-6 /* [m/s] a tyre that rolls slower stands by another law, theory/elements.md (22) */

static const char *const names[HL_RANDOM_MEASURES] = {
    [HL_RANDOM_CLOSED] = "constraints at the start",
    [HL_RANDOM_ACCELERATION] = "accelerations",
    [HL_RANDOM_PRESSURE] = "pressure rates",
    [HL_RANDOM_STATE] = "spools and pipe flows",
    [HL_RANDOM_JACOBIAN] = "J, of the row",
    [HL_RANDOM_ENTRY] = "J, entry by entry",
    [HL_RANDOM_EIGENVALUE] = "eigenvalues",
    [HL_RANDOM_OUTPUT] = "outputs",
    [HL_RANDOM_NODE] = "node balances",
    [HL_RANDOM_RUN] = "runs",
    [HL_RANDOM_DRIFT] = "constraints after a run",
    [HL_RANDOM_ENERGY] = "energy balances",
    [HL_RANDOM_REST] = "equilibria",
    [HL_RANDOM_OILS] = "oil models in their limits",
};

static void keep_file (const HlRandomReport *report) {
  g_autofree char *name = g_strdup_printf ("random-%u-%u.hydrolink", report->seed, report->index);
  g_autofree char *path = g_build_filename (report->folder != NULL ? report->folder : ".", name, NULL);

  if (report->text != NULL)
    g_file_set_contents (path, report->text, -1, NULL);
}

void hl_random_fail (HlRandomReport *report, const char *format, ...) {
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  printf ("# %u:%u %s\n", report->seed, report->index, text);
  if (!report->failed) {
    printf ("# %u:%u again: ./dev random 1 %u:%u; its file: %s/random-%u-%u.hydrolink\n", report->seed,
            report->index, report->seed, report->index, report->folder != NULL ? report->folder : ".",
            report->seed, report->index);
    report->n_failed++;
    keep_file (report);
  }
  report->failed = true;
}

void hl_random_note (HlRandomReport *report, HlRandomMeasure measure, double difference, double limit,
                     const char *what) {
  HlRandomSpread *spread = &report->spread[measure];

  spread->n++;
  if (!(difference <= spread->worst)) {
    spread->worst = difference;
    spread->worst_seed = report->seed;
    spread->worst_index = report->index;
  }
  for (int k = 0; k < 16; k++)
    spread->above[k] += difference > pow (10.0, -k);
  if (!(difference <= limit))
    hl_random_fail (report, "%s: %s differ by %.3g, allowed are %.3g", what, names[measure], difference,
                    limit);
}

void hl_random_say (HlRandomReport *report, const char *what, const char *why) {
  if (report->said != NULL)
    fprintf (report->said, "%u\t%s\t%s\n", report->index, what, why);
}

void hl_random_print (const HlRandomReport *report) {
  printf ("# %ld machines: %ld refused, %ld without a start, %ld on standing tyres, %ld followed "
          "by the explicit integration, %ld runs given up, %ld with and %ld without an "
          "equilibrium, %ld at a corner of a law, %ld failed\n",
          report->n_machines, report->n_refused, report->n_no_start, report->n_standing, report->n_followed,
          report->n_no_end, report->n_rest, report->n_no_rest, report->n_kinks, report->n_failed);
  for (int k = 0; k < HL_RANDOM_MEASURES; k++) {
    const HlRandomSpread *spread = &report->spread[k];
    if (spread->n == 0)
      continue;
    printf ("# %-26s %7ld  largest %8.2g (%u:%u); above 1e-6 %ld, 1e-8 %ld, 1e-10 %ld, "
            "1e-12 %ld\n",
            names[k], spread->n, spread->worst, spread->worst_seed, spread->worst_index, spread->above[6],
            spread->above[8], spread->above[10], spread->above[12]);
  }
}

void hl_random_add (HlRandomReport *sum, const HlRandomReport *other) {
  sum->n_machines += other->n_machines;
  sum->n_refused += other->n_refused;
  sum->n_no_start += other->n_no_start;
  sum->n_failed += other->n_failed;
  sum->n_followed += other->n_followed;
  sum->n_standing += other->n_standing;
  sum->n_no_end += other->n_no_end;
  sum->n_rest += other->n_rest;
  sum->n_no_rest += other->n_no_rest;
  sum->n_kinks += other->n_kinks;
  for (int k = 0; k < HL_RANDOM_MEASURES; k++) {
    HlRandomSpread *to = &sum->spread[k];
    const HlRandomSpread *from = &other->spread[k];
    if (from->n > 0 && !(from->worst <= to->worst)) {
      to->worst = from->worst;
      to->worst_seed = from->worst_seed;
      to->worst_index = from->worst_index;
    }
    to->n += from->n;
    for (int i = 0; i < 16; i++)
      to->above[i] += from->above[i];
  }
}

/* Writes, reads and writes again: the text and the value must be the same. */
static HlDocument *document_of (HlRandomReport *report) {
  json_t *drawn = hl_draw_machine (report->seed, report->index);
  char *dumped = json_dumps (drawn, JSON_INDENT (2) | JSON_REAL_PRECISION (17));
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_parse (dumped, strlen (dumped), "random", &error);

  g_free (report->text);
  report->text = g_strdup (dumped);
  free (dumped);
  json_decref (drawn);
  if (doc == NULL) {
    hl_random_fail (report, "Not used: %s", error->message);
    return NULL;
  }
  g_autofree char *text = hl_document_to_text (doc);
  g_autoptr (HlDocument) again = hl_document_parse (text, strlen (text), "random", &error);
  if (again == NULL || !hl_document_equal (doc, again)) {
    hl_random_fail (report, "not the same after saving and loading");
    return doc;
  }
  g_autofree char *twice = hl_document_to_text (again);
  if (strcmp (text, twice) != 0)
    hl_random_fail (report, "not the same text when saved twice");
  return doc;
}

/* Checks that a refusal names an element of the file, the problem and the correction. */
static void check_findings (HlRandomReport *report, const HlDocument *doc, const HlFindings *findings) {
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    g_autofree char *text = hl_finding_format (finding);
    if (finding->severity == HL_SEVERITY_ERROR)
      hl_random_say (report, "refused", text);
    if (finding->message == NULL || finding->message[0] == '\0' || finding->advice == NULL ||
        finding->advice[0] == '\0')
      hl_random_fail (report, "a finding without words or without advice: %s", text);
    if (finding->id == NULL || finding->id[0] == '\0' ||
        hl_document_find (doc, finding->id, NULL, NULL) == NULL)
      hl_random_fail (report, "a finding that names no element: %s", text);
  }
}

void hl_random_take_point (HlRandomMachine *m) {
  const HlOracle *o = m->oracle;

  m->state.t = m->point->t;
  m->state.segment = m->point->t;
  for (int k = 0; k < o->n; k++) {
    m->state.x[k] = m->point->x[k];
    m->state.v[k] = m->point->v[k];
  }
  for (int k = 0; k < o->n_p; k++)
    m->state.p[k] = m->point->p[k];
  for (int k = 0; k < o->n_u; k++)
    m->state.u[k] = m->point->u[k];
}

static void check_sizes (HlRandomMachine *m) {
  if (m->oracle->n != hl_system_n_coordinates (m->sys) || m->oracle->n_p != hl_system_n_pressures (m->sys) ||
      m->oracle->n_u != hl_system_n_component_states (m->sys))
    hl_random_fail (m->report, "%d, %d, %d states where the file has %d, %d, %d",
                    hl_system_n_coordinates (m->sys), hl_system_n_pressures (m->sys),
                    hl_system_n_component_states (m->sys), m->oracle->n, m->oracle->n_p, m->oracle->n_u);
}

static void check_compiled (HlRandomMachine *m) {
  HlRandomReport *report = m->report;
  HlFault fault = {0};

  check_sizes (m);
  if (report->failed)
    return;
  HlStatus status = hl_start_point (m->sys, m->work, HL_START_AS_GIVEN, NULL, m->point, NULL, &fault);
  if (status != HL_OK) {
    g_autofree char *message = hl_fault_message (m->sys, &fault);
    report->n_no_start++;
    hl_random_say (report, "no start", message);
    if (strstr (message, "‘") == NULL)
      hl_random_fail (report, "a start fails without naming an element: %s", message);
    return;
  }
  hl_random_take_point (m);
  if (hl_oracle_slowest_rolling (m->oracle, &m->state) < STANDING) {
    report->n_standing++;
    return;
  }
  hl_random_check_rates (m, "start");
  hl_random_check_jacobian (m, "start");
  hl_random_check_run (m);
  if (report->with_rest)
    hl_random_check_rest (m);
}

void hl_random_check (HlRandomReport *report) {
  HlRandomMachine m = {.report = report};
  g_autoptr (HlFindings) findings = hl_findings_new ();

  report->failed = false;
  report->n_machines++;
  m.doc = document_of (report);
  if (m.doc == NULL)
    return;
  m.root = json_loads (report->text, 0, NULL);
  m.sys = hl_compile (m.doc, findings);
  check_findings (report, m.doc, findings);
  if ((m.sys == NULL) != (hl_findings_count (findings, HL_SEVERITY_ERROR) > 0))
    hl_random_fail (report, "compiled and refused do not agree");
  if (m.sys == NULL)
    report->n_refused++;
  else {
    m.work = hl_work_new (m.sys);
    m.point = hl_point_new (m.sys);
    m.oracle = hl_oracle_new (m.root);
    m.state = hl_oracle_state_new (m.oracle);
    m.rate = hl_oracle_rate_new (m.oracle);
    check_compiled (&m);
    hl_oracle_rate_clear (&m.rate);
    hl_oracle_state_clear (&m.state);
    hl_oracle_free (m.oracle);
    hl_point_free (m.point);
    hl_work_free (m.work);
    hl_system_unref (m.sys);
  }
  hl_random_check_program (&m);
  if (report->index % 10 == 0)
    hl_random_check_oils (report);
  json_decref (m.root);
  hl_document_unref (m.doc);
}
