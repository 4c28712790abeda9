/* SPDX-License-Identifier: MIT */
/* By distance from the forecasts, the nearest first. A pair takes a pair or two real ones, two real ones take a pair
 * together, so that as many are chosen as are followed. */
#include "core/linear/hl-branch-choice.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-arena.h"

/* As in hl-branches.c: the nearest must be nearer than this part of the distance of the next one. */
#define CLEAR_RATIO 0.25
/* Eigenvalues closer than this part of the larger one are the same. */
#define SAME_PART 1e-9

typedef struct
{
  HlBranchAhead *items; /* n_items */
  int n_items;
  bool *item_done;       /* n_items */
  double *apart;         /* n_items: distance of what was chosen */
  int *best;             /* n_items: nearest candidate that is left */
  const double *re, *im; /* n_found */
  int n_found;
  bool *chosen; /* n_found */
} Choice;

static double
distance (const Choice *c, int item, int candidate)
{
  return hypot (c->re[candidate] - c->items[item].re, fabs (c->im[candidate]) - c->items[item].im);
}

static void
choose (Choice *c, int candidate)
{
  c->chosen[candidate] = true;
  if (c->im[candidate] > 0.0)
    c->chosen[candidate + 1] = true;
}

/* The nearest candidate of the upper half-plane that is left, -1 = none; among real ones alone, or all. */
static int
nearest_candidate (const Choice *c, int item, bool real_only)
{
  double least = INFINITY;
  int best = -1;

  for (int k = 0; k < c->n_found; k++)
    if (!c->chosen[k] && c->im[k] >= 0.0 && !(real_only && c->im[k] > 0.0) &&
        distance (c, item, k) < least) {
      least = distance (c, item, k);
      best = k;
    }
  return best;
}

/* The real item, besides `item`, that is left and nearest to a candidate. */
static int
nearest_real_item (const Choice *c, int item, int candidate)
{
  double least = INFINITY;
  int best = -1;

  for (int k = 0; k < c->n_items; k++)
    if (k != item && !c->item_done[k] && !c->items[k].is_pair &&
        distance (c, k, candidate) < least) {
      least = distance (c, k, candidate);
      best = k;
    }
  return best;
}

static void
settle (Choice *c, int item, int candidate)
{
  c->item_done[item] = true;
  c->apart[item] = distance (c, item, candidate);
}

/* Whether there is one. */
static bool
take_one (Choice *c, int item, int candidate)
{
  bool is_pair = c->im[candidate] > 0.0;

  settle (c, item, candidate);
  choose (c, candidate);
  if (c->items[item].is_pair && !is_pair) {
    int second = nearest_candidate (c, item, true);
    if (second < 0)
      return false;
    choose (c, second);
  } else if (!c->items[item].is_pair && is_pair) {
    int second = nearest_real_item (c, item, candidate);
    if (second < 0)
      return false;
    settle (c, second, candidate);
  }
  return true;
}

static bool
take_all (Choice *c)
{
  for (int i = 0; i < c->n_items; i++)
    c->best[i] = nearest_candidate (c, i, false);
  for (;;) {
    int item = -1;
    for (int i = 0; i < c->n_items; i++) {
      if (c->item_done[i])
        continue;
      if (c->best[i] >= 0 && c->chosen[c->best[i]])
        c->best[i] = nearest_candidate (c, i, false);
      if (c->best[i] < 0)
        return false;
      if (item < 0 || distance (c, i, c->best[i]) < distance (c, item, c->best[item]))
        item = i;
    }
    if (item < 0)
      return true;
    if (!take_one (c, item, c->best[item]))
      return false;
  }
}

/* Of what was left, whether one is about as near to an item as what it got, and not the same number. */
static HlChoice
judge (const Choice *c, double centre, double reach, double within)
{
  HlChoice found = HL_CHOICE_CLEAR;

  for (int i = 0; i < c->n_items; i++) {
    const HlBranchAhead *item = &c->items[i];
    double from_centre = hypot (item->re - centre, item->im);
    if (from_centre + c->apart[i] / CLEAR_RATIO > reach)
      return HL_CHOICE_UNKNOWN;
    bool matters = hypot (item->re, item->im) - c->apart[i] <= within;
    for (int k = 0; k < c->n_found && matters; k++)
      if (!c->chosen[k] && c->im[k] >= 0.0 && c->apart[i] > CLEAR_RATIO * distance (c, i, k) &&
          c->apart[i] > SAME_PART * hypot (item->re, item->im))
        found = HL_CHOICE_UNCLEAR;
  }
  return found;
}

/* The chosen ones first, each part in the order that it has. */
static void
put_first (const Choice *c, HlArena *scratch, double re[], double im[])
{
  double *copy_re = hl_arena_copy (scratch, re, c->n_found, sizeof *copy_re),
         *copy_im = hl_arena_copy (scratch, im, c->n_found, sizeof *copy_im);
  int at = 0;

  for (int part = 0; part < 2; part++)
    for (int k = 0; k < c->n_found; k++)
      if (c->chosen[k] == (part == 0)) {
        re[at] = copy_re[k];
        im[at++] = copy_im[k];
      }
}

HlChoice
hl_branch_choose (HlBranches *branches,
                  double parameter,
                  int n_found,
                  double re[],
                  double im[],
                  double centre,
                  double reach,
                  double within)
{
  HlArena scratch = {0};
  int n = hl_branches_n (branches);
  Choice c = {.items = hl_arena_take (&scratch, n, sizeof (HlBranchAhead)),
              .item_done = hl_arena_take (&scratch, n, sizeof (bool)),
              .apart = hl_arena_take (&scratch, n, sizeof (double)),
              .best = hl_arena_take (&scratch, n, sizeof (int)),
              .re = re,
              .im = im,
              .n_found = n_found,
              .chosen = hl_arena_take (&scratch, n_found, sizeof (bool))};
  HlChoice choice = HL_CHOICE_NONE;

  c.n_items = hl_branches_ahead (branches, parameter, c.items);
  if (take_all (&c)) {
    choice = judge (&c, centre, reach, within);
    put_first (&c, &scratch, re, im);
  }
  hl_arena_clear (&scratch);
  return choice;
}
