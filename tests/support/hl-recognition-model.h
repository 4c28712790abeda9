/* SPDX-License-Identifier: MIT */
/* Drawings changed by hand, and what the quasistatic model recognizes in them. */
#pragma once

#include <glib.h>

#include "core/quasistatic/hl-quasi-model.h"
#include "tests/support/hl-test-document.h"

#define HL_TEST_MOST_CYLINDERS 2

/* Replaces *doc by next; fails the test on an error. */
void hl_test_parts_become (HlDocument **doc, HlDocument *next, GError *error);
void hl_test_parts_set (HlDocument **doc, const char *path, double value);
void hl_test_parts_connect (HlDocument **doc, const char *a, const char *b);
/* Adds a component (members are taken) and gives its id, owned by the caller. */
char *hl_test_parts_add (HlDocument **doc, const char *kind, HlValue *members);
/* Returns an object of pairs of name and number; NULL ends them. */
HlValue *hl_test_parts_numbers (const char *first, ...) G_GNUC_NULL_TERMINATED;
/* Compiles the drawing as a lumped model, so that every drawing passes; NULL with an error of its own. */
HlSystem *hl_test_parts_compile (const HlDocument *doc);

/* HlTestParts of the model at t = 0 with all signals at their values there. */
typedef struct {
  HlStatus status; /* of the recognition */
  HlMisfit misfit;
  char *culprit;
  int n;
  HlActuator actuators[HL_TEST_MOST_CYLINDERS]; /* by cylinder */
  HlPump pumps[HL_TEST_MOST_CYLINDERS];
} HlTestParts;

HlTestParts hl_test_parts_find (const HlSystem *sys, double t);
void hl_test_parts_clear (HlTestParts *parts);
/* Returns whether both have the same numbers to rounding. */
bool hl_test_parts_near (const HlTestParts *a, const HlTestParts *b);
