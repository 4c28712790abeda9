/* SPDX-License-Identifier: MIT */
/* A row of the solver becomes a row of columns: outputs as the columns want them, relative ones
 * without what they had in the first row. */
#include "core/run/hl-recorder.h"

#include <math.h>
#include <string.h>

struct _HlRecorder {
  HlRecording *recording;
  HlRowTaker taker;
  HlResults *results;
  HlCavitations *cavitations;
  double *first; /* n_outputs of the first row */
  double *row;   /* 1 + n_columns: time, then the columns */
  gint64 n_rows;
  gboolean linear; /* rows of the solver hold the linear response */
};

HlRecorder *hl_recorder_new (HlRecording *recording, const HlSystem *system, const HlRowTaker *taker) {
  HlRecorder *self = g_new0 (HlRecorder, 1);
  int n_outputs;

  hl_recording_outputs (recording, &n_outputs, NULL);
  self->recording = hl_recording_ref (recording);
  self->results = hl_recording_new_results (recording);
  self->cavitations = hl_cavitations_new (system);
  self->first = g_new0 (double, n_outputs + 1);
  self->row = g_new0 (double, hl_recording_n_columns (recording) + 1);
  hl_recorder_set_taker (self, taker);
  return self;
}

void hl_recorder_free (HlRecorder *self) {
  if (self == NULL)
    return;
  hl_recording_unref (self->recording);
  hl_results_unref (self->results);
  hl_cavitations_free (self->cavitations);
  g_free (self->first);
  g_free (self->row);
  g_free (self);
}

void hl_recorder_set_taker (HlRecorder *self, const HlRowTaker *taker) {
  self->taker = taker != NULL ? *taker : (HlRowTaker){.keeps = TRUE};
}

void hl_recorder_make_row (const HlRecording *recording, const double values[], const double first[],
                           gboolean is_linear, double out[]) {
  int n, n_outputs, n_columns = hl_recording_n_columns (recording);
  const HlColumnSource *sources = hl_recording_sources (recording, &n);

  hl_recording_outputs (recording, &n_outputs, NULL);
  const double *linear = is_linear ? values + n_outputs : NULL;
  for (int k = 0; k < n; k++) {
    int output = sources[k].output;
    if (output >= 0)
      out[k] = values[output] - (sources[k].relative ? first[output] : 0);
    else
      out[k] = sources[k].constant - (sources[k].relative ? sources[k].constant : 0);
  }
  for (int k = 0; n + k < n_columns; k++) {
    int output = sources[k].output;
    out[n + k] =
        linear != NULL && output >= 0 ? linear[output] - (sources[k].relative ? first[output] : 0) : NAN;
  }
}

static bool take_row (double t, const double values[], void *data) {
  HlRecorder *self = data;
  int n_outputs;

  if (self->n_rows++ == 0) {
    hl_recording_outputs (self->recording, &n_outputs, NULL);
    memcpy (self->first, values, sizeof (double) * (size_t)n_outputs);
  }
  self->row[0] = t;
  hl_recorder_make_row (self->recording, values, self->first, self->linear, self->row + 1);
  if (self->taker.keeps)
    hl_results_append (self->results, t, self->row + 1);
  if (self->taker.pen != NULL)
    hl_results_pen_write (self->taker.pen, self->row);
  return self->taker.row == NULL || self->taker.row (self->row, self->taker.data);
}

/* Rows of a method that gave up are not mixed with those of the other. */
static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  HlRecorder *self = data;

  if (self->taker.again != NULL && !self->taker.again (method, why, self->taker.data))
    return false;
  self->n_rows = 0;
  hl_results_unref (self->results);
  self->results = hl_recording_new_results (self->recording);
  return true;
}

void hl_recorder_attach (HlRecorder *self, HlSimOptions *options) {
  options->outputs = hl_recording_outputs (self->recording, &options->n_outputs, &options->n_linear);
  options->linear = options->linear && options->n_linear > 0;
  self->linear = options->linear;
  options->row = take_row;
  options->row_data = self;
  options->again = begin_again;
  options->again_data = self;
  options->cavitations = self->cavitations;
}

HlResults *hl_recorder_results (const HlRecorder *self) {
  return self->results;
}

const HlCavitations *hl_recorder_cavitations (const HlRecorder *self) {
  return self->cavitations;
}

gint64 hl_recorder_n_rows (const HlRecorder *self) {
  return self->n_rows;
}
