/* SPDX-License-Identifier: MIT */
/* One component on its own, each port on a line: its law without a system. */
#pragma once

#include "core/hydro/hl-component.h"

#define HL_TEST_MOST_ROWS 8
#define HL_TEST_MOST_COLUMNS 12

typedef struct {
  HlComponent c;
  double data[64]; /* what c.self points to */
  double signal[HL_MOST_COMMANDS], state[HL_TEST_MOST_ROWS];
  double motion[HL_MOTIONS];     /* length and speed of what moves with the linkage */
  double out[HL_TEST_MOST_ROWS]; /* flows, then rates, of the last evaluation */
  double d[HL_TEST_MOST_ROWS * HL_TEST_MOST_COLUMNS];
} HlTestElement;

/* Sets the fields of a new element of the kind; of two alternatives the first one. Must not be moved. */
void hl_test_element_init (HlTestElement *e, const char *kind);
/* Makes the element with random numbers inside the ranges of the fields, some of them absent. */
void hl_test_element_randomize (HlTestElement *e, const char *kind);
/* Sets, after the last derive, a random motion and the states that the component chooses, with pressures
 * around the given one. */
void hl_test_element_move (HlTestElement *e, double pressure);
/* Sets a number or a flag by its field; an alternative replaces the other one. */
void hl_test_element_set (HlTestElement *e, const char *field, double value);
/* Computes the derived numbers after the last set. */
void hl_test_element_derive (HlTestElement *e, double density);
/* Fills out and d at pressures of its ports. */
void hl_test_element_eval (HlTestElement *e, const double p[HL_MOST_PORTS], HlSide side);
double hl_test_element_d (const HlTestElement *e, int row, int column);
