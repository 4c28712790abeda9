/* SPDX-License-Identifier: MIT */
/* HlChange: what the workbench's signal "changed" says is another one now. Each object on the bench
 * announces what it holds; the hub sends it out, once a frame for everything that a frame brought.
 */
#pragma once

typedef enum {
  /* HlEditing */
  HL_CHANGED_DOCUMENT = 1 << 0, /* structure: elements came, went or were renamed */
  HL_CHANGED_NUMBERS = 1 << 1,  /* numbers of the document */
  HL_CHANGED_FINDINGS = 1 << 2,
  HL_CHANGED_POINT = 1 << 3,    /* start state, eigenvalues */
  HL_CHANGED_FILE = 1 << 10,    /* name, saved or not */
  HL_CHANGED_HISTORY = 1 << 11, /* what can be undone */
  /* HlRuns */
  HL_CHANGED_RUN = 1 << 4,       /* the run that is shown grew, ended or is another one */
  HL_CHANGED_TIME = 1 << 8,      /* the time cursor */
  HL_CHANGED_ACTIVITY = 1 << 12, /* a run began or ended */
  /* HlLocusStudy */
  HL_CHANGED_LOCUS = 1 << 5,  /* branches, or which knob they are for */
  HL_CHANGED_KNOBS = 1 << 13, /* which there are, not their values */
  HL_CHANGED_MODE = 1 << 14,  /* which one is looked at, or how it moves */
  HL_CHANGED_PHASE = 1 << 15, /* where in the mode's period the drawings stand */
  /* HlDriving */
  HL_CHANGED_LEVERS = 1 << 16, /* which there are; a drive began or ended */
  /* the hub itself */
  HL_CHANGED_SELECTION = 1 << 6,
  HL_CHANGED_HOVER = 1 << 7,
  HL_CHANGED_UNITS = 1 << 9,
  HL_CHANGED_EVERYTHING = (1 << 17) - 1
} HlChange;
