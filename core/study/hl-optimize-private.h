/* SPDX-License-Identifier: MIT */
/* What an optimization is made of, shared by its reader and its searches. */
#pragma once

#include "core/study/hl-optimize.h"
#include "core/study/hl-study-work.h"

#define HL_MOST_OBJECTIVES 8

typedef struct {
  int measure;
  gboolean is_maximum;
} HlObjective;

struct _HlOptimize {
  const HlStudy *study;
  HlStudyWork *work;
  HlObjective objectives[HL_MOST_OBJECTIVES];
  int n_objectives;
  HlOptimizeOptions options;
};
