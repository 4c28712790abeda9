/* SPDX-License-Identifier: MIT */
/* 2/2: two squares, the spring shuts P from A. A file may still name its T, which has no place of its
 * own. */
#include "ui/paint/circuit/hl-spool.h"

#include <math.h>

static const HlSpoolForm form = {
    .ports = 0x5, .column = {1.0, 0.0, 1.0}, .width = 4.0, .ways = {HL_WAY (HL_VALVE_P_A), 0, 0}};

static void
build (const HlShapeState *state, HlShapePath *path)
{
  double spool = CLAMP (state->spool, -1.0, 1.0);

  hl_spool_solenoid (path, -7.4);
  hl_spool_spring (path, 3.0);
  hl_spool_square (&form, state, 0, -5.0, path);
  hl_spool_square (&form, state, 1, -1.0, path);
  hl_spool_lines (path, -5.0, 8.0, 1.0 - 4.0 * fmax (spool, 0.0));
}

const HlSymbol hl_symbol_directional_valve_2_2 = {
    .kind = "directional-valve",
    .form = "2/2",
    .n_ports = 3,
    .port = {{"P", 0, 2, 0, 1}, {"T", 0, 2, 0, 1, TRUE}, {"A", 0, -2, 0, -1}},
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
