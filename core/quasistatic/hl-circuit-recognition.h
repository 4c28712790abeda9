/* SPDX-License-Identifier: MIT */
/* Recognition of the quasistatic pattern in a circuit as drawn: which valve of the drawing plays
 * which part of the model (quasistatic reference, section 1).
 *
 * Per pump: a flow source with a bleed valve and a relief valve to the tank. Per cylinder: the way
 * from the pump through a check valve and a metering valve to either chamber (ph, pr), from either
 * chamber to the tank (th, tr), relief and suction valve of either chamber, and regeneration, a
 * one-way valve from the rod to the head chamber. A directional valve is four such valves. Orifices
 * in series or parallel are one; a valve in common of the two chambers stands in both ways. What is
 * missing is a closed valve, or a relief valve that never opens. Pipes are lines: neither their
 * resistance nor their inertia counts. The result depends neither on the order of the file nor on
 * that of ports. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/system/hl-system-private.h"

typedef enum {
  HL_TERM_ORIFICE,
  HL_TERM_CHECK, /* no resistance in its direction */
  HL_TERM_SERIES,
  HL_TERM_PARALLEL
} HlTermKind;

/* A conductance made of those of the drawing: leaves, and compounds of two earlier terms. */
typedef struct {
  HlTermKind kind;
  int passage;    /* leaf: of the system, positive as that is */
  int part[2];    /* compound: terms */
  double sign[2]; /* compound: +1 if the part's own direction is that of the compound */
  bool is_free;   /* only check valves on some way: no resistance */
} HlTerm;

/* The part of a valve: term -1 = there is none, it is closed. */
typedef struct {
  int term;
  double sign; /* +1 if the term's direction is that of the part (P to H, H to T, R to H ...) */
} HlCircuitValve;

typedef struct {
  int pump; /* -1 = none */
  HlCircuitValve ph, th, pr, tr, ua;
  int head_relief, rod_relief;   /* passage with the lowest limit, -1 = none */
  int head_suction, rod_suction; /* passage, -1 = none is drawn; the model has one */
} HlCircuitCylinder;

typedef struct {
  int passage; /* the flow source */
  HlCircuitValve ub;
  int relief; /* passage with the lowest limit; that of the source itself for its own; -1 */
} HlCircuitPump;

/* Role of a node of the system in the model. */
typedef enum {
  HL_PLACE_UNKNOWN, /* between orifices that are one in the model, or outside of it */
  HL_PLACE_TANK,
  HL_PLACE_PUMP,   /* index of the pump */
  HL_PLACE_SUPPLY, /* behind the check valve of a cylinder */
  HL_PLACE_HEAD,   /* index of the cylinder */
  HL_PLACE_ROD
} HlPlaceKind;

typedef struct {
  HlPlaceKind kind;
  int index;
} HlCircuitPlace;

/* Two valves that meet in a line in common and must not be open together. */
typedef struct {
  int cylinder;
  int term[2];
} HlCircuitPair;

typedef struct {
  HlArena arena; /* holds every array */
  int n_terms;
  HlTerm *terms; /* parts before compounds */
  int n_pumps;
  HlCircuitPump *pumps;
  int n_cylinders;              /* all of the system, same order */
  HlCircuitCylinder *cylinders; /* n_cylinders */
  int n_pairs;
  HlCircuitPair *pairs;
  HlCircuitPlace *places; /* n_nodes of the system */
  double tank;            /* the pressure that all others are relative to [Pa] */
  bool *is_used;          /* n_components: it has a part */
} HlCircuit;

/* Reasons why a drawing does not fit the model. */
typedef enum {
  HL_MISFIT_NONE,
  HL_MISFIT_EXTRA,           /* no part for the element */
  HL_MISFIT_PRESSURE_SOURCE, /* only flow sources feed the model */
  HL_MISFIT_ACCUMULATOR,
  HL_MISFIT_LEAKAGE,
  HL_MISFIT_CYLINDER,
  HL_MISFIT_ROTARY,
  HL_MISFIT_FEEDBACK,
  HL_MISFIT_PLUGGED_CHAMBER,
  HL_MISFIT_CHAMBER_ON_TANK,
  HL_MISFIT_SHARED_CHAMBER, /* two chambers on one line */
  HL_MISFIT_PUMP_AT_CHAMBER,
  HL_MISFIT_TWO_PUMPS,
  HL_MISFIT_TWO_TANKS, /* of different pressures */
  HL_MISFIT_NO_TANK,
  HL_MISFIT_NO_CHECK,    /* a metering valve without check valve towards the pump */
  HL_MISFIT_CRACKING,    /* a check valve with a cracking pressure where none may be */
  HL_MISFIT_NO_METERING, /* a check valve straight into a chamber */
  HL_MISFIT_TWO_WAY_REGENERATION,
  HL_MISFIT_WRONG_REGENERATION, /* from head to rod */
  HL_MISFIT_SMALL_HEAD,
  HL_MISFIT_NO_PUMP_LIMIT,
  HL_MISFIT_BAD_LIMIT, /* a relief pressure not above that of the tank */
  HL_MISFIT_BAD_FLOW,
  HL_MISFIT_BAD_AREA,
  HL_MISFIT_BARE_PIPE, /* without resistance between two lines with pressures of their own */
  HL_MISFIT_SHAFT,     /* a shaft in the oil, with a speed of its own */
  HL_N_MISFITS
} HlMisfitKind;

typedef struct {
  HlMisfitKind kind;
  int component; /* file order, -1 = none in particular */
  int line;      /* where it touches the pattern, -1 */
} HlMisfit;

/* Recognizes the circuit: HL_OK with a circuit to be cleared, or HL_BAD_MODEL with the element that does not
 * fit: the first in file order without which everything else would, if there is one. */
HlStatus hl_recognize (const HlSystem *sys, HlCircuit *circuit, HlMisfit *misfit);
void hl_circuit_clear (HlCircuit *circuit);

/* Returns the misfit as a sentence about the element, with the remedy; never NULL. Borrowed. */
const char *hl_misfit_text (HlMisfitKind kind);
const char *hl_misfit_advice (HlMisfitKind kind);
