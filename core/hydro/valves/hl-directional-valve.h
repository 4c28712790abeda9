/* SPDX-License-Identifier: MIT */
/* Proportional directional valve; ports P T A B in this order, and C D of a 6/3 valve. */
#pragma once

#include "core/hydro/hl-component.h"

/* Its branches, in this order: the edges of its spool. One that never leads from P to T has the first
 * four, one without a by-pass from C to D the first five. */
enum {
  HL_VALVE_P_A,
  HL_VALVE_B_T,
  HL_VALVE_P_B,
  HL_VALVE_A_T,
  HL_VALVE_BRANCHES,
  HL_VALVE_P_T = HL_VALVE_BRANCHES,
  HL_VALVE_C_D,
  HL_VALVE_EDGES
};

enum { HL_VALVE_FORM_4_3, HL_VALVE_FORM_4_2, HL_VALVE_FORM_3_2, HL_VALVE_FORM_2_2, HL_VALVE_FORM_6_3 };

typedef struct {
  double Cv;            /* flow at full opening over the root of the difference [m3/(s sqrt(Pa))] */
  double time_constant; /* of the spool; 0: the spool follows its command at once [s] */
  double dp_lim;        /* [Pa]; see HL_DP_LIM_SMALLEST */
  double dead_zone;     /* [1] */
  double spool;         /* U at t = 0 [1] */
  /* parameters that a plain spool, all zeros, does not need */
  int centre, form;
  double centre_opening;              /* w, of the edges that the centre opens [1] */
  double gain[HL_VALVE_EDGES];        /* where stated [1] */
  double overlap[HL_VALVE_EDGES];     /* likewise */
  double natural_frequency;           /* wn; 0: no second order [rad/s] */
  double damping_ratio;               /* z [1] */
  double spool_rate;                  /* at t = 0 [1/s] */
  double rate_limit;                  /* r; 0 = none [1/s] */
  bool edge_is_plain[HL_VALVE_EDGES]; /* derived */
  bool has_edges;                     /* derived: not all edges are those of the plain spool */
  double edge_gain[HL_VALVE_EDGES], edge_overlap[HL_VALVE_EDGES]; /* derived, if so */
} HlDirectionalValve;

extern const HlComponentClass hl_directional_valve_class;
extern const HlComponentHelp hl_directional_valve_help;
