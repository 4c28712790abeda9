/* SPDX-License-Identifier: MIT */
/* What the sensitivities of a run are made of, shared by their steps (hl-sim-tangent.c) and their events
 * (hl-tangent-event.c). */
#pragma once

#include "core/run/hl-sim-tangent.h"
#include "core/system/hl-edges.h"

#define HL_TANGENT_STAGES 3
#define HL_TANGENT_MOST_PIECES 64

/* A piece of the last step: s as a cubic. */
typedef struct
{
  double from, to;
  double *s0, *S; /* n x np; 3 stages of it, one behind the other */
} HlTangentPiece;

struct HlSimTangent
{
  const HlTangent *tangent; /* borrowed */
  const HlSystem *sys;      /* " */
  HlWork *work;             /* arranged as the run's */
  int n, np, n_outputs;
  HlArena arena;                      /* for the run */
  HlArena sized;                      /* of n states */
  double *s;                          /* n x np: at the end of the last step */
  double *Y;                          /* n x HL_TANGENT_STAGES: states of a step */
  double *J;                          /* n x n x HL_TANGENT_STAGES */
  double *M;                          /* HL_TANGENT_STAGES n x HL_TANGENT_STAGES n */
  double *y, *y_dot, *before, *after; /* n */
  double *node;                       /* n: a state of a neighbor */
  double *scale;                      /* n: of deviations of the states */
  double *size;                       /* [np]: the largest s so far, in these scales */
  double *s_at;                       /* n x np: inside of the last step */
  int *pivots;                        /* HL_TANGENT_STAGES n */
  HlTangentPiece pieces[HL_TANGENT_MOST_PIECES];
  int n_pieces;
  double begin, end; /* of the last step [s] */
  double *slopes;    /* n_outputs x np */
  HlPoint **points;  /* np x nodes: between leave and arrange */
  int n_edges;
  double *edges;    /* 4 x n_edges: where a search begins, two looks of it, and of neighbors */
  double *at_start; /* n_edges */
  bool *nears;      /* n_edges: the run came nearer to it, between the last two looks */
  int *passed;      /* n_edges: edges that are passed at one time */
  double *shift;    /* 2 x np: dT/dp of an event, and of one that is tied to it */
  double *corners;  /* n_corners, rising */
  double *shifts;   /* n_corners x np: dT/dp; NAN: the corner is not there on one side */
  int n_corners;
  double turned; /* time of the last event if s jumped there, NAN: it did not */
  double *jump;  /* n x np: s behind it less s before it */
};

/* Evaluates a machine at y[n] in the work of the sensitivities: rates into out[n]. */
static inline HlStatus
hl_tangent_eval (HlSimTangent *self,
                 HlSimRun *run,
                 const HlSystem *sys,
                 double t,
                 const double y[],
                 double out[])
{
  return hl_dynamics_eval (sys, t, y, out, self->work, &run->fault);
}

/* out[n] := y[n] + e s[n] */
static inline void
hl_tangent_displace (
    const HlSimTangent *self, const double y[], const double s[], double e, double out[])
{
  for (int i = 0; i < self->n; i++)
    out[i] = y[i] + e * s[i];
}

/* The first edge that the run passes between `from` and `to` of its last step into *edge, -1 = none. Between *low and
 * *high it is passed. */
HlStatus hl_tangent_find_edge (HlSimTangent *self,
                               HlSimRun *run,
                               double from,
                               double to,
                               double *low,
                               double *high,
                               int *edge);
/* s over the edge that was found last. */
HlStatus
hl_tangent_pass_edge (HlSimTangent *self, HlSimRun *run, int edge, double low, double high);

/* At the start of the run, behind the first arrangement. */
HlStatus hl_tangent_begin_events (HlSimTangent *self, HlSimRun *run);
/* Edges at which the run has just taken another piece of a store's law (hl-store-pieces.h) and f jumps, into
 * `passed`; returns how many. */
int hl_tangent_find_ended (HlSimTangent *self, const HlSimRun *run, double t);
/* dT/dp of the first of n_passed into `shift`, and the slope of the run up to T into `before`; the work stands before T. */
HlStatus hl_tangent_leave_pieces (HlSimTangent *self, HlSimRun *run, double t, int n_passed);
/* The run's pieces for the sensitivities. */
void hl_tangent_take_pieces (HlSimTangent *self, const HlSimRun *run);
/* jump := (before - after) shift, and s with it. */
void hl_tangent_jump (HlSimTangent *self);
