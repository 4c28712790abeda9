/* SPDX-License-Identifier: MIT */
/* Runs a drawing in all three hydraulic models: the differences of their traces, the cost of each, and the
 * models that are accurate enough for the traces. The model that neglects least is the reference. */
#pragma once

#include "core/base/hl-unit.h"
#include "core/document/hl-model-findings.h"
#include "core/quasistatic/hl-quasi-model.h"
#include "core/run/hl-run-recorder.h"
#include "core/run/hl-simulate.h"

/* Largest difference between a trace and that of the reference, over the rows that both have, and the size
 * that it is divided by: the range (largest less smallest) of the reference, or its largest magnitude if it
 * is constant. */
typedef struct {
  double most;     /* |difference|, unit of the trace; NAN: no row where both have it */
  double at;       /* time of it [s]; NAN likewise */
  double share;    /* of range or size; NAN: the reference is 0 all the time */
  double usual;    /* mean of |difference| over time, as a share of the same */
  double first;    /* at the first row, as a share of the same */
  gboolean stands; /* the reference moves by less than HL_STANDING_TRACE of its size */
} HlTraceGap;

/* One oil model's part. */
typedef struct {
  HlModelKind model;
  gboolean ran;  /* it has rows, if not to the end */
  char *why_not; /* reason why it did not run to its end; NULL: it did; owned
                         owned */
  /* the same as a finding, with the change after which this oil runs to its end; NULL: it came there, or the caller
   * stopped it; owned */
  HlFindings *failure;
  HlSimStats stats;   /* of what ran */
  HlResults *results; /* owned reference; NULL: it did not run */
  HlTraceGap *gaps;   /* n_traces, owned; NULL: of the reference, or it did not run */
  double worst;       /* largest `usual` of all traces; NAN: nothing to compare */
  int worst_trace;    /* index of the trace, 0-based; -1: none */
  int elsewhere;      /* trace whose first rows lie farthest apart, if not the same; -1: none */
} HlModelPart;

typedef struct {
  HlModelPart parts[HL_N_OIL_MODELS]; /* by HlModelKind */
  int n_traces;                       /* columns behind the time */
  int reference; /* HlModelKind that neglects the fewest effects of those that reached their end; -1: none */
  int trusted;   /* HlModelKind with the lowest cost among those with the same result; -1: none */
  char *text;    /* conclusion, a sentence or a few per line; owned */
} HlModelComparison;

/* Two models differ if the mean difference over time exceeds this share of the range of the trace. The
 * mean ignores a pressure peak that one model has slightly earlier. */
#define HL_SAME_TRACE 0.01
/* A range below this part of a trace's size is the noise of a solver around a rest, and no motion. */
#define HL_STANDING_TRACE 1e-6

/* Runs `system` in each oil model with those options (t_end, every, rtol, method, max_steps, cancel; model
 * and formulation are set here) and compares the columns of `recording`, which is of the same system.
 * units[HL_N_QUANTITIES]: units of the traces in the text, NULL: SI. report: called for each model before it
 * runs, may be NULL. A cancelled model has the reason in why_not. The result is never NULL and owned by the
 * caller. Allocates; may run in any thread. */
HlModelComparison *hl_model_comparison_new (const HlSystem *system, HlRecording *recording,
                                            const HlSimOptions *options, const HlUnit *const units[],
                                            void (*report) (HlModelKind model, void *data), void *data);
/* Frees a comparison; NULL is allowed. */
void hl_model_comparison_free (HlModelComparison *comparison);

/* Error and computing time of the quasistatic model, against the same machine with compressible oil. For a
 * motor or vane actuator: angles [rad] and torques [N m]. */

typedef struct {
  double rms, largest; /* difference of the cylinder's length                  [m] */
  double t_largest;    /* when                                                 [s] */
  double travel;       /* largest less smallest length of the lumped run       [m] */
  double force_rms;    /* difference of the cylinder's force                   [N] */
  long steps[2];       /* lumped, quasistatic */
  double seconds[2];
  HlMethod method[2]; /* of the integrator that got through */
  bool again[2];      /* the other one failed before */
} HlQuasiPrice;

/* Computes recommended parameters for the virtual spring and damper of the cylinder with this component
 * index, at the start of the model. HL_BAD_MODEL if the model is not quasistatic; otherwise as hl_start_point
 * (). */
HlStatus hl_quasi_advice_at_start (const HlSystem *sys, int component, HlQuasiAdvice *advice);

/* Runs both models over [0, t_end] from the start that the file states and compares the cylinder
 * with this component index. cancel may be NULL. HL_CANCELLED, or the status of the run that
 * failed. */
HlStatus hl_quasi_price (const HlSystem *sys, int component, bool (*cancel) (void *data), void *cancel_data,
                         HlQuasiPrice *price, HlFault *fault);
