/* SPDX-License-Identifier: MIT */
/* HlLocusStudy: the root locus of the working point over one slider of the model, what is computed
 * with it, and the one mode whose motion the drawings show. */
#pragma once

#include "core/document/hl-document.h"
#include "core/linear/hl-imaginary-axis-crossing.h"
#include "core/linear/hl-root-locus.h"
#include "core/linear/hl-sensitivity.h"
#include "core/run/hl-run-results.h"
#include "ui/workbench/hl-model-slider.h"
#include "ui/workbench/hl-model-worker.h"

#include <glib.h>

/* HlModeMovie: one mode as the drawings show it: the poses of one period, exaggerated, and what
 * share the pressures take. */

typedef struct {
  HlResults *results; /* the columns of a run; t goes from 0 to 1 over the period */
  int mode;           /* eigenvalue of the working point */
  double amplitude;   /* actual amplitude: smaller than requested if the constraints require it */
} HlModeMovie;

/* Returns the pressure of a line in a mode, relative to the line with the largest one: size 0 to 1 and phase
 * [rad] against the coordinate that moves most. Returns FALSE if the line has no pressure of its own. */
gboolean hl_mode_pressure (const HlWorkingPoint *at, int mode, const char *line_id, double *size,
                           double *phase);

typedef struct _HlLocusStudy HlLocusStudy;

/* --- root locus --- */

GPtrArray *hl_locus_study_model_sliders (HlLocusStudy *self); /* HlModelSlider, borrowed */
int hl_locus_study_model_slider (HlLocusStudy *self);         /* of the locus; -1: none */
void hl_locus_study_set_model_slider (HlLocusStudy *self, int model_slider);
const HlLocus *hl_locus_study_locus (HlLocusStudy *self); /* NULL: none yet */
/* Returns the reason why the slider has no branches, or only some of them, in lines; NULL: all are computed
 * or being computed. Borrowed until the next change of the locus. */
const char *hl_locus_study_message (HlLocusStudy *self);
/* Returns the crossings of its branches with the stability axis. Borrowed until the next change of the locus. */
const HlCrossing *hl_locus_study_crossings (HlLocusStudy *self, int *n);
/* Returns the sensitivities to every slider, in their order; NULL: none yet. Borrowed until the next change
 * of the locus. */
const HlSensitivity *hl_locus_study_sensitivity (HlLocusStudy *self);
/* Returns eigenvalue `index` of the parameter sets of the file; FALSE beyond the last. *set: the parameter
 * set, -1: a mode of the hybrid model. */
gboolean hl_locus_study_other_pole (HlLocusStudy *self, int index, double *re, double *im, int *set);
/* Returns the mode of the hybrid model that the pole belongs to, NULL: to a parameter set. Borrowed. */
const char *hl_locus_study_other_pole_mode (HlLocusStudy *self, int index);
/* Returns the limit of the eigenvalue for stiff oil of the lumped model, as a line of text; NULL: not known. Borrowed
 * until the next change of the locus. */
const char *hl_locus_study_fate (HlLocusStudy *self, double re, double im);
double hl_locus_study_seconds (HlLocusStudy *self); /* that the branches took */

/* Returns the target of the eigenvalues; it is kept when another model is opened. */
const HlLocusTarget *hl_locus_study_target (HlLocusStudy *self);
void hl_locus_study_set_target (HlLocusStudy *self, const HlLocusTarget *target);

/* --- the mode that is examined --- */

/* Returns the eigenvalue of the working point whose motion the drawings show; -1 = none. It follows its
 * eigenvalue while numbers change. */
int hl_locus_study_mode (HlLocusStudy *self);
void hl_locus_study_set_mode (HlLocusStudy *self, int mode);
double hl_locus_study_mode_amplitude (HlLocusStudy *self); /* [m or rad] */
void hl_locus_study_set_mode_amplitude (HlLocusStudy *self, double amplitude);
double hl_locus_study_mode_phase (HlLocusStudy *self); /* of a period, 0 to 1 */
void hl_locus_study_set_mode_phase (HlLocusStudy *self, double phase);
/* Returns the animation of the selected mode; NULL: no mode, or it has no picture. Borrowed until the next
 * change. */
const HlModeMovie *hl_locus_study_mode_movie (HlLocusStudy *self);
