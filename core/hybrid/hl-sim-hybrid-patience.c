/* SPDX-License-Identifier: MIT */
/* How long a run of the hybrid oil is watched that goes on and gets nowhere. */
#include <math.h>

#include "core/hybrid/hl-hybrid-ways.h"
#include "core/hybrid/hl-sim-hybrid.h"

/* So many steps within so short a time are a chatter that no run gets through. */
#define CRAWL_STEPS 5000
#define CRAWL_SECONDS 1e-5
/* And so are so many restarts within so short a time. */
#define CHATTER_RESTARTS 300
#define CHATTER_SECONDS 1e-4
/* So many tries of a search for pressures a step are borne in the long run, and so many at once. */
#define TOIL_PER_STEP 100.0
#define MOST_TOIL 2.0e4
/* A step that was hard is done with: several of them tell that the next one will be as hard. */
#define HARDEST_STEP (0.25 * MOST_TOIL)

bool
hl_sim_hybrid_is_crawling (HlSimHybrid *h, double t)
{
  bool is_full = ++h->crawl_count >= CRAWL_STEPS;
  bool crawls = is_full && t - h->crawl_from < CRAWL_SECONDS;

  if (is_full) {
    h->crawl_count = 0;
    h->crawl_from = t;
  }
  return crawls;
}

bool
hl_sim_hybrid_is_chattering (HlSimHybrid *h, double t)
{
  bool is_full = ++h->chatter_count >= CHATTER_RESTARTS;
  /* without laws no line can give way, and there is nothing better than to go on */
  bool chatters = is_full && t - h->chatter_from < CHATTER_SECONDS && h->coupling->ways != NULL;

  if (is_full) {
    h->chatter_count = 0;
    h->chatter_from = t;
  }
  return chatters;
}

bool
hl_sim_hybrid_is_toiling (HlSimHybrid *h)
{
  if (h->coupling->ways == NULL)
    return false;
  long vain = hl_hybrid_ways_vain (h->coupling->ways);
  double tries = fmin ((double)(vain - h->n_vain), HARDEST_STEP);
  h->toil = fmax (h->toil + tries - TOIL_PER_STEP, 0.0);
  h->n_vain = vain;
  if (h->toil <= MOST_TOIL)
    return false;
  int node = hl_hybrid_ways_hardest (h->coupling->ways);
  if (node >= 0)
    hl_hybrid_ways_blame (h->coupling->ways, node, NAN, &h->coupling->fault);
  return true;
}
