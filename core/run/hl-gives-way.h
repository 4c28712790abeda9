/* SPDX-License-Identifier: MIT */
/* Lines of the hybrid model whose oil gives way although nothing there stores any: oil that keeps its
 * volume had no answer there (theory/hybrid.md, "Lines that give way"). */
#pragma once

#include "core/system/hl-system.h"

typedef struct {
  int n;    /* lines; 0: nothing to tell */
  int line; /* the first one */
  double t; /* when it began [s] */
} HlGivesWay;

/* "the oil of ‘L4’ gives way from t = 0.1 s on, as in the lumped model: ..."; NULL when none does. Owned by
 * the caller. */
char *hl_gives_way_text (const HlSystem *sys, const HlGivesWay *of);
