/* SPDX-License-Identifier: MIT */
/* Directional valve: its forms are rows of one table, and the symbol of each. */
#include "ui/paint/circuit/hl-spool.h"

enum
{
  FORM_4_3,
  FORM_4_2,
  FORM_3_2,
  FORM_2_2,
  FORM_6_3
};

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
    /* the spring shuts P from A; a file may still name its T, which has no place of its own */
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

#define BUILD(form)                                                                                \
  static void build_##form (const HlShapeState *state, HlShapePath *path)                          \
  {                                                                                                \
    hl_spool_build (&forms[FORM_##form], state, path);                                             \
  }
BUILD (4_3)
BUILD (4_2)
BUILD (3_2)
BUILD (2_2)
BUILD (6_3)

/* What the symbols of all forms have in common; the squares reach from `x` over `across`. */
#define SPOOL(name, x, across, builder)                                                            \
  .kind = "directional-valve", .form = (name),                                                     \
  .box = {(x)-HL_SPOOL_ACTUATOR, -2, (across) + 2 * HL_SPOOL_ACTUATOR, 4},                         \
  .body = {(x)-HL_SPOOL_ACTUATOR, -2, (across) + 2 * HL_SPOOL_ACTUATOR, 4},                        \
  .label = {(x)-HL_SPOOL_ACTUATOR, 2.9}, .label_side = {1, 1}, .role = HL_SYMBOL_VALVE,            \
  .drain_rank = 2, .has_letters = TRUE, .caption = {"spool", "U = ", HL_QUANTITY_NONE, 3, TRUE},   \
  .build = (builder), .show = hl_spool_show

/* In the palette two of the squares are enough to know it. */
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

static const HlSymbol *
form_of (const HlKind *kind, const HlValue *element)
{
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
