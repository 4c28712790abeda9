/* SPDX-License-Identifier: MIT */
/* 4/2: two squares, the spring holds the one with the ports. */
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
  hl_spool_spring (path, 3.0);
  hl_spool_square (&form, state, 0, -5.0, path);
  hl_spool_square (&form, state, 2, -1.0, path);
  hl_spool_lines (path, -5.0, 8.0, -1.0 - 2.0 * spool);
}

const HlSymbol hl_symbol_directional_valve_4_2 = {
    .kind = "directional-valve",
    .form = "4/2",
    .n_ports = 4,
    .port = {{"P", 0, 2, 0, 1}, {"T", 2, 2, 0, 1}, {"A", 0, -2, 0, -1}, {"B", 2, -2, 0, -1}},
    .box = {-7.4, -2, 12.8, 4},
    .body = {-7.4, -2, 12.8, 4},
    .label = {-7.4, 2.9},
    .label_side = {1, 1},
    .icon = {-5.1, -2.1, 8.2, 4.2},
    .role = HL_SYMBOL_VALVE,
    .drain_rank = 2,
    .has_letters = TRUE,
    .caption = {"spool", "U = ", HL_QUANTITY_NONE, 3, TRUE},
    .build = build,
    .show = hl_spool_show,
};
