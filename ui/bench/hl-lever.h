/* SPDX-License-Identifier: MIT */
/* HlLever: a signal of the model as a hand can take it over while the model is driven: where it
 * may go, where it rests, and whether it springs back there. Levers of the file come first; what
 * else the file says over time goes on as it says until the hand takes it. */
#pragma once

#include "core/document/hl-document.h"
#include "core/system/hl-system.h"

typedef struct {
  char *path;  /* "dcv.command", "dcv.command.of.1" */
  char *label; /* "dcv: Command" */
  char *more;  /* what it does at larger values, "raise"; NULL: the file has no word for it */
  char *less;
  int input; /* of the system */
  HlQuantity quantity;
  double from, to, neutral; /* SI */
  gboolean is_set;          /* the range, by a person */
  gboolean springs;         /* back to neutral when the mouse lets go */
  gboolean is_lever;        /* the file says that a hand moves it */
  double start;             /* at t = 0 */
} HlLever;

/* One for every input of the system, with ranges that are round in the units (one a quantity);
 * elements are freed with the array. */
GPtrArray *hl_levers_of_model (const HlDocument *document, const HlSystem *system,
                               const HlUnit *const *units);
/* What a person set of the old ones holds for the new ones with the same path. */
void hl_levers_inherit (GPtrArray *levers, const GPtrArray *old);
/* Another range and rest, brought in order. FALSE: a range of nothing; it stays as it was. */
gboolean hl_lever_set_range (HlLever *lever, double from, double to, double neutral);
/* The document with another signal in the place of a lever's. Takes the signal. NULL: error says
 * why.
 */
HlDocument *hl_lever_with_signal (const HlDocument *document, const char *path, HlValue *signal,
                                  GError **error);
double hl_lever_clamp (const HlLever *lever, double value);
