/* SPDX-License-Identifier: MIT */
#include "core/quasistatic/hl-quasi-price.h"

#include "core/hydro/actuators/hl-cylinder.h"

#include <glib.h>
#include <math.h>

enum { OUT_LENGTH, OUT_FORCE, N_OUT };

typedef struct {
  double t, value[N_OUT];
} Row;

static bool keep_row (double t, const double values[], void *data) {
  Row row = {t, {values[OUT_LENGTH], values[OUT_FORCE]}};
  g_array_append_val ((GArray *)data, row);
  return true;
}

static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  (void)method;
  (void)why;
  g_array_set_size (data, 0);
  return true;
}

static HlStatus run_model (const HlSystem *sys, const HlSimOptions *options, HlModelKind model, GArray *rows,
                           HlSimStats *stats, HlFault *fault) {
  HlSimOptions run = *options;

  run.model = model;
  if (model == HL_MODEL_LUMPED)
    run.formulation = HL_FORMULATION_REDUCED;
  else if (run.formulation != HL_FORMULATION_DISCRETE)
    run.formulation = HL_FORMULATION_RELAXED;
  run.row = keep_row;
  run.row_data = rows;
  run.again = begin_again;
  run.again_data = rows;
  return hl_simulate (sys, &run, stats, fault);
}

/* Both runs have rows at the same times. */
static void compare (const GArray *lumped, const GArray *quasi, HlQuasiPrice *price) {
  guint n = MIN (lumped->len, quasi->len);
  double low = INFINITY, high = -INFINITY, square = 0.0, force_square = 0.0;

  for (guint k = 0; k < n; k++) {
    const Row *a = &g_array_index (lumped, Row, k), *b = &g_array_index (quasi, Row, k);
    double off = b->value[OUT_LENGTH] - a->value[OUT_LENGTH];
    double off_force = b->value[OUT_FORCE] - a->value[OUT_FORCE];
    low = fmin (low, a->value[OUT_LENGTH]);
    high = fmax (high, a->value[OUT_LENGTH]);
    square += off * off;
    force_square += off_force * off_force;
    if (fabs (off) > price->largest) {
      price->largest = fabs (off);
      price->t_largest = a->t;
    }
  }
  price->travel = n > 0 ? high - low : 0.0;
  price->rms = n > 0 ? sqrt (square / n) : 0.0;
  price->force_rms = n > 0 ? sqrt (force_square / n) : 0.0;
}

HlStatus hl_quasi_price (const HlSystem *sys, int component, bool (*cancel) (void *data), void *cancel_data,
                         HlQuasiPrice *price, HlFault *fault) {
  static const HlModelKind models[] = {HL_MODEL_LUMPED, HL_MODEL_QUASISTATIC};
  const char *id = hl_system_entity_id (sys, HL_ENTITY_COMPONENT, component);
  const HlCylinderTerms *terms =
      hl_cylinder_terms (sys->cylinders[sys->components[component].cylinder].is_rotary);
  g_autofree char *length = g_strdup_printf ("%s.%s", id, terms->place_output);
  g_autofree char *force = g_strdup_printf ("%s.%s", id, terms->force_output);
  g_autoptr (GArray) lumped = g_array_new (FALSE, FALSE, sizeof (Row));
  g_autoptr (GArray) quasi = g_array_new (FALSE, FALSE, sizeof (Row));
  GArray *rows[] = {lumped, quasi};
  HlSimOptions options = hl_sim_options_from_model (sys);
  HlObservable outputs[N_OUT];
  HlStatus status = HL_OK;

  *price = (HlQuasiPrice){.t_largest = NAN};
  if (!hl_observable_find (sys, length, &outputs[OUT_LENGTH]) ||
      !hl_observable_find (sys, force, &outputs[OUT_FORCE]))
    return hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_COMPONENT, component, 0.0);
  options.outputs = outputs;
  options.n_outputs = N_OUT;
  options.cancel = cancel;
  options.cancel_data = cancel_data;
  for (int k = 0; k < 2 && status == HL_OK; k++) {
    HlSimStats stats = {0};
    status = run_model (sys, &options, models[k], rows[k], &stats, fault);
    price->steps[k] = stats.steps;
    price->seconds[k] = stats.seconds;
    price->method[k] = stats.method;
    price->again[k] = stats.again;
  }
  if (status == HL_OK)
    compare (lumped, quasi, price);
  return status;
}

#define DEFAULT_STEP 1e-3 /* [s] */

HlStatus hl_quasi_advice_at_start (const HlSystem *sys, int component, HlQuasiAdvice *advice) {
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  g_autofree HlQuasiAdvice *all = g_new0 (HlQuasiAdvice, sys->n_cylinders + 1);
  double h = sys->step > 0.0 ? sys->step : DEFAULT_STEP;
  HlStatus status = hl_start_point (sys, work, HL_START_AS_GIVEN, NULL, point, NULL, NULL);

  if (status == HL_OK)
    status = hl_quasi_advise (sys, work, point, h, all, NULL);
  if (status == HL_OK)
    *advice = all[sys->components[component].cylinder];
  hl_point_free (point);
  hl_work_free (work);
  return status;
}
