/* SPDX-License-Identifier: MIT */
/* Where more eigenvalues are known than are followed, or not all of them: those that go on the branches. Branches
 * come and go at the edge of what is known, the followed ones stay the same all along. */
#pragma once

#include "core/linear/hl-branches.h"

typedef enum
{
  HL_CHOICE_CLEAR,   /* each branch goes on at one that is much nearer than any other */
  HL_CHOICE_UNCLEAR, /* it may be another one; the nearest are taken */
  HL_CHOICE_UNKNOWN, /* it may be one that is not known */
  HL_CHOICE_NONE     /* there are no such ones: pairs and real ones do not fit */
} HlChoice;

/* Puts first, of the eigenvalues re[n_found] + i im[n_found] [1/s] at a value of the parameter, conjugates side by
 * side and the upper one first, those that go on the branches; the others follow. All that are nearer to the real
 * `centre` than `reach` are among them (INFINITY: all there are). Which of two a branch goes on at matters only
 * within so much of the origin. */
HlChoice hl_branch_choose (HlBranches *branches,
                           double parameter,
                           int n_found,
                           double re[],
                           double im[],
                           double centre,
                           double reach,
                           double within);
