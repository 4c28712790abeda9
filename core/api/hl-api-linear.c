/* SPDX-License-Identifier: MIT */
/* Linear models of the library. */
#include "core/api/hl-api-private.h"

#include "core/io/hl-linear-file.h"
#include "core/linear/hl-linearize.h"

#include <math.h>
#include <string.h>

struct HydrolinkLinear {
  HlLinearization *values; /* with the participation of the states */
  HlLinearSheet *sheet;    /* of the same point; NULL: not asked for */
  HydrolinkState *about;   /* what the sheet is made of */
};

/* About the state, which it takes. */
static HydrolinkLinear *linear_about (HydrolinkState *state, char **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlLinearizeOptions how = hl_linearize_options_default ();
  HydrolinkLinear *linear = g_new0 (HydrolinkLinear, 1);

  how.vectors = true;
  linear->about = state;
  if (state->work == NULL)
    state->work = hl_work_new (state->system);
  linear->values = hl_linearize (state->system, state->work, state->point, &how, &fault);
  if (linear->values != NULL)
    return linear;
  hl_api_say (HL_ERROR_FAILED, hl_fault_message (state->system, &fault), error);
  hydrolink_linear_free (linear);
  return NULL;
}

HydrolinkLinear *hydrolink_linearize (HydrolinkModel *model, HydrolinkPlace place, double time,
                                      char **error) {
  HydrolinkState *state = hydrolink_state (model, place, time, error);

  return state != NULL ? linear_about (state, error) : NULL;
}

void hydrolink_linear_free (HydrolinkLinear *linear) {
  if (linear == NULL)
    return;
  hl_linearization_free (linear->values);
  hl_linear_sheet_free (linear->sheet);
  hydrolink_state_free (linear->about);
  g_free (linear);
}

/* Matrices and outputs, made when they are first asked for. NULL only where the machine that was just
 * linearized cannot be a second time. */
static const HlLinearSheet *sheet_of (const HydrolinkLinear *linear) {
  HydrolinkLinear *own = (HydrolinkLinear *)linear; /* only its copy of what it is */
  HydrolinkState *about = own->about;
  HlFault fault;

  if (own->sheet == NULL)
    own->sheet = hl_linear_sheet_new_of (about->document, about->system, about->work, about->point,
                                         own->values, &fault);
  return own->sheet;
}

static const HlLinearModel *model_of (const HydrolinkLinear *linear) {
  const HlLinearSheet *sheet = sheet_of (linear);

  return sheet != NULL ? sheet->model : NULL;
}

int hydrolink_linear_n (const HydrolinkLinear *linear, HydrolinkAxis axis) {
  const HlLinearModel *model = model_of (linear);

  return model == NULL                    ? 0
         : axis == HYDROLINK_STATES       ? model->n
         : axis == HYDROLINK_INPUTS       ? model->n_signals
         : axis == HYDROLINK_DISTURBANCES ? model->n_inputs - model->n_signals
                                          : model->n_outputs;
}

static const HlSheetEntry *entry_of (const HydrolinkLinear *linear, HydrolinkAxis axis, int index) {
  if (index < 0 || index >= hydrolink_linear_n (linear, axis))
    return NULL;
  const HlLinearSheet *sheet = sheet_of (linear);
  const HlSheetEntry *entries = axis == HYDROLINK_STATES         ? sheet->states
                                : axis == HYDROLINK_INPUTS       ? sheet->inputs
                                : axis == HYDROLINK_DISTURBANCES ? sheet->inputs + sheet->model->n_signals
                                                                 : sheet->outputs;

  return &entries[index];
}

const char *hydrolink_linear_name (const HydrolinkLinear *linear, HydrolinkAxis axis, int index) {
  const HlSheetEntry *entry = entry_of (linear, axis, index);

  return entry != NULL ? entry->name : NULL;
}

const char *hydrolink_linear_unit (const HydrolinkLinear *linear, HydrolinkAxis axis, int index) {
  const HlSheetEntry *entry = entry_of (linear, axis, index);

  return entry != NULL ? entry->unit : NULL;
}

const double *hydrolink_linear_point (const HydrolinkLinear *linear, HydrolinkAxis axis) {
  const HlLinearModel *model = model_of (linear);

  return model == NULL                    ? NULL
         : axis == HYDROLINK_STATES       ? model->x0
         : axis == HYDROLINK_INPUTS       ? model->u0
         : axis == HYDROLINK_DISTURBANCES ? hl_linear_sheet_disturbances (sheet_of (linear), 'd')
                                          : model->y0;
}

const double *hydrolink_linear_matrix (const HydrolinkLinear *linear, char letter) {
  const HlLinearModel *model = model_of (linear);

  switch (model != NULL ? letter : '\0') {
  case 'A':
    return model->A;
  case 'B':
    return model->B;
  case 'C':
    return model->C;
  case 'D':
    return model->D;
  case 'E':
  case 'F':
    return hl_linear_sheet_disturbances (sheet_of (linear), letter);
  default:
    return NULL;
  }
}

void hydrolink_linear_eigenvalues (const HydrolinkLinear *linear, double re[], double im[], int is_null[]) {
  for (int k = 0; k < linear->values->n; k++) {
    re[k] = linear->values->eigenvalues[k].re;
    im[k] = linear->values->eigenvalues[k].im;
    if (is_null != NULL)
      is_null[k] = linear->values->eigenvalues[k].null;
  }
}

int hydrolink_linear_save (const HydrolinkLinear *linear, const char *path, char **error) {
  GError *why = NULL;
  const HlLinearSheet *sheet = sheet_of (linear);

  return (sheet != NULL && hl_linear_sheet_save (sheet, path, &why)) || hl_api_fail (why, error);
}

const HlLinearization *hl_api_linear_values (const HydrolinkLinear *linear) {
  return linear->values;
}

const HydrolinkState *hl_api_linear_about (const HydrolinkLinear *linear) {
  return linear->about;
}
