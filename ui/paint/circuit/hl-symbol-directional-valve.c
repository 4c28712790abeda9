/* SPDX-License-Identifier: MIT */
/* Directional valve of the form 4/3: three squares and two proportional solenoids; and which symbol the
 * other forms have. */
#include "ui/paint/circuit/hl-spool.h"

static const HlSpoolForm form = {.ports = 0xf,
                                 .column = {1.0, 3.0, 1.0, 3.0},
                                 .width = 4.0,
                                 .ways = {HL_WAYS_PARALLEL, 0, HL_WAYS_CROSSED}};

static void
build (const HlShapeState *state, HlShapePath *path)
{
  double spool = CLAMP (state->spool, -1.0, 1.0);

  hl_spool_solenoid (path, -7.4);
  hl_spool_solenoid (path, 7.0);
  for (int place = 0; place < HL_SHAPE_SPOOL_PLACES; place++)
    hl_spool_square (&form, state, place, -5.0 + 4.0 * place, path);
  /* any position between; the slide goes towards the square that is at work */
  hl_spool_lines (path, -5.0, 12.0, 1.0 - 4.0 * spool);
}

static const HlSymbol *
form_of (const HlKind *kind, const HlValue *element)
{
  static const HlSymbol *const others[] = {
      &hl_symbol_directional_valve_4_2, &hl_symbol_directional_valve_3_2,
      &hl_symbol_directional_valve_2_2, &hl_symbol_directional_valve_6_3};
  const char *name = hl_kind_text (kind, element, "form");

  for (gsize k = 0; k < G_N_ELEMENTS (others); k++)
    if (g_strcmp0 (others[k]->form, name) == 0)
      return others[k];
  return &hl_symbol_directional_valve;
}

const HlSymbol hl_symbol_directional_valve = {
    .kind = "directional-valve",
    .form = "4/3",
    .form_of = form_of,
    .n_ports = 4,
    .port = {{"P", 0, 2, 0, 1}, {"T", 2, 2, 0, 1}, {"A", 0, -2, 0, -1}, {"B", 2, -2, 0, -1}},
    .box = {-7.4, -2, 16.8, 4},
    .body = {-7.4, -2, 16.8, 4},
    .label = {-7.4, 2.9},
    .label_side = {1, 1},
    /* two of the three squares are enough to know it */
    .icon = {-5.1, -2.1, 8.2, 4.2},
    .role = HL_SYMBOL_VALVE,
    .drain_rank = 2,
    .has_letters = TRUE,
    .caption = {"spool", "U = ", HL_QUANTITY_NONE, 3, TRUE},
    .build = build,
    .show = hl_spool_show,
};
