/* SPDX-License-Identifier: MIT */
/* One drawing in three oils: its runs, and what must hold between them. */
#pragma once

#include <jansson.h>

#include "core/compile/hl-compile.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-system-private.h"

#define HL_OILS_ROWS 64
#define HL_OILS_OUTPUTS 512
#define HL_OILS_LINES 64

/* Observables of the rows of all oil models, and their indices. */
typedef struct {
  HlObservable of[HL_OILS_OUTPUTS];
  int n;
  int *pressure;                /* by node; -1: given */
  int *flow;                    /* by branch: the first output with its flow; -1: none does */
  double *flow_sign;            /* by branch */
  int *speed, *length, *piston; /* by cylinder: of the linkage and of the piston */
  int *state;                   /* by component state */
  int chamber[HL_OILS_LINES];   /* pressures of chambers with a cushion: not those of a line */
  int n_chambers;
  int *body; /* 6 a body: x, y, angle and their rates */
} HlOilsOutputs;

typedef struct {
  int n;
  double impact; /* hybrid: time of the first one, or of a line that pulls; INFINITY: none [s] */
  bool compressible_lines[HL_OILS_LINES]; /* hybrid: lines whose oil does, in the end */
  double t[HL_OILS_ROWS];
  double value[HL_OILS_ROWS][HL_OILS_OUTPUTS];
  int width;
} HlOilsTable;

/* Lists the outputs; false when the machine has more than there is room for. */
bool hl_oils_list (const HlSystem *sys, HlOilsOutputs *out);
void hl_oils_list_clear (HlOilsOutputs *out);
/* Runs in one model, from `from` or from the start of the file. */
HlStatus hl_oils_run (const HlSystem *sys, HlModelKind model, const HlOilsOutputs *out, double t_end,
                      const HlPoint *from, HlOilsTable *table, HlFault *fault);

/* Returns the largest imbalance of a node whose flows are all recorded, of all rows, relative to the flows
 * there; -1: no such node. */
double hl_oils_imbalance (const HlSystem *sys, HlModelKind model, const HlOilsOutputs *out,
                          const HlOilsTable *table);
/* Returns the energy error of a run, as a part of the energy throughput; *gained: the largest decrease of the
 * lost energy from row to row, likewise. */
double hl_oils_energy (const HlOilsTable *table, double *gained);
/* Evaluates the lumped equations with the pressures of the network at given speeds: returns the largest net
 * flow into a line, relative to the flows there; -1: a pressure is undetermined, or the flow is laminar. */
double hl_oils_unrest (const HlSystem *sys, HlPoint *point, double speed);
#define HL_OILS_STIFF 3      /* oils at least, each ten times as stiff as the one before, */
#define HL_OILS_MOST_STIFF 6 /* and at most, where it takes that for the exponent to come to `least` */
/* Convergence of lumped runs with increasingly stiff oil to a hybrid one, in which pipes have inertia as
 * well. */
typedef struct {
  double exponent, last; /* of the bulk modulus; how far off the stiffest is [m]; NAN: undetermined */
  bool is_cut; /* both up to the first jump of a pressure alone: the whole run does not come as fast */
  /* in the mean behind the first impact, of the softest and of the stiffest: how far places are off, in parts
   * of the way gone in the run; and the exponent of that. NAN: no impact, or too little time */
  double after[2], exponent_after;
} HlOilsStiff;
HlOilsStiff hl_oils_stiff (const HlSystem *sys, const HlSystem *incompressible, const HlOilsOutputs *out,
                           double least);
/* Computes the mean difference between lumped and quasistatic positions with stiff oil and virtual elements,
 * each mass a tenth of the one before; NAN: a run did not reach its end [m or rad]. */
#define HL_OILS_MASSES 3
void hl_oils_inertia (const HlSystem *sys, const HlOilsOutputs *out, double t_end,
                      double gaps[HL_OILS_MASSES]);

#define HL_OILS_CYLINDERS 8
/* A run with damped oil, stops without rebound and no vapour (hl-damped-oil.c), beside a hybrid one: the largest differences
 * over its rows, up to the first impact and in the whole run. */
typedef struct {
  double before, whole; /* of lengths [m or rad] */
  double pressure;      /* of pressures, before the first impact [Pa] */
  double way;           /* furthest from the start [m or rad] */
  double t;             /* row that was reached [s] */
  double length[HL_OILS_ROWS][HL_OILS_CYLINDERS];
} HlOilsLimit;
/* Runs from `from`, the first row of `hybrid`, with `stiffer` times the bulk modulus. */
HlStatus hl_oils_damped (const HlSystem *sys, double stiffer, HlMethod method, const HlOilsOutputs *out,
                         const HlOilsTable *hybrid, const HlPoint *from, HlOilsLimit *told);
/* Returns the state of the first row; NULL where the hybrid model leaves something undetermined. Owned by the
 * caller. */
HlPoint *hl_oils_first_point (const HlSystem *sys, const HlOilsOutputs *out, const HlOilsTable *table);
/* Returns the drawing with all pipes having the inertia of their oil in the lumped model too, or none of
 * them. Owned by the caller. */
HlDocument *hl_oils_with_inertia (const json_t *drawn, bool has_mass);
/* Compiles the file with the numbers that a run in this model needs; NULL: refused for *bar, which lies in
 * findings. */
HlSystem *hl_oils_compile (HlDocument *doc, HlModelKind model, HlFindings *findings, const HlFinding **bar);
