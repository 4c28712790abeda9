/* SPDX-License-Identifier: MIT */
/* The acceleration of a unit force is read from the exact model: a damper sigma between piston and
 * cylinder changes the rows of A that are accelerations, over the columns that are velocities, by
 * -sigma b (ds/dq), a matrix of rank one, whose factor ds/dq is the row of C of the stroke. */
#include "core/linear/hl-friction-rest-band.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/hl-linalg.h"
#include "core/system/hl-system-private.h"

#define DAMPER 1e4    /* [N s/m] of the size of real ones */
#define SLOW 1e-3     /* [1/s] far below what swings, far above the rounding of a null eigenvalue */
#define GROWS 1.5     /* a distance that doubles with the time belongs to a free motion */
#define NOTHING 1e-12 /* of the largest in scaled units */

void hl_rest_band_free (HlRestBand *band) {
  if (band == NULL)
    return;
  free (band->at);
  free (band->half);
  free (band);
}

static bool set_parameter (HlSystem *sys, int cylinder, const char *field, double value, bool adds) {
  char path[256];
  HlParameter parameter;

  snprintf (path, sizeof path, "%s.friction.%s",
            hl_system_entity_id (sys, HL_ENTITY_COMPONENT, sys->cylinders[cylinder].component), field);
  if (!hl_system_find_parameter (sys, path, &parameter))
    return false;
  if (adds)
    value += hl_system_get_parameter (sys, parameter);
  hl_system_set_parameter (sys, parameter, value);
  return true;
}

static bool has_dry_friction (const HlSystem *sys, int cylinder) {
  const HlFriction *friction = &sys->cylinders[cylinder].friction;
  return friction->model > HL_FRICTION_VISCOUS && friction->scale * friction->Fs > 0.0;
}

/* Returns a of a copy of the system whose seals slide freely, or with a damper of `damper` at one of them. */
static HlLinearModel *model_of (const HlSystem *sys, const HlPoint *point, int cylinder, double damper,
                                const HlObservable outputs[], int n_outputs, int *f, HlFault *fault) {
  HlSystem *copy = hl_system_copy (sys);
  HlWork *work = hl_work_new (copy);

  for (int k = 0; k < copy->n_cylinders; k++)
    if (has_dry_friction (sys, k))
      set_parameter (copy, k, "scale", k == cylinder ? 1.0 : 0.0, false);
  if (damper > 0.0)
    set_parameter (copy, cylinder, "sigma2", damper, true);
  HlLinearModel *model = hl_linear_model_new (copy, work, point, outputs, n_outputs, fault);
  *f = work->f;
  hl_work_free (work);
  hl_system_unref (copy);
  return model;
}

/* Computes b[n] of a unit force along a stroke whose row of C is stroke[f]; scaled for the solution. */
static bool find_push (const HlSystem *sys, const HlPoint *point, int cylinder, const double stroke[],
                       double b[], int n, HlFault *fault) {
  int f;
  double square = 0.0;
  HlLinearModel *without = model_of (sys, point, cylinder, 0.0, NULL, 0, &f, fault);
  HlLinearModel *with = without != NULL ? model_of (sys, point, cylinder, DAMPER, NULL, 0, &f, fault) : NULL;

  memset (b, 0, sizeof (double) * (size_t)n);
  for (int k = 0; with != NULL && k < f; k++)
    square += stroke[k] * stroke[k];
  for (int row = f; square > 0.0 && row < 2 * f; row++)
    for (int k = 0; k < f; k++) {
      int place = row + n * (f + k);
      b[row] -= (with->A[place] - without->A[place]) * stroke[k] / (DAMPER * square);
    }
  bool done = with != NULL;
  hl_linear_model_free (without);
  hl_linear_model_free (with);
  return done;
}

/* Computes x = (s I - A)^-1 b, in scaled states. */
static bool respond (const HlLinearModel *model, double s, const double b[], double x[]) {
  int n = model->n;
  double *lu = malloc (sizeof (double) * (size_t)(n * n));
  int *pivots = malloc (sizeof (int) * (size_t)n);

  for (int column = 0; column < n; column++)
    for (int row = 0; row < n; row++)
      lu[row + n * column] =
          (row == column ? s : 0.0) - model->A[row + n * column] * model->scale[column] / model->scale[row];
  for (int row = 0; row < n; row++)
    x[row] = b[row] / model->scale[row];
  bool done = hl_lu_factor (n, lu, pivots) == HL_OK;
  if (done)
    hl_lu_solve (n, lu, pivots, 1, x);
  for (int row = 0; row < n; row++)
    x[row] *= model->scale[row];
  free (lu);
  free (pivots);
  return done;
}

static double output_of (const HlLinearModel *model, int out, const double x[]) {
  double sum = 0.0;

  for (int k = 0; k < model->n; k++)
    sum += model->C[out + model->n_outputs * k] * x[k];
  return sum;
}

/* Adds what the seal of one cylinder holds. */
static void add_seal (HlRestBand *band, const HlLinearModel *model, double force, const double b[],
                      double x[]) {
  double *later = x + model->n;

  if (!respond (model, SLOW, b, x) || !respond (model, 0.5 * SLOW, b, later))
    for (int k = 0; k < 2 * model->n; k++)
      x[k] = NAN;
  for (int out = 0; out < band->n; out++) {
    double once = output_of (model, out, x), twice = output_of (model, out, later);
    if (!isfinite (once) || fabs (twice) > GROWS * fabs (once) + NOTHING)
      band->half[out] = INFINITY;
    else /* to s = 0 in a straight line */
      band->half[out] += force * fabs (2.0 * twice - once);
  }
}

/* Strokes of all cylinders, then the requested outputs. */
static HlObservable *list_outputs (const HlSystem *sys, const HlObservable outputs[], int n_outputs) {
  int n = sys->n_cylinders;
  HlObservable *all = malloc (sizeof (HlObservable) * (size_t)(n + n_outputs + 1));
  char path[256];

  for (int k = 0; k < n; k++) {
    snprintf (path, sizeof path, "%s.s",
              hl_system_entity_id (sys, HL_ENTITY_COMPONENT, sys->cylinders[k].component));
    if (!hl_observable_find (sys, path, &all[k])) {
      free (all);
      return NULL;
    }
  }
  memcpy (all + n, outputs, sizeof (HlObservable) * (size_t)n_outputs);
  return all;
}

/* Computes the model of all outputs, and of the strokes alone. */
static bool linearize_outputs (HlRestBand *band, const HlSystem *sys, const HlPoint *point,
                               const HlObservable all[], HlFault *fault) {
  int n_cyl = sys->n_cylinders, f;
  HlLinearModel *model = model_of (sys, point, -1, 0.0, all + n_cyl, band->n, &f, fault);
  HlLinearModel *strokes = model != NULL ? model_of (sys, point, -1, 0.0, all, n_cyl, &f, fault) : NULL;
  bool done = strokes != NULL;

  if (done) {
    int n = model->n;
    double *b = malloc (sizeof (double) * (size_t)(3 * n + f + 1)), *x = b + n, *row = x + 2 * n;
    memcpy (band->at, model->y0, sizeof (double) * (size_t)band->n);
    for (int k = 0; done && k < n_cyl; k++) {
      if (!has_dry_friction (sys, k))
        continue;
      double force = sys->cylinders[k].friction.scale * sys->cylinders[k].friction.Fs;
      for (int j = 0; j < f; j++)
        row[j] = strokes->C[k + n_cyl * j];
      done = find_push (sys, point, k, row, b, n, fault);
      if (done)
        add_seal (band, model, force, b, x);
      band->force += force;
    }
    free (b);
  }
  hl_linear_model_free (model);
  hl_linear_model_free (strokes);
  return done;
}

HlRestBand *hl_rest_band_new (const HlSystem *sys, const HlPoint *point, const HlObservable outputs[],
                              int n_outputs, HlFault *fault) {
  HlRestBand *band = calloc (1, sizeof *band);
  HlObservable *all = list_outputs (sys, outputs, n_outputs);

  band->n = n_outputs;
  band->at = calloc ((size_t)n_outputs + 1, sizeof (double));
  band->half = calloc ((size_t)n_outputs + 1, sizeof (double));
  if (all == NULL || !linearize_outputs (band, sys, point, all, fault)) {
    hl_rest_band_free (band);
    band = NULL;
  }
  free (all);
  return band;
}
