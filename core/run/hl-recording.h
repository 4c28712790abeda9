/* SPDX-License-Identifier: MIT */
/* HlRecording: which columns a run has and where each of them comes from, decided once, for the
 * command line, the window and whoever else makes runs. Immutable and shared between threads;
 * HlRecorder does the writing.
 *
 *   time | traced: probes in file order, plotted paths, extra paths | drawn | linear responses
 *
 * A probe of a number that no run computes is a column of that number; one that nothing knows is
 * an empty column. */
#pragma once

#include "core/document/hl-document.h"
#include "core/run/hl-results.h"
#include "core/system/hl-observable.h"

typedef enum {
  HL_RECORD_PROBES = 0,       /* always */
  HL_RECORD_PLOTTED = 1 << 0, /* paths that the plots show besides probes, as far as runs know them */
  HL_RECORD_DRAWN = 1 << 1,   /* what the drawings need to show any instant: poses, pressures ... */
  HL_RECORD_LINEAR = 1 << 2,  /* at the end of each traced column its linear response, "ID.linear" */
  HL_RECORD_ALL = HL_RECORD_PLOTTED | HL_RECORD_DRAWN | HL_RECORD_LINEAR, /* as the window does */
} HlRecordFlags;

typedef struct _HlRecording HlRecording;

/* Of a document and the system that was compiled of it. extra: further paths to trace,
 * NULL-terminated, may be NULL; HL_ERROR_USAGE when a run does not know one. Reference count 1. */
HlRecording *hl_recording_new (const HlDocument *document, const HlSystem *system, HlRecordFlags flags,
                               const char *const *extra, GError **error);
HlRecording *hl_recording_ref (HlRecording *recording);
void hl_recording_unref (HlRecording *recording);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRecording, hl_recording_unref)

/* The same columns, those of constants as another document states them, which differs in numbers
 * alone. A new reference, to `recording` itself when no constant changed. */
HlRecording *hl_recording_of_numbers (HlRecording *recording, const HlDocument *document);

/* What the solver is asked for, *n outputs; the linear response of the first *n_linear of them
 * (optional) is recorded. Borrowed. */
const HlObservable *hl_recording_outputs (const HlRecording *recording, int *n, int *n_linear);

int hl_recording_n_columns (const HlRecording *recording); /* without time */
/* Empty, owned by the caller; all results of the recording have the same HlColumns object. */
HlResults *hl_recording_new_results (const HlRecording *recording);

/* Where the number of a column comes from. */
typedef struct {
  int output;        /* into the outputs of the run; -1: a constant */
  char *of;          /* path of a constant; NULL: of none, or an output */
  double constant;   /* NAN: nobody knows */
  gboolean relative; /* to its first row */
} HlColumnSource;

/* *n of them, one a column but for time and linear responses: the first columns, in their order.
 * The columns behind them, if there are any, are the linear responses of as many of the first.
 * Borrowed. */
const HlColumnSource *hl_recording_sources (const HlRecording *recording, int *n);
