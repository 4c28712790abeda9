/* SPDX-License-Identifier: MIT */
/* Directional valve: its forms are rows of one table, and the symbol of each. */
#include "core/hydro/valves/hl-directional-valve.h"
#include "core/schema/hl-element-schema.h"
#include "ui/paint/circuit/hl-symbol-shape.h"
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>
#include <string.h>

/* A form: its squares side by side, and the ports on them, P T A B C D in this order. */
typedef struct {
  unsigned ports;                       /* bits of those that it has */
  double column[HL_KIND_MAX_PORTS];     /* x of the port, from the square's left side */
  double left;                          /* x of the first square */
  double width;                         /* of a square */
  int n_squares;                        /* from left to right */
  int place[HL_SHAPE_SPOOL_PLACES];     /* of each: 0, 1, 2 for U = 1, 0, -1 */
  gboolean has_spring;                  /* on the right; else a second solenoid */
  unsigned ways[HL_SHAPE_SPOOL_PLACES]; /* of the plain valve, at U = 1, 0, -1 */
} HlSpoolForm;

#define HL_SPOOL_ACTUATOR 2.4 /* length of a solenoid or a spring */

/* Bits of branches. */
#define HL_WAY(branch) (1u << (branch))
#define HL_WAYS_PARALLEL (HL_WAY (HL_VALVE_P_A) | HL_WAY (HL_VALVE_B_T))
#define HL_WAYS_CROSSED (HL_WAY (HL_VALVE_P_B) | HL_WAY (HL_VALVE_A_T))

#define HALF 2.0      /* of the height of a square */
#define BAR 1.0       /* length of a blocked port inside the square */
#define HALF_BAR 0.55 /* of its T */
#define HEAD 1.1
#define SEEN 0.005 /* travel that marks a square as the one at work */

enum { P, T, A, B, C, D };

static const struct {
  int from, to;
} ends[HL_VALVE_EDGES] = {[HL_VALVE_P_A] = {P, A}, [HL_VALVE_B_T] = {B, T}, [HL_VALVE_P_B] = {P, B},
                          [HL_VALVE_A_T] = {A, T}, [HL_VALVE_P_T] = {P, T}, [HL_VALVE_C_D] = {C, D}};

/* Returns the side of a port: P, T and C below, A, B and D above. */
static double side_of (int port) {
  return port == P || port == T || port == C ? HALF : -HALF;
}

/* Groups the ports that open paths connect: the lowest one represents the group. */
static void find_groups (unsigned ways, int group[HL_KIND_MAX_PORTS]) {
  for (int port = 0; port < HL_KIND_MAX_PORTS; port++)
    group[port] = port;
  for (int pass = 0; pass < HL_KIND_MAX_PORTS; pass++)
    for (int branch = 0; branch < HL_VALVE_EDGES; branch++)
      if ((ways & HL_WAY (branch)) != 0) {
        int low = MIN (group[ends[branch].from], group[ends[branch].to]);
        group[ends[branch].from] = group[ends[branch].to] = low;
      }
}

static void draw_blocked (HlShapePath *path, double x, double side) {
  double in = side > 0.0 ? side - BAR : side + BAR;

  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, x, side);
  hl_pen_line (path, x, in);
  hl_pen_move (path, x - HALF_BAR, in);
  hl_pen_line (path, x + HALF_BAR, in);
}

/* Draws a connection of ports: those on both sides meet on the middle of the square, those on one side
 * halfway to it. */
static void draw_bus (const HlSpoolForm *form, const int group[], int of, double x, HlShapePath *path) {
  double left = INFINITY, right = -INFINITY, sum = 0.0;
  int n = 0;

  for (int port = 0; port < HL_KIND_MAX_PORTS; port++)
    if (group[port] == of) {
      left = fmin (left, x + form->column[port]);
      right = fmax (right, x + form->column[port]);
      sum += side_of (port);
      n++;
    }
  double y = fabs (sum) == n * HALF ? 0.5 * sum / n : 0.0;
  hl_pen_begin (path, HL_PEN_LINE);
  for (int port = 0; port < HL_KIND_MAX_PORTS; port++)
    if (group[port] == of) {
      hl_pen_move (path, x + form->column[port], side_of (port));
      hl_pen_line (path, x + form->column[port], y);
    }
  hl_pen_move (path, left, y);
  hl_pen_line (path, right, y);
}

/* Draws a group; a single path is an arrow from where the oil usually comes. */
static void draw_group (const HlSpoolForm *form, unsigned ways, const int group[], int of, double x,
                        HlShapePath *path) {
  int n = 0, only = -1;

  for (int port = 0; port < HL_KIND_MAX_PORTS; port++)
    n += group[port] == of && (form->ports >> port & 1) != 0;
  for (int branch = 0; branch < HL_VALVE_EDGES; branch++)
    if ((ways & HL_WAY (branch)) != 0 && group[ends[branch].from] == of)
      only = branch;
  if (n == 1)
    draw_blocked (path, x + form->column[of], side_of (of));
  else if (n == 2 && only >= 0 && side_of (ends[only].from) != side_of (ends[only].to))
    hl_pen_arrow (path, HL_PEN_LINE, x + form->column[ends[only].from], side_of (ends[only].from),
                  x + form->column[ends[only].to], side_of (ends[only].to), HEAD);
  else
    draw_bus (form, group, of, x, path);
}

static gboolean is_at_work (const HlShapeState *state, int place) {
  return place == 0 ? state->spool > SEEN : place == 2 ? state->spool < -SEEN : FALSE;
}

/* Draws the position of the spool whose square begins at x: its frame, and the open paths. */
static void draw_square (const HlSpoolForm *form, const HlShapeState *state, int place, double x,
                         HlShapePath *path) {
  unsigned ways = state->has_ways ? state->ways[place] : form->ways[place];
  int group[HL_KIND_MAX_PORTS];

  hl_pen_rectangle (path, HL_PEN_BODY, x, -HALF, form->width, 2.0 * HALF);
  if (is_at_work (state, place))
    hl_pen_rectangle (path, HL_PEN_ACTIVE, x, -HALF, form->width, 2.0 * HALF);
  find_groups (ways, group);
  for (int port = 0; port < HL_KIND_MAX_PORTS; port++)
    if (group[port] == port && (form->ports >> port & 1) != 0)
      draw_group (form, ways, group, port, x, path);
}

/* Draws the proportional solenoid beside the squares, from x on. */
static void draw_solenoid (HlShapePath *path, double x) {
  hl_pen_rectangle (path, HL_PEN_BODY, x, -1.3, HL_SPOOL_ACTUATOR, 2.6);
  /* one slash is the winding, the arrow across says proportional */
  hl_pen_stroke (path, HL_PEN_THIN, x + 0.75, 1.3, x + 1.65, -1.3);
  hl_pen_arrow (path, HL_PEN_THIN, x + 0.3, 1.0, x + 2.15, -1.05, 0.7);
}

/* Returns the position of the slide, which moves towards the active square: on the first one at U = 1, on the
 * last one at its U, and in between on the way. */
static double slide_at (const HlSpoolForm *form, double spool) {
  double last = 1.0 - form->place[form->n_squares - 1];
  double part = (1.0 - CLAMP (spool, last, 1.0)) / (1.0 - last);

  return form->left + form->width * (0.5 + part * (form->n_squares - 1));
}

/* Builds the symbol: squares, actuation, the two long lines of a proportional valve, and the slide in front
 * of the active square. */
static void spool_build (const HlSpoolForm *form, const HlShapeState *state, HlShapePath *path) {
  double width = form->n_squares * form->width, right = form->left + width;
  double at = slide_at (form, state->spool);

  draw_solenoid (path, form->left - HL_SPOOL_ACTUATOR);
  if (form->has_spring)
    hl_pen_spring (path, right, 0.0, right + HL_SPOOL_ACTUATOR, 0.0, 0.8, 3);
  else
    draw_solenoid (path, right);
  for (int k = 0; k < form->n_squares; k++)
    draw_square (form, state, form->place[k], form->left + k * form->width, path);
  /* any position between */
  hl_pen_stroke (path, HL_PEN_THIN, form->left, -2.45, right, -2.45);
  hl_pen_stroke (path, HL_PEN_THIN, form->left, 2.45, right, 2.45);
  hl_pen_rectangle (path, HL_PEN_SOLID, at - 0.55, 2.0, 1.1, 0.45);
}

/* Returns the number of branches that the valve opens with its spool at U; as in
 * core/hydro/valves/hl-directional-valve.c. */
static unsigned ways_at (const HlComponent *c, double U) {
  double p[HL_MOST_PORTS] = {0.0}, q[HL_KIND_MAX_BRANCHES], rate[2], state[2] = {U, 0.0};
  double signal[1] = {0.0};
  HlLaw law = {.p = p, .state = state, .signal = signal, .q = q, .rate = rate};
  unsigned ways = 0;

  for (int branch = 0; branch < c->n_branches; branch++) {
    memset (p, 0, sizeof p);
    p[ends[branch].from] = 1e7;
    hl_component_eval (c, p, &law);
    ways |= q[branch] != 0.0 ? HL_WAY (branch) : 0u;
  }
  return ways;
}

/* Implements HlSymbol.show of all forms: the paths that gains and overlaps leave open, and the spool. */
static void spool_show (const HlSymbolSource *at, HlShapeState *state) {
  double spool = hl_symbol_value (at, "spool");
  HlFluid fluid = {.bulk_modulus = 1e9, .density = 1e3, .viscosity = 1e-2};
  HlDirectionalValve valve = {0};
  HlComponent c = {.klass = &hl_directional_valve_class, .self = &valve};

  state->spool = isfinite (spool) ? spool : 0;
  hl_component_read (&c, at->element);
  valve.natural_frequency = 0.0;
  valve.time_constant = 1.0; /* so that the place of the spool is a state */
  hl_component_derive (&c, &fluid);
  hl_component_count (&c);
  state->has_ways = valve.Cv > 0.0;
  for (int place = 0; place < HL_SHAPE_SPOOL_PLACES; place++)
    state->ways[place] = ways_at (&c, 1.0 - place);
}

enum { FORM_4_3, FORM_4_2, FORM_3_2, FORM_2_2, FORM_6_3 };

static const HlSpoolForm forms[] = {
    [FORM_4_3] = {.ports = 0xf,
                  .column = {1, 3, 1, 3},
                  .left = -5,
                  .width = 4,
                  .n_squares = 3,
                  .place = {0, 1, 2},
                  .ways = {HL_WAYS_PARALLEL, 0, HL_WAYS_CROSSED}},
    /* the spring holds the square with the ports */
    [FORM_4_2] = {.ports = 0xf,
                  .column = {1, 3, 1, 3},
                  .left = -5,
                  .width = 4,
                  .n_squares = 2,
                  .place = {0, 2},
                  .has_spring = TRUE,
                  .ways = {HL_WAYS_PARALLEL, 0, HL_WAYS_CROSSED}},
    /* the spring connects A with the tank */
    [FORM_3_2] = {.ports = 0x7,
                  .column = {1, 3, 1},
                  .left = -5,
                  .width = 4,
                  .n_squares = 2,
                  .place = {0, 2},
                  .has_spring = TRUE,
                  .ways = {HL_WAY (HL_VALVE_P_A), 0, HL_WAY (HL_VALVE_A_T)}},
    /* the spring closes P from A; a file may still name its T, which has no place of its own */
    [FORM_2_2] = {.ports = 0x5,
                  .column = {1, 0, 1},
                  .left = -5,
                  .width = 4,
                  .n_squares = 2,
                  .place = {0, 1},
                  .has_spring = TRUE,
                  .ways = {HL_WAY (HL_VALVE_P_A), 0, 0}},
    /* with a by-pass straight through the middle one */
    [FORM_6_3] = {.ports = 0x3f,
                  .column = {1, 5, 1, 5, 3, 3},
                  .left = -7,
                  .width = 6,
                  .n_squares = 3,
                  .place = {0, 1, 2},
                  .ways = {HL_WAYS_PARALLEL, HL_WAY (HL_VALVE_C_D), HL_WAYS_CROSSED}},
};

#define BUILD(form)                                                                                          \
  static void build_##form (const HlShapeState *state, HlShapePath *path) {                                  \
    spool_build (&forms[FORM_##form], state, path);                                                          \
  }
BUILD (4_3)
BUILD (4_2)
BUILD (3_2)
BUILD (2_2)
BUILD (6_3)

/* Members common to the symbols of all forms; the squares reach from `x` over `across`. */
#define SPOOL(name, x, across, builder)                                                                      \
  .kind = "directional-valve", .form = (name),                                                               \
  .box = {(x)-HL_SPOOL_ACTUATOR, -2, (across) + 2 * HL_SPOOL_ACTUATOR, 4},                                   \
  .body = {(x)-HL_SPOOL_ACTUATOR, -2, (across) + 2 * HL_SPOOL_ACTUATOR, 4},                                  \
  .label = {(x)-HL_SPOOL_ACTUATOR, 2.9}, .label_side = {1, 1}, .role = HL_SYMBOL_VALVE, .drain_rank = 2,     \
  .has_letters = TRUE, .caption = {"spool", "U = ", HL_QUANTITY_NONE, 3, TRUE}, .build = (builder),          \
  .show = spool_show

/* In the palette two of the squares are enough to recognize it. */
static const HlSymbol others[] = {
    {SPOOL ("4/2", -5, 8, build_4_2), .icon = {-5.1, -2.1, 8.2, 4.2}, .n_ports = 4,
     .port = {{"P", 0, 2, 0, 1}, {"T", 2, 2, 0, 1}, {"A", 0, -2, 0, -1}, {"B", 2, -2, 0, -1}}},
    {SPOOL ("3/2", -5, 8, build_3_2), .icon = {-5.1, -2.1, 8.2, 4.2}, .n_ports = 3,
     .port = {{"P", 0, 2, 0, 1}, {"T", 2, 2, 0, 1}, {"A", 0, -2, 0, -1}}},
    {SPOOL ("2/2", -5, 8, build_2_2), .icon = {-5.1, -2.1, 8.2, 4.2}, .n_ports = 3,
     .port = {{"P", 0, 2, 0, 1}, {"T", 0, 2, 0, 1, TRUE}, {"A", 0, -2, 0, -1}}},
    {SPOOL ("6/3", -7, 18, build_6_3), .icon = {-1.1, -2.1, 12.2, 4.2}, .n_ports = 6,
     .port = {{"P", 0, 2, 0, 1},
              {"T", 4, 2, 0, 1},
              {"A", 0, -2, 0, -1},
              {"B", 4, -2, 0, -1},
              {"C", 2, 2, 0, 1},
              {"D", 2, -2, 0, -1}}},
};

extern const HlSymbol hl_symbol_directional_valve;

static const HlSymbol *form_of (const HlKind *kind, const HlValue *element) {
  const char *name = hl_kind_text (kind, element, "form");

  for (gsize k = 0; k < G_N_ELEMENTS (others); k++)
    if (g_strcmp0 (others[k].form, name) == 0)
      return &others[k];
  return &hl_symbol_directional_valve;
}

const HlSymbol hl_symbol_directional_valve = {
    SPOOL ("4/3", -5, 12, build_4_3),
    .form_of = form_of,
    .icon = {-5.1, -2.1, 8.2, 4.2},
    .n_ports = 4,
    .port = {{"P", 0, 2, 0, 1}, {"T", 2, 2, 0, 1}, {"A", 0, -2, 0, -1}, {"B", 2, -2, 0, -1}},
};
