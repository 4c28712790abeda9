/* SPDX-License-Identifier: MIT */
/* A component is a class: one file per kind of component holds everything about it, and all other code uses
 * the class. The table of all classes is hl_components[] (hl-component-table.c); its order is that of the palette.
 *
 * A component has ports, branches (ways of oil between two ports, or from the outside into one),
 * states of its own, and signals that command it; one that moves with the linkage also has a length
 * or an angle, and its rate. Its law gives, from the pressures of the ports, the states, the signals
 * and that motion,
 *
 *   q    flow of each branch, from its first port to its second        [m3/s]
 *   x'   rate of each state
 *
 * and, on request, the exact partial derivatives of all of these by every port pressure, state, signal and motion:
 * d[column * n_rows + row], rows = branches, then states, columns = ports, states, signals, and of what moves its
 * length and rate. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/hl-element-kind.h"
#include "core/hydro/hl-fluid.h"
#include "core/hydro/hl-component-passages.h"

#define HL_MOST_PORTS HL_KIND_MAX_PORTS
#define HL_MOST_BRANCHES HL_KIND_MAX_BRANCHES
#define HL_MOST_COMMANDS 2 /* signals of one component */
#define HL_MOST_WORDS 4    /* descriptions of states */
#define HL_MOST_PASSAGES 6
#define HL_MOST_LEVELS 16  /* of one signal of a component */
#define HL_MOST_STATES 128 /* of one component */
#define HL_MOTIONS 2       /* length and rate of what moves with the linkage */
#define HL_MOST_LAW_COLUMNS (HL_MOST_PORTS + HL_MOST_STATES + HL_MOST_COMMANDS + HL_MOTIONS)

typedef struct HlComponentClass HlComponentClass;
typedef struct HlComponentHelp HlComponentHelp; /* hl-component-help.h */

/* One component of a compiled system. */
typedef struct {
  const HlComponentClass *klass;
  void *self;                   /* numbers of its kind, klass->size bytes: fields at their places, and
                              what derive () makes of them */
  uint64_t stated;              /* by field: the file, or a parameter since, states it */
  double outside;               /* derived: pressure outside of all lines [Pa] */
  bool is_joint;                /* its lines are one: joins_lines () when it was compiled */
  int cylinder;                 /* into the cylinders; -1 = it is none */
  int node[HL_MOST_PORTS];      /* hydraulic node of each port; -1 = on no line */
  int line[HL_MOST_PORTS];      /* line of the drawing, likewise */
  int signal[HL_MOST_COMMANDS]; /* into the signals; -1 = none */
  int n_branches, n_states;
  int first_branch; /* into the branches, and into work->flow */
  int first_state;  /* among the component states */
  int first_d;      /* of its derivatives in work->law_d */
  int first_passage, n_passages;
  int store;           /* place among the stores of the system; -1 = it is none */
  bool is_partly_shut; /* some branch has a port on no line */
  bool has_absent;     /* some port on no line reads another one */
} HlComponent;

/* A branch: ports, -1 = the outside. */
typedef struct {
  int from, to;
  unsigned feels; /* bits of the ports that its flow depends on; 0: its own two */
} HlWay;

/* Side of the derivatives where a law has two slopes. */
typedef enum { HL_SIDE_MEAN, HL_SIDE_UP, HL_SIDE_DOWN } HlSide;

typedef struct {
  const double *p;      /* pressure of each port; one on no line reads what the class says [Pa] */
  const double *state;  /* n_states */
  const double *signal; /* n_signals: their values */
  double length, speed; /* of what moves with the linkage, else 0 [m, m/s or rad, rad/s] */
  double *q;            /* n_branches: written by the law */
  double *rate;         /* n_states: written by the law */
  double *d;            /* NULL: not requested. Zeros before; columns x n_rows, see above */
  int n_rows;
  HlSide side;
  /* bits of the branches of `lift`: an open branch stays open, with its law continued smoothly beyond its
   * closing point; a closed branch passes nothing at any lift */
  unsigned open, shut;
  unsigned in_full; /* bits of ports from which a pump draws in full, however low the pressure is there */
  int piece;        /* of a store, see HL_PIECE_BY_STATE */
} HlLaw;

/* Pressures read by a port that is not connected to a line. */
typedef enum {
  HL_ABSENT_SHUT,    /* nothing: branches that end there carry no flow */
  HL_ABSENT_AS_PORT, /* the pressure of another port, .as; they carry none either */
  HL_ABSENT_OUTSIDE, /* the pressure outside; they carry none either */
  HL_ABSENT_OPEN     /* the ambient pressure, to which branches lead */
} HlAbsentReading;

typedef struct {
  HlAbsentReading reading;
  int as;
} HlAbsentPort;

/* A state in words. */
typedef struct {
  const char *name; /* "spool": the path of the state is ID.name */
  HlQuantity quantity;
  double tolerance;                          /* a small deviation, for error tests */
  double (*scale) (const HlComponent *self); /* a typical value; NULL: 1 */
  size_t start;     /* place of the field that it starts from, as in HlField; 0: it starts at 0 */
  size_t lag;       /* place of the time constant with which it follows its signal, first order; 0: it
                    follows none, and has no meaning without compressible oil */
  int follows;      /* that signal */
  bool is_numbered; /* there may be several: the path is ID.name_1, ... */
  bool keeps;       /* an equilibrium leaves it where it starts: any value of it is at rest */
} HlStateWord;

/* The compliance of a store jumps where the store begins or ceases to take in oil. Between two such edges its
 * law is smooth; with a given piece it continues smoothly beyond the edges. Piece k + 1 lies behind k edges.
 * HL_PIECE_BY_STATE selects the piece that contains the pressure and the state. */
#define HL_PIECE_BY_STATE 0

/* Oil that a component takes in by pressure alone. */
typedef struct {
  double compliance; /* dV/dp [m3/Pa] */
  double slope;      /* of the compliance by the pressure */
  double gas_volume; /* [m3] */
  double energy;     /* taken in by its gas or spring [J]; dE/dp = p dV/dp */
} HlStored;

/* Numbers with which nothing can be computed. */
typedef struct {
  const char *field; /* the one to look at */
  const char *mend;  /* HL_TEXT */
  double to;         /* that number would do; of a flag: not 0 */
} HlWrong;

struct HlComponentClass {
  HlKind kind; /* first: words, ports, fields, outputs */
  size_t size; /* of what `self` points to */
  int n_branches;
  HlWay ways[HL_MOST_BRANCHES];
  int n_signals; /* fields of type signal, in their order */
  int n_states;
  HlStateWord states[HL_MOST_WORDS];
  HlAbsentPort absent[HL_MOST_PORTS];

  /* counts the branches of this component, if the number depends on its parameters; NULL: as above */
  int (*count_branches) (const HlComponent *self);
  int (*count_states) (const HlComponent *self);
  /* the name of a state, and its index (from 0) among the states of this name; NULL: each name belongs to
   * one state */
  int (*word_of) (const HlComponent *self, int state, int *number);
  /* numbers that follow from others; NULL: none do */
  void (*derive) (HlComponent *self, const HlFluid *fluid);
  /* the law; NULL: it has no branches and no states */
  void (*eval) (const HlComponent *self, HlLaw *law);
  /* distance of a branch from closed: open above 0, closed below 0, of the order of 1 where relevant; from
   * law->p, ->state and ->signal. NULL: no branch ever closes
     matters; from law->p, ->state and ->signal. NULL: no branch ever closes */
  double (*lift) (const HlComponent *self, const HlLaw *law, int branch);
  /* values of its signal `command` at which the law bends whatever the pressures are, such as where an edge opens;
     into levels[], returns their number. NULL: none does */
  int (*levels) (const HlComponent *self, int command, double levels[HL_MOST_LEVELS]);
  /* kinks of what `store` takes in: n_store_edges of them, each passing 0 there and of the order of 1; NAN
     where the numbers have none; from law->p and ->state */
  int n_store_edges;
  double (*store_edge) (const HlComponent *self, const HlLaw *law, int edge);
  /* returns whether the derivatives in one column differ on the two sides; NULL: never */
  bool (*is_kinked) (const HlComponent *self, const HlLaw *law, int column);
  /* value of the output HL_READS_LAW with this part; d, where it is not NULL, holds zeros and takes
     the slopes by ports, states and signals. law->q is NULL */
  double (*output) (const HlComponent *self, const HlLaw *law, int part, double d[]);
  /* returns whether this component offers the output with this number; NULL: always */
  bool (*has_output) (const HlComponent *self, int output);
  /* where a state of its own rests at the pressures and signals of the start: it begins there unless
     the file states where; NULL: at hl_component_start () */
  double (*rest) (const HlComponent *self, const HlLaw *law, int state);
  /* of a state that is the pressure of oil of its own: compliance over that of its liquid alone, which
     a pocket of vapour and air raise; 1 for every other state. NULL: it has no such state */
  double (*softening) (const HlComponent *self, const HlLaw *law, int state);
  /* of such a state, in incompressible oil: what comes into it by pressures alone, not by what
     moves with the linkage [m3/s]; d[ports + states], zeros, takes the slopes. NAN: it is no such
     state. NULL: none is */
  double (*gathers) (const HlComponent *self, const HlLaw *law, int state, double d[]);
  /* where a state that its numbers leave out stands at this value of the signal that it follows, and
     the slope of that; NULL: at the signal */
  double (*stands) (const HlComponent *self, double signal, double *slope);
  /* adds power stored, lost and supplied [W] of all its branches, from law->p, ->state, ->signal and
     ->q; NULL: of every branch q (p_first - p_second) is lost, and what comes from outside supplied */
  void (*power) (const HlComponent *self, const HlLaw *law, double powers[3]);
  /* computes the part of the line at a port: volume [m3] and compliance [m3/Pa]; NULL: none. After derive ()
     After derive () */
  void (*hose) (const HlComponent *self, int port, double *volume, double *compliance);
  /* time that a pressure wave takes through one of the *n_segments of a pipe [s]; 0: it is in none. After derive ();
     NULL: it is no pipe */
  double (*travel_time) (const HlComponent *self, int *n_segments);
  /* NULL, or why nothing can be computed with these numbers (HL_TEXT), and what would help. After
     derive () */
  const char *(*is_wrong) (const HlComponent *self, HlWrong *wrong);
  /* oil taken in at pressure p of its first port, by the law of a piece (HL_PIECE_BY_STATE); NULL: it is no
     store */
  void (*store) (const HlComponent *self, double p, int piece, HlStored *out);
  /* keeps its line at this pressure [Pa]; NULL: it does not. A tank takes back its argument */
  double (*given_pressure) (const HlComponent *self);
  bool is_tank;
  bool closes;   /* its one port, on purpose, and nothing else */
  bool relieves; /* from its first port to its second, above a pressure: what a pump needs beside it */
  bool
      carries; /* inflow of the first port = outflow of the second: oil with inertia, a shaft without stops */
  bool
      coasts; /* its first state is the speed of a shaft that pressures drive: through all of its branches oil goes
                  at any pressure, and the models without compressibility have no equation for it */
  bool keeps_flow; /* from its first port to its second, whatever the pressures are */
  int delivers;    /* 1 + the port into which its first branch brings oil against any pressure; 0: none */
  /* returns whether its two lines are one in the lumped model; NULL: never. After derive () */
  bool (*joins_lines) (const HlComponent *self);
  /* false when a compile would give other lines or states than it had, with reason and mend
     (HL_TEXT); NULL: always true */
  bool (*keeps_shape) (const HlComponent *self, const char **why, const char **mend);
  /* returns whether a change of a number requires a new compile; NULL: never */
  bool (*is_shape) (const HlComponent *self, const HlField *field);
  /* fills at most HL_MOST_PASSAGES and returns their number, which no parameter changes; NULL: none */
  int (*passages) (const HlComponent *self, HlPassage out[]);
  bool is_cylinder;            /* self is one of the system's cylinders, between two points of the linkage */
  bool is_rotary;              /* and turns: between two bodies, its length is an angle */
  bool no_chambers;            /* and holds no oil of its own */
  const HlComponentHelp *help; /* its formulas and curves for people */
};

extern const HlComponentClass *const hl_components[];
extern const int hl_n_components;

/* Returns the class of a kind; NULL for an unknown one. */
const HlComponentClass *hl_component_class (const char *kind);

/* Returns the place of the number at an offset as in HlField (1 + offset). */
static inline double *hl_component_number (const HlComponent *c, size_t place) {
  return (double *)(void *)((char *)c->self + place - 1);
}

/* Returns whether the file states the number at this place, or a parameter has set it. */
bool hl_component_states (const HlComponent *c, size_t place);
#define HL_STATES(c, type, member) hl_component_states (c, 1 + offsetof (type, member))

/* Returns the index of a field by its name, -1 = none. */
int hl_component_find_field (const HlComponent *c, const char *name);

/* Computes the derived parameters of a component. */
void hl_component_derive (HlComponent *c, const HlFluid *fluid);

/* Counts branches and states, after derive (); ports and signals are known. */
void hl_component_count (HlComponent *c);

/* Returns whether a pump's swash moves otherwise under high pressures than without: the rate of its flow then
 * hangs on what becomes of the pressures, and they on its flow. Its states are numbered. */
bool hl_component_measures_pressures (const HlComponent *c);

/* Returns the number of rows and columns of the derivatives of a law (HlLaw.d): branches and states by ports,
 * states and signals. */
static inline int hl_component_n_rows (const HlComponent *c) {
  return c->n_branches + c->n_states;
}
/* Returns the number of columns of the component's law, see HlLaw. */
static inline int hl_component_n_columns (const HlComponent *c) {
  return c->klass->kind.n_ports + c->n_states + c->klass->n_signals +
         (c->klass->is_cylinder ? HL_MOTIONS : 0);
}
/* Returns the column of the length of a moving component; that of its rate is the next one. */
static inline int hl_component_motion_column (const HlComponent *c) {
  return c->klass->kind.n_ports + c->n_states + c->klass->n_signals;
}

/* Fills in what its ports on no line read. */
void hl_component_read_absent (const HlComponent *c, double p[HL_MOST_PORTS]);

/* Evaluates the law of a component with branches or states: `p` of its ports as they are, where a
 * port on no line may hold anything; law->p is set here. */
void hl_component_eval (const HlComponent *c, double p[HL_MOST_PORTS], HlLaw *law);

/* Returns an output HL_READS_LAW and, where d[ports + states + signals] is not NULL, its slopes by these.
 * `law` has pressures as hl_component_read_absent () leaves them. */
double hl_component_output (const HlComponent *c, const HlLaw *law, int part, double d[]);

/* Returns the start value of a state; its time constant [s], 0 when it follows no signal. */
double hl_component_start (const HlComponent *c, int state);
double hl_component_lag (const HlComponent *c, int state);

/* Implements HlComponentClass.passages: one per branch, whose flow follows its pressures by the law; the oil
 * models evaluate the law, and no closed form contains it. */
int hl_component_passages_by_law (const HlComponent *c, HlPassage out[]);
/* Passages with the numbers of the system in them; out has room for n_passages. */
void hl_component_passages (const HlComponent *c, int component, HlPassage out[]);

/* Returns the name of a state; *number, if not NULL: its index (from 0) among the states of this name. */
const HlStateWord *hl_component_word (const HlComponent *c, int state, int *number);
/* Name of a state into text: "spool", "flow_2". */
#define HL_STATE_NAME_ROOM 64
const char *hl_component_state_name (const HlComponent *c, int state, char text[HL_STATE_NAME_ROOM]);

/* Returns whether a branch stays open or closed whatever its lift. For laws. */
static inline bool hl_law_goes_on (const HlLaw *law, int branch) {
  return (law->open >> branch & 1U) != 0;
}
/* Returns whether a branch is held open or closed, see hl_law_goes_on (). */
static inline bool hl_law_is_held (const HlLaw *law, int branch) {
  return (law->shut >> branch & 1U) != 0;
}
/* An opening below this part of the full one counts as closed where a branch must be one or the other
 * (lift), and one that stays open is never less than half of it. */
#define HL_LEAST_OPENING 1.0e-6
/* Pressure difference by which a seat that only the difference lifts is open by 1 [Pa]. */
#define HL_SEAT_LIFT 1.0e5

/* Sets a derivative of one branch or state. For laws. */
static inline void hl_law_set (HlLaw *law, int row, int column, double value) {
  law->d[column * law->n_rows + row] = value;
}
/* Sets a branch that depends on the difference of two ports: the flow, and its slope by the difference. */
static inline void hl_law_pass (HlLaw *law, const HlWay *way, int branch, double q, double slope) {
  law->q[branch] = q;
  if (law->d == NULL)
    return;
  hl_law_set (law, branch, way->from, slope);
  hl_law_set (law, branch, way->to, -slope);
}
