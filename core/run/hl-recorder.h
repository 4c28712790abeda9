/* SPDX-License-Identifier: MIT */
/* HlRecorder: collects what one run writes down, in the columns of a recording. Rows are kept, go
 * to somebody, or both. Belongs to the thread that makes the run. */
#pragma once

#include "core/run/hl-simulate.h"
#include "core/run/hl-recording.h"

typedef struct _HlRecorder HlRecorder;

/* Who wants the rows while they come. */
typedef struct {
  gboolean keeps;    /* the recorder keeps them as well */
  HlResultsPen *pen; /* writes them where another thread reads them; borrowed, may be NULL */
  /* Time, then every column; borrowed for the call. False stops the run. */
  bool (*row) (const double row[], void *data);
  /* The integrator gave up and the run begins anew with the other method: all rows so far are
   * void, see HlSimOptions.again. False: it has failed, and they stand. NULL: always true. */
  bool (*again) (HlMethod method, const HlFault *why, void *data);
  void *data;
} HlRowTaker;

/* taker NULL: rows are kept. A reference to the recording is taken. Owned by the caller. */
HlRecorder *hl_recorder_new (HlRecording *recording, const HlSystem *system, const HlRowTaker *taker);
void hl_recorder_free (HlRecorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRecorder, hl_recorder_free)
/* Before the run, or when it begins anew. */
void hl_recorder_set_taker (HlRecorder *recorder, const HlRowTaker *taker);

/* Sets outputs, rows, what happens when a run begins anew, and cavitations of the options to this
 * recorder; takes away their linear response when there is no column for it. */
void hl_recorder_attach (HlRecorder *recorder, HlSimOptions *options);

/* What has been kept. Borrowed; another object when a run has begun anew. */
HlResults *hl_recorder_results (const HlRecorder *recorder);
/* Lines whose oil would have to pull in what has been recorded; borrowed. */
const HlCavitations *hl_recorder_cavitations (const HlRecorder *recorder);
gint64 hl_recorder_n_rows (const HlRecorder *recorder); /* also those that were not kept */

/* One row of columns, out[n_columns], NAN = unknown, from one row of the solver: values[n_outputs],
 * behind which, where `is_linear`, the linear response of the first of them stands. Relative probes
 * lose what they had in first[n_outputs], the outputs of the first row. For who has rows without a
 * run as well. */
void hl_recorder_make_row (const HlRecording *recording, const double values[], const double first[],
                           gboolean is_linear, double out[]);
