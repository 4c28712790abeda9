/* SPDX-License-Identifier: MIT */
/* HlRecording: what a run writes down. First the probes of the document and the paths that its
 * plots show, then what the drawings need to show any instant: poses, pressures, spools, strokes.
 * Immutable and shared between threads. */
#pragma once

#include "core/document/hl-document.h"
#include "core/results/hl-results.h"
#include "core/system/hl-observable.h"

typedef struct _HlRecording HlRecording;

HlRecording *hl_recording_new (const HlDocument *document, const HlSystem *system);
HlRecording *hl_recording_ref (HlRecording *recording);
void hl_recording_unref (HlRecording *recording);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRecording, hl_recording_unref)

const HlObservable *hl_recording_outputs (const HlRecording *recording, int *n);
int hl_recording_n_traced (const HlRecording *recording);

/* Columns of the results without time: every output, then the linear response of every trace
 * (`TRACE.linear`). */
int hl_recording_n_columns (const HlRecording *recording);
HlResults *hl_recording_new_results (const HlRecording *recording);

/* One row of results from one row of the solver (outputs, then their linear response when
 * `linear`): relative probes lose what they had in the first row. `first` holds the first row's
 * outputs. out: n_columns. */
void hl_recording_fill_row (const HlRecording *recording,
                            const double values[],
                            const double first[],
                            gboolean linear,
                            double out[]);
