/* SPDX-License-Identifier: MIT */
/* Linear models of the library. */
#include "core/api/hl-api-private.h"

#include "core/io/hl-linear-file.h"
#include "core/linear/hl-linearize.h"

#include <math.h>
#include <string.h>

struct HydrolinkLinear
{
  HlLinearSheet *sheet;
  HlLinearization *values; /* the eigenvalues, of the same point */
};

static HydrolinkLinear *
linear_at (HydrolinkModel *model, const HlPoint *point, char **error)
{
  HlFault fault = {.time = NAN, .entity = -1};
  HlLinearizeOptions exact = hl_linearize_options_default ();
  HydrolinkLinear *linear = g_new0 (HydrolinkLinear, 1);
  HlWork *work = hl_api_work (model);

  linear->sheet = hl_linear_sheet_new (model->document, model->system, work, point, &fault);
  if (linear->sheet != NULL)
    linear->values = hl_linearize (model->system, work, point, &exact, &fault);
  if (linear->values != NULL)
    return linear;
  hl_api_fail_by_fault (model, &fault, error);
  hydrolink_linear_free (linear);
  return NULL;
}

HydrolinkLinear *
hydrolink_linearize (HydrolinkModel *model, HydrolinkPlace place, double time, char **error)
{
  const HlSystem *sys = hl_api_system (model, error);
  HydrolinkLinear *linear = NULL;

  if (sys == NULL)
    return NULL;
  HlPoint *point = hl_point_new (sys);
  if (hl_api_find_point (model, place, time, point, error))
    linear = linear_at (model, point, error);
  hl_point_free (point);
  return linear;
}

void
hydrolink_linear_free (HydrolinkLinear *linear)
{
  if (linear == NULL)
    return;
  hl_linearization_free (linear->values);
  hl_linear_sheet_free (linear->sheet);
  g_free (linear);
}

int
hydrolink_linear_n (const HydrolinkLinear *linear, HydrolinkAxis axis)
{
  const HlLinearModel *model = linear->sheet->model;

  return axis == HYDROLINK_STATES   ? model->n
         : axis == HYDROLINK_INPUTS ? model->n_inputs
                                    : model->n_outputs;
}

static const HlSheetEntry *
entry_of (const HydrolinkLinear *linear, HydrolinkAxis axis, int index)
{
  const HlLinearSheet *sheet = linear->sheet;
  const HlSheetEntry *entries = axis == HYDROLINK_STATES   ? sheet->states
                                : axis == HYDROLINK_INPUTS ? sheet->inputs
                                                           : sheet->outputs;

  return index >= 0 && index < hydrolink_linear_n (linear, axis) ? &entries[index] : NULL;
}

const char *
hydrolink_linear_name (const HydrolinkLinear *linear, HydrolinkAxis axis, int index)
{
  const HlSheetEntry *entry = entry_of (linear, axis, index);

  return entry != NULL ? entry->name : NULL;
}

const char *
hydrolink_linear_unit (const HydrolinkLinear *linear, HydrolinkAxis axis, int index)
{
  const HlSheetEntry *entry = entry_of (linear, axis, index);

  return entry != NULL ? entry->unit : NULL;
}

const double *
hydrolink_linear_point (const HydrolinkLinear *linear, HydrolinkAxis axis)
{
  const HlLinearModel *model = linear->sheet->model;

  return axis == HYDROLINK_STATES ? model->x0 : axis == HYDROLINK_INPUTS ? model->u0 : model->y0;
}

const double *
hydrolink_linear_matrix (const HydrolinkLinear *linear, char letter)
{
  const HlLinearModel *model = linear->sheet->model;

  switch (letter) {
  case 'A':
    return model->A;
  case 'B':
    return model->B;
  case 'C':
    return model->C;
  case 'D':
    return model->D;
  default:
    return NULL;
  }
}

void
hydrolink_linear_eigenvalues (const HydrolinkLinear *linear,
                              double re[],
                              double im[],
                              int is_null[])
{
  for (int k = 0; k < linear->values->n; k++) {
    re[k] = linear->values->eigenvalues[k].re;
    im[k] = linear->values->eigenvalues[k].im;
    if (is_null != NULL)
      is_null[k] = linear->values->eigenvalues[k].null;
  }
}
