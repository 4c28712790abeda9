/* SPDX-License-Identifier: MIT */
/* Sample drawings for the painters' tests and the demo: circuits from the example files, a
 * four-bar, a response, a locus. */
#pragma once

#include "ui/paint/page/hl-page-export.h"

/* Tables of the circuit of an example file. */
typedef struct {
  HlLayoutComponent *components;
  int n_components;
  HlLayoutNet *nets;
  int n_nets;
  double *pressures; /* n_nets */
  char **net_ids;
  GPtrArray *owned;
} SampleCircuit;
SampleCircuit *sample_circuit_load (const char *example);
void sample_circuit_free (SampleCircuit *circuit);

/* The picture of a laid-out circuit; valid while both exist. */
typedef struct {
  HlCircuitPicture picture;
  HlCircuitSymbol *symbols;
  HlCircuitNet *nets;
  HlCircuitArrow arrow;
  GPtrArray *owned;
} SampleCircuitPicture;
SampleCircuitPicture *sample_circuit_picture_new (const SampleCircuit *circuit,
                                                  const HlCircuitLayout *layout);
void sample_circuit_picture_free (SampleCircuitPicture *sample);

/* The four-bar of the first example with pins, cylinder, torque, angle and two mode ghosts. Static
 * storage inside. */
typedef struct {
  HlSpot points[3][3][3]; /* pose, body, point */
  HlMechBody bodies[3][3];
  HlMechJoint joints[5];
  HlMechCylinder cylinder;
  HlMechLoad load;
  HlMechAngle angle;
  HlMechGhost ghosts[2];
  HlMechanismPicture picture;
} SampleFourBar;
void sample_four_bar_fill (SampleFourBar *sample);

/* Every kind of joint, load and spring. */
typedef struct {
  HlSpot points[3][4];
  HlMechBody bodies[3];
  HlMechJoint joints[8];
  HlMechCylinder cylinder;
  HlMechSpring springs[2];
  HlMechLoad loads[3];
  HlMechanismPicture picture;
} SampleMachine;
void sample_machine_fill (SampleMachine *sample);

/* The nonlinear and linear response of the golden data (friction scale 0.1). */
typedef struct {
  HlResults *results;
  HlPlotSeries angle_series[2];
  HlPlotSeries pressure_series[3];
  HlPlotCursor cursor;
  double events[3];
  HlPlot angle, pressure;
} SampleResponse;
void sample_response_fill (SampleResponse *sample, const HlStyle *style);
void sample_response_clear (SampleResponse *sample);

/* An invented locus with poles over four decades. */
#define SAMPLE_LOCUS_POINTS 160
typedef struct {
  double re[4][SAMPLE_LOCUS_POINTS];
  double im[4][SAMPLE_LOCUS_POINTS];
  HlLocusBranch branches[4];
  HlLocusPole poles[6];
  HlLocusPole ghosts[4];
  HlLocusPlot locus;
} SampleLocus;
void sample_locus_fill (SampleLocus *sample, gboolean allow_log);
