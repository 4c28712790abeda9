/* SPDX-License-Identifier: MIT */
/* Incompressible network with fluid inertia: what never changes during a run, and the numbers that
 * do. The equations are (theory/hybrid.md (1)-(3))
 *
 *   v = [q ; w]             one volume flow per line, then n_mech velocities of the mechanics
 *   M v' + W lam = F
 *   W^T v = -b
 *
 * with M = diag (I_1 .. I_lines, mass block). Every constraint that can ever be active has a fixed
 * column index, in this order:
 *
 *   junctions (P:)   links (F:)   lower and upper stop of each cylinder (F:)   closed lines (D:)
 *
 * A mode picks a subset of these columns; all of lam, impulses and flags are
 * indexed by column.
 *
 * Signs: cylinder stroke rate s' = J_s w; a chamber of signed area A grows by A s' (positive for
 * the head side, negative for the rod side). Upper stop: column +J_s^T, lower stop: -J_s^T, both
 * with multiplier >= 0. Closed line: +1 on its flow; the raw multiplier is p_from - p_to -
 * crack_pressure and is <= 0 while a check or relief line stays closed. */
#pragma once

#include "core/hybrid/hl-hybrid-constraint-reduction.h"
#include <stdint.h>
#include <stdbool.h>

#include "core/base/hl-arena.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-flow-law.h"

typedef enum {
  HL_HYBRID_PIPE,  /* never shut */
  HL_HYBRID_VALVE, /* opened and closed by commands */
  HL_HYBRID_CHECK, /* flow >= 0; opens when p_from - p_to rises to its crack pressure (usually 0) */
  HL_HYBRID_RELIEF /* the same with a crack pressure; the last to be opened at the start */
} HlHybridLineKind;

/* theory/hybrid.md (4), (5):
 *   I q' = p_from - p_to - Rl q - dp_C (q) - K q |q| - crack_pressure
 *   K    = loss_quadratic + extra_loss + valve_loss / max (opening, min_opening)^2 */
typedef struct {
  HlHybridLineKind kind;
  int from_node;
  int to_node;
  double inertia;      /* I = rho L / A_pipe > 0   [Pa s^2/m^3] */
  double loss_linear;  /* Rl >= 0                  [Pa s/m^3] */
  int first_churchill; /* dp_C: of pipes with Churchill's friction, into the tables */
  int n_churchill;
  double loss_quadratic; /* fixed part of K          [Pa s^2/m^6] */
  double valve_loss;     /* K at opening 1; 0 when the line has no valve */
  double min_opening;    /* smallest opening that K sees, > 0 when valve_loss > 0 */
  double crack_pressure; /* [Pa] */
} HlHybridLine;

typedef struct {
  double stroke_min; /* -INFINITY: no lower stop  [m] */
  double stroke_max; /* +INFINITY: no upper stop  [m] */
} HlHybridCylinder;

typedef struct {
  int cylinder;
  int node;
  double area; /* signed, + when a growing stroke enlarges the chamber  [m^2] */
} HlHybridChamber;

/* A way of oil without inertia: its flow follows from pressures (theory/hybrid.md, "Ways without
 * inertia"). While it is open it joins its nodes into one group. */
typedef struct {
  int from_node; /* -1: the outside */
  int to_node;
} HlHybridEdge;

/* The tables. A line may carry a check and a commanded valve at once: any line can be closed by
 * command. */
typedef struct {
  const HlArena *beside; /* memory is taken from where this has its own; NULL: any */
  int n_nodes;
  int n_lines;
  int n_cylinders;
  int n_chambers;
  int n_links;    /* linear constraints between mechanical velocities, rows given at each evaluation */
  int n_mech;     /* mechanical velocities */
  int n_edges;    /* ways of oil without inertia */
  int most_edges; /* with other numbers of the same drawing, for which there is room; below n_edges: no more */
  int n_churchill;           /* pipes with Churchill's friction, in the order of their lines */
  const bool *node_is_fixed; /* tank or pressure source: pressure known, no constraint   n_nodes */
  const HlHybridLine *lines;
  const HlChurchill *churchill; /* n_churchill */
  const HlHybridCylinder *cylinders;
  const HlHybridChamber *chambers;
  const HlHybridEdge *edges;
} HlHybridTables;

/* Compiled copy of the tables; changed by hl_hybrid_network_fix_node () alone. */
typedef struct {
  HlArena arena; /* of itself and the rows of its tables */
  HlHybridTables tables;
  int n_states;   /* n_lines + n_mech */
  int n_columns;  /* all columns that can ever be active; fixed nodes keep a place that is never used
                  */
  int n_slots;    /* event functions: n_lines + 2 n_cylinders + n_edges, see hl-hybrid-events.h */
  int most_slots; /* likewise, with most_edges: arrays have room for so many */
} HlHybridNetwork;

/* Checks the tables and copies them. NULL with HL_BAD_MODEL when an index is out of range, an
 * inertia not positive, a loss negative, a number not finite, or when there are more lines and
 * stops than a mode key holds; fault->entity_kind is HL_ENTITY_LINE for lines and
 * HL_ENTITY_COMPONENT for cylinders and chambers, fault->entity their row. Owned by the caller. */
HlHybridNetwork *hl_hybrid_network_new (const HlHybridTables *tables, HlFault *fault);
void hl_hybrid_network_free (HlHybridNetwork *net);
/* Makes the pressure of a node a given one from now on, or with `is_fixed` false an unknown one again. Modes that were made before
 * are void. */
void hl_hybrid_network_fix_node (HlHybridNetwork *net, int node, bool is_fixed);

/* ---- columns ---- */

typedef enum {
  HL_HYBRID_NODE_PRESSURE, /* P: entity is the node */
  HL_HYBRID_LINK_FORCE,    /* F: entity is the link */
  HL_HYBRID_STOP_LOWER,    /* F: entity is the cylinder */
  HL_HYBRID_STOP_UPPER,    /* F: entity is the cylinder */
  HL_HYBRID_LINE_DROP      /* D: entity is the line; raw multiplier, without the crack pressure */
} HlHybridColumnKind;

/* Returns the column of each constraint (rows as in the tables), and back: what a column is, *entity whose
 * (may be NULL). */
int hl_hybrid_node_column (const HlHybridNetwork *net, int node);
int hl_hybrid_stop_column (const HlHybridNetwork *net, int cylinder, bool upper);
int hl_hybrid_line_column (const HlHybridNetwork *net, int line);
HlHybridColumnKind hl_hybrid_column_kind (const HlHybridNetwork *net, int column, int *entity);

/* Returns the pressure drop of a closed line, stop force, node pressure ... from the raw multiplier of a
 * column: adds the crack pressure of a line, leaves the others. */
double hl_hybrid_column_value (const HlHybridNetwork *net, int column, double multiplier);

/* Returns whether a line opens by itself: check or relief. */
bool hl_hybrid_line_is_one_sided (const HlHybridNetwork *net, int line);

/* ---- the numbers of one evaluation ---- */

/* All arrays belong to the struct; matrices are column-major. The caller fills the first group at a
 * position (and time), the second one once the velocities are known. hl_hybrid_inputs_new sets
 * openings to 1, has_arm to true and everything else to 0. */
typedef struct {
  HlArena arena; /* of itself and its arrays */
  /* functions of time and position */
  double *stroke;       /* s                              [m]      n_cylinders */
  double *stroke_row;   /* J_s: s' = J_s w + stroke_drift          n_cylinders x n_mech */
  double *stroke_drift; /* part of s' by driven joints [m/s]  n_cylinders */
  double *momentum;     /* of the motion that driven joints make, along w     n_mech */
  bool *has_arm;        /* its length determines the side of its dead point  n_cylinders */
  double *link_row;     /* rows of the links                       n_links x n_mech */
  double *mass;         /* symmetric positive definite             n_mech x n_mech */
  double *inflow;       /* b: pump flow into each node    [m^3/s]  n_nodes */
  double *inflow_rate;  /* b'                                      n_nodes */
  /* of fixed nodes; where there are edges, of every node that has no column of its own: its
   * pressure in a group that is joined to a fixed node, else what it has above the node whose column
   * stands for the group. n_nodes [Pa] */
  double *node_pressure;
  double *opening;               /* commanded openings, 0 .. 1              n_lines */
  double *extra_loss;            /* variable losses beside the one valve    n_lines */
  const double *straight_at;     /* flows about which the losses are taken straight; NULL: they are not.
                                Borrowed  [m^3/s]                   n_lines */
  const int *group;              /* by hl_hybrid_frame_set (): node whose column stands for each node's group,
                       -1 = joined to a fixed node; NULL without edges. Borrowed  n_nodes */
  const struct HlHybridKey *key; /* of the mode, likewise. Borrowed */
  bool *edge_is_open;            /* of the mode, likewise                          n_edges */
  /* functions of time, position and velocity */
  double *force;       /* generalised force without oil             n_mech */
  double *stroke_bias; /* J_s' w                           [m/s^2]  n_cylinders */
  double *link_bias;   /* (link_row)' w                             n_links */
} HlHybridInputs;

/* Returns storage for the inputs of one evaluation. Owned by the caller. */
HlHybridInputs *hl_hybrid_inputs_new (const HlHybridNetwork *net);
void hl_hybrid_inputs_free (HlHybridInputs *in);

/* Computes the column of W for one constraint, w[n_states]; its b, and its b' + W'^T v. */
void hl_hybrid_column_assemble (const HlHybridNetwork *net, const HlHybridInputs *in, int column, double w[]);
/* Computes the same column without the cylinders that have no lever arm. */
void hl_hybrid_column_assemble_hold (const HlHybridNetwork *net, const HlHybridInputs *in, int column,
                                     double w[]);
double hl_hybrid_column_inflow (const HlHybridNetwork *net, const HlHybridInputs *in, int column);
double hl_hybrid_column_rate (const HlHybridNetwork *net, const HlHybridInputs *in, int column);

/* Returns q |q| of a line, or its tangent about straight_at[n_lines] if that is not NULL: a linearization
 * needs the tangent, since differences of q |q| have a kink at 0. */
double hl_hybrid_flow_square (const double straight_at[], int line, double flow);
/* Returns the pressure that Churchill's friction takes in a pipe of a line; its tangent likewise. */
double hl_hybrid_churchill_drop (const HlChurchill *pipe, const double straight_at[], int line, double flow);

/* Computes F (v, t), force[n_states], at v[n_states]: losses, fixed pressures and crack pressures of the
 * lines; for the mechanics in->force plus the pressures of chambers connected to a fixed node. */
void hl_hybrid_force_eval (const HlHybridNetwork *net, const HlHybridInputs *in, const double v[],
                           double force[]);

/* A mode: which lines are closed and which stops are held, with everything about it that does not
 * change from one evaluation to the next (active columns, rank, independent states). Modes are
 * cached by their key, so that the analysis is done once. */

/* Set of bits, compared and copied by value: 2 stops per cylinder, then each line "shut by itself"
 * (check or relief), then each line "shut by command", of which only one is ever set for a line,
 * then each edge "does not pass oil by pressure". */
#define HL_HYBRID_KEY_WORDS 32
typedef struct HlHybridKey {
  uint64_t words[HL_HYBRID_KEY_WORDS];
} HlHybridKey;

/* Returns whether a stop of a cylinder is held in the mode, and to hold it or let it go. */
bool hl_hybrid_key_has_stop (const HlHybridNetwork *net, const HlHybridKey *key, int cylinder, bool upper);
void hl_hybrid_key_set_stop (const HlHybridNetwork *net, HlHybridKey *key, int cylinder, bool upper,
                             bool held);

typedef enum {
  HL_HYBRID_LINE_OPEN,
  HL_HYBRID_LINE_CLOSED, /* by itself: check or relief */
  HL_HYBRID_LINE_SHUT    /* by command */
} HlHybridLineState;

/* Get and set the state of a line in the mode. */
HlHybridLineState hl_hybrid_key_get_line (const HlHybridNetwork *net, const HlHybridKey *key, int line);
void hl_hybrid_key_set_line (const HlHybridNetwork *net, HlHybridKey *key, int line, HlHybridLineState state);

/* Returns whether an edge is open in the mode, and to set it. */
bool hl_hybrid_key_is_open (const HlHybridNetwork *net, const HlHybridKey *key, int edge);
void hl_hybrid_key_set_open (const HlHybridNetwork *net, HlHybridKey *key, int edge, bool is_open);

/* Returns the key with nothing but commanded valves and edges: the equality constraints that no impact can
 * open. */
HlHybridKey hl_hybrid_key_base (const HlHybridNetwork *net, const HlHybridKey *key);

/* Returns whether a column of the network is a constraint in a mode; of a node, unless edges join it to
 * others. */
bool hl_hybrid_key_has_column (const HlHybridNetwork *net, const HlHybridKey *key, int column);
/* Holds or frees the stop or one-sided line of a column; one that is closed by command stays. */
void hl_hybrid_key_set_column (const HlHybridNetwork *net, HlHybridKey *key, int column, bool held);

typedef struct {
  HlArena arena; /* of itself and its arrays, but for the rank */
  HlHybridKey key;
  int index;    /* running number in the cache, in order of first use */
  int n_active; /* active columns */
  int *columns; /* their indices in the network, rising                 n_active */
  int *group;   /* as HlHybridInputs.group; NULL without edges          n_nodes */
  bool is_analyzed;
  bool *had_arm;      /* which cylinders had an arm where the rank was found   n_cylinders */
  HlHybridRank *rank; /* of W with the active columns; written by hl_hybrid_mode_analyze */
  long looked_for;    /* the number of the latest look-up that found it */
} HlHybridMode;

/* Redoes rank and independent states from w[n_states x n_active], where has_arm[n_cylinders] marks the cylinders in it,
 * and the scales 1 / sqrt (M_jj), scale[n_states]. Needed once, and again only when a geometry-dependent W has moved so
 * far that the stored choice is poor, or other cylinders have an arm. scratch: hl_hybrid_mode_scratch_size () doubles. */
void hl_hybrid_mode_analyze (const HlHybridNetwork *net, HlHybridMode *mode, const double w[],
                             const bool has_arm[], const double scale[], double scratch[]);
/* Returns whether the rank was found, and where the same cylinders had an arm. */
bool hl_hybrid_mode_is_known (const HlHybridNetwork *net, const HlHybridMode *mode, const bool has_arm[]);
int hl_hybrid_mode_scratch_size (const HlHybridNetwork *net);

typedef struct HlHybridModeCache HlHybridModeCache;

/* Places that may be passed to a cache. */
#define HL_HYBRID_USERS 4

/* Creates an empty cache that owns its modes. most: 0 for no limit, or the maximum number of modes, for
 * which the memory is allocated at once (greater than the number of places). When the cache is full, a new
 * key replaces the least recently used mode that no place refers to. Owned by the caller. */
HlHybridModeCache *hl_hybrid_mode_cache_new (const HlHybridNetwork *net, int most);
void hl_hybrid_mode_cache_free (HlHybridModeCache *cache);
/* Forgets all keys: modes that were looked up before are void, those in places too. */
void hl_hybrid_mode_cache_clear (HlHybridModeCache *cache);
/* Keeps the mode in a place (borrowed; or NULL) as that of its key. */
void hl_hybrid_mode_cache_use (HlHybridModeCache *cache, HlHybridMode *const *place);
/* Returns the mode of a key, made when it is new. Borrowed; valid as long as the cache; with a `most` until the next
 * look-up unless it is in a place. */
HlHybridMode *hl_hybrid_mode_cache_lookup (HlHybridModeCache *cache, const HlHybridNetwork *net,
                                           const HlHybridKey *key);
