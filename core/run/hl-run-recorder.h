/* SPDX-License-Identifier: MIT */
/* HlRecorder: collects the output of one run in the columns of a recording. Rows are kept, passed to a
 * callback, or both. Belongs to the thread of the run. */
#pragma once

#include "core/document/hl-document.h"
#include "core/run/hl-run-results.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-observable.h"

/* HlRecording: which columns a run has and where each of them comes from, determined once for all callers:
 * command line, window, library. Immutable and shared between threads; HlRecorder does the writing.
 *
 *   time | traced: probes in file order, plotted paths, extra paths | drawn | linear responses
 *
 * A probe of a constant of the file is a column with that constant; a probe of an unknown path is an empty
 * column. */

typedef enum {
  HL_RECORD_PROBES = 0,       /* always */
  HL_RECORD_PLOTTED = 1 << 0, /* paths of the plots other than probes, as far as runs have them */
  HL_RECORD_DRAWN = 1 << 1,   /* quantities for the drawings at any instant: poses, pressures ... */
  HL_RECORD_LINEAR = 1 << 2,  /* at the end of each traced column its linear response, "ID.linear" */
  HL_RECORD_ALL = HL_RECORD_PLOTTED | HL_RECORD_DRAWN | HL_RECORD_LINEAR, /* as the window does */
} HlRecordFlags;

typedef struct _HlRecording HlRecording;

/* Returns a recording of a document and the system that was compiled from it. extra: further paths to trace,
 * NULL-terminated, may be NULL; HL_ERROR_USAGE when a run does not have one. Reference count 1. */
HlRecording *hl_recording_new (const HlDocument *document, const HlSystem *system, HlRecordFlags flags,
                               const char *const *extra, GError **error);
HlRecording *hl_recording_ref (HlRecording *recording);
void hl_recording_unref (HlRecording *recording);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRecording, hl_recording_unref)

/* Returns the same columns, those of constants as another document states them, which differs in numbers
 * alone. A new reference, to `recording` itself when no constant changed. */
HlRecording *hl_recording_of_numbers (HlRecording *recording, const HlDocument *document);

/* Returns the outputs of the solver, *n of them; the linear response of the first *n_linear of them
 * (optional) is recorded. Borrowed. */
const HlObservable *hl_recording_outputs (const HlRecording *recording, int *n, int *n_linear);

int hl_recording_n_columns (const HlRecording *recording); /* without time */
/* Returns empty results; all results of the recording have the same HlColumns object. Owned by the caller. */
HlResults *hl_recording_new_results (const HlRecording *recording);

/* Source of the numbers of a column. */
typedef struct {
  int output;        /* into the outputs of the run; -1: a constant */
  char *of;          /* path of a constant; NULL: of none, or an output */
  double constant;   /* NAN: unknown */
  gboolean relative; /* to its first row */
} HlColumnSource;

/* Returns *n sources, one per column except time and linear responses: the first columns, in their order. The
 * columns behind them, if there are any, are the linear responses of as many of the first. Borrowed. */
const HlColumnSource *hl_recording_sources (const HlRecording *recording, int *n);

typedef struct _HlRecorder HlRecorder;

/* Receiver of the rows during the run. */
typedef struct {
  gboolean keeps;       /* the recorder keeps them as well */
  HlResultsWriter *pen; /* writes them where another thread reads them; borrowed, may be NULL */
  /* Time, then every column; borrowed for the call. False stops the run. */
  bool (*row) (const double row[], void *data);
  /* The integrator failed, or with `why` NULL BDF's errors would add up, and the run begins anew with the other
   * method: all rows so far are void, see HlSimOptions.again. False: they stand. NULL: always true. */
  bool (*again) (HlMethod method, const HlFault *why, void *data);
  void *data;
} HlRowTaker;

/* Returns a recorder; taker NULL: rows are kept. A reference to the recording is taken. Owned by the caller. */
HlRecorder *hl_recorder_new (HlRecording *recording, const HlSystem *system, const HlRowTaker *taker);
void hl_recorder_free (HlRecorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRecorder, hl_recorder_free)
/* Sets the receiver of rows, before the run or when it begins anew. */
void hl_recorder_set_taker (HlRecorder *recorder, const HlRowTaker *taker);

/* Sets outputs, rows, what happens when a run begins anew, and cavitations of the options to this
 * recorder; takes away their linear response when there is no column for it. */
void hl_recorder_attach (HlRecorder *recorder, HlSimOptions *options);

/* Returns the recorded results. Borrowed; a new object after a restart of the run. */
HlResults *hl_recorder_results (const HlRecorder *recorder);
/* Returns the lines whose oil would be under tension in the recorded rows; borrowed. */
const HlCavitations *hl_recorder_cavitations (const HlRecorder *recorder);
gint64 hl_recorder_n_rows (const HlRecorder *recorder); /* also those that were not kept */

/* Makes one row of columns, out[n_columns], NAN = unknown, from one row of the solver: values[n_outputs],
 * followed, where `is_linear`, by the linear response of the first of them. Relative probes are relative to
 * first[n_outputs], the outputs of the first row. Also for rows that do not come from a run. */
void hl_recorder_make_row (const HlRecording *recording, const double values[], const double first[],
                           gboolean is_linear, double out[]);
