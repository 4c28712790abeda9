/* SPDX-License-Identifier: MIT */
/* Warnings about the rows of a run: energy that is lost at the start, compressible lines of the hybrid model, and lines
 * whose pressure leaves the range of their liquid: once a line, with the time of the start and the largest deviation.
 * Pressures are absolute. In the hybrid and quasistatic models the liquid would be under tension below the vapour
 * pressure, and later results are not valid. The lumped model has pockets of vapour there (theory/fluid.md), whose
 * openings and collapses stand in the ledger, as does a line above simulation.pressure_limit. */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/system/hl-system.h"

/* A pressure this far below that of vapour may be rounding of a line that a tank keeps there.
 * [Pa] */
#define HL_CAVITATION_MARGIN 1.0

#define HL_MOST_FEEDS 4 /* elements that a line over the limit names */

typedef enum {
  HL_DOUBT_PULLS,  /* the liquid would be under tension: models without a vapour law */
  HL_DOUBT_POCKET, /* a pocket of vapour stands beside it */
  HL_DOUBT_BURSTS  /* the pressure is above simulation.pressure_limit */
} HlDoubt;

typedef struct {
  HlDoubt kind;
  int line;          /* file order */
  int cushion;       /* cylinder (component) in whose chamber, behind a cushion on the line, the pressure was
                      * lowest; -1: in the line itself */
  double since;      /* first time [s]; NAN: of a single state */
  double lowest;     /* the highest one of what bursts [Pa] */
  double lowest_at;  /* [s] */
  int n;             /* pockets: how often one opened */
  double hardest;    /* pockets: fastest rise of the pressure where one collapses [Pa/s]; 0: none did */
  double hardest_at; /* [s] */
  int n_feeds;       /* components that fed the line then */
  int feeds[HL_MOST_FEEDS];
} HlCavitation;

typedef enum { HL_LEDGER_POCKET_OPENS, HL_LEDGER_POCKET_COLLAPSES, HL_LEDGER_OVER_LIMIT } HlOilEventKind;

/* One line of the ledger of the lumped model. */
typedef struct {
  double t;
  HlOilEventKind kind;
  int line;    /* file order */
  double rate; /* of the pressure: net/C_liquid [Pa/s] */
} HlOilEvent;

/* Keeps at most this many. */
#define HL_OIL_LEDGER_MOST 100000

typedef struct _HlCavitations HlCavitations;

/* Returns a new, empty list of the cavitation of a run or a state. Not shared between threads. */
HlCavitations *hl_cavitations_new (const HlSystem *sys);
HlCavitations *hl_cavitations_copy (const HlCavitations *self);
void hl_cavitations_free (HlCavitations *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCavitations, hl_cavitations_free)

/* Forgets everything: the run begins anew. */
void hl_cavitations_clear (HlCavitations *self);

int hl_cavitations_n (const HlCavitations *self); /* NULL: 0 */
/* Returns an entry, in the order in which they began. Borrowed. */
const HlCavitation *hl_cavitations_get (const HlCavitations *self, int index);

/* Returns the pressure of a line at t, or the lower one that follows the cushion of a cylinder there
 * (-1: no such), later than the one before it. Answers 1 when the line falls below the limit, -1 when it
 * rises above it again, else 0; *at (optional) is when: between the two looks, for pressures are nearly
 * straight over one step, or with `jumped` now. */
int hl_cavitations_look (HlCavitations *self, const HlSystem *sys, int line, int cushion, double t,
                         double pressure, bool jumped, double *at);
/* Examines a single state of the lumped model, such as its equilibrium. */
void hl_cavitations_look_at_point (HlCavitations *self, const HlSystem *sys, const HlPoint *point);

/* Returns the ledger, in the order of time; borrowed. */
int hl_cavitations_n_events (const HlCavitations *self); /* NULL: 0 */
const HlOilEvent *hl_cavitations_get_event (const HlCavitations *self, int index);
/* Returns the text of an event: "the pocket of vapour in head collapses, 3.1e+10 Pa/s". Owned by the caller. */
char *hl_oil_event_text (const HlSystem *sys, const HlOilEvent *event);

/* Add, for the run that is recorded: an event; and the pressure of a line at the end of a step, if it is
 * below the onset or above the limit. feeds[] are components, ended by -1; NULL: none. */
void hl_cavitations_add_event (HlCavitations *self, const HlSystem *sys, const HlOilEvent *event,
                               const int feeds[]);
void hl_cavitations_note_pressure (HlCavitations *self, const HlSystem *sys, int line, double t,
                                   double pressure);
/* Returns the pressure [Pa] of a line at the latest note, NAN = none yet; *t [s]: when that was. */
double hl_cavitations_last_pressure (const HlCavitations *self, int line, double *t);

/* Returns the text of a warning: "its pressure falls below 0 Pa at t = 0.012 s, down to -1.7 MPa ...". Owned
 * by the caller. */
char *hl_cavitation_what (const HlSystem *sys, const HlCavitation *cavitation);
/* Returns the remedy. Borrowed. */
const char *hl_cavitation_advice (const HlSystem *sys, const HlCavitation *cavitation);
/* Returns the warning and its remedy, beginning with the line's name. Owned by the caller. */
char *hl_cavitation_text (const HlSystem *sys, const HlCavitation *cavitation);

/* Lines of the hybrid model whose oil is compressible although nothing there stores any: oil that keeps its
 * volume had no answer there (theory/hybrid.md, "Compressible lines"). */

typedef struct {
  int n;    /* lines; 0: no warning */
  int line; /* the first one */
  double t; /* when it began [s] */
} HlCompressibleLines;

/* Returns the text of the lines that became compressible: "the oil of ‘L4’ is compressible from t = 0.1 s on,
 * as in the lumped model: ..."; NULL when none does. Owned by the caller. */
char *hl_compressible_lines_text (const HlSystem *sys, const HlCompressibleLines *of);

/* Energy that a run of the hybrid model loses before its first row: bodies that move in the file meet
 * oil that stands still, or a stop, and come to one speed with it at once (theory/hybrid.md,
 * "Start"). */

/* A smaller part of the energy of the bodies is rounding. */
#define HL_START_LOSS_PART 1e-9

typedef struct {
  double energy; /* [J]; 0: no warning */
  double before; /* kinetic energy of the bodies as the file has them [J] */
  int component; /* the cylinder whose speed changes most, by the oil that it moves; -1: none */
  bool is_stop;  /* it stands at its stop */
} HlStartLoss;

/* Returns the text of the start loss: "the start: 4.5 of 4.5 J lost, because ...; start them at rest"; NULL
 * when nothing was lost. Owned by the caller. */
char *hl_start_loss_text (const HlSystem *sys, const HlStartLoss *loss);
