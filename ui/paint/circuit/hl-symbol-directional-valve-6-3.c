/* SPDX-License-Identifier: MIT */
/* 6/3: three squares, with a by-pass straight through the middle one. */
#include "ui/paint/circuit/hl-spool.h"

static const HlSpoolForm form = {
    .ports = 0x3f,
    .column = {1.0, 5.0, 1.0, 5.0, 3.0, 3.0},
    .width = 6.0,
    .ways = {HL_WAYS_PARALLEL, HL_WAY (HL_VALVE_C_D), HL_WAYS_CROSSED}};

static void
build (const HlShapeState *state, HlShapePath *path)
{
  double spool = CLAMP (state->spool, -1.0, 1.0);

  hl_spool_solenoid (path, -9.4);
  hl_spool_solenoid (path, 11.0);
  for (int place = 0; place < HL_SHAPE_SPOOL_PLACES; place++)
    hl_spool_square (&form, state, place, -7.0 + 6.0 * place, path);
  hl_spool_lines (path, -7.0, 18.0, 2.0 - 6.0 * spool);
}

const HlSymbol hl_symbol_directional_valve_6_3 = {
    .kind = "directional-valve",
    .form = "6/3",
    .n_ports = 6,
    .port = {{"P", 0, 2, 0, 1},
             {"T", 4, 2, 0, 1},
             {"A", 0, -2, 0, -1},
             {"B", 4, -2, 0, -1},
             {"C", 2, 2, 0, 1},
             {"D", 2, -2, 0, -1}},
    .box = {-9.4, -2, 22.8, 4},
    .body = {-9.4, -2, 22.8, 4},
    .label = {-9.4, 2.9},
    .label_side = {1, 1},
    .icon = {-1.1, -2.1, 12.2, 4.2},
    .role = HL_SYMBOL_VALVE,
    .drain_rank = 2,
    .has_letters = TRUE,
    .caption = {"spool", "U = ", HL_QUANTITY_NONE, 3, TRUE},
    .build = build,
    .show = hl_spool_show,
};
