/* SPDX-License-Identifier: MIT */
/* The levels of floating groups that laws or sensors feel: x -> G (x), from a pressure that the laws
 * were given to the multiplier that comes of it. Where nothing feels it G does not depend on x, and
 * the second answer is the first. Else G is smooth between the kinks of the laws, and x = G (x) is
 * solved by the secants of the last rounds (Anderson's mixing),
 *
 *   f = G - x,    x <- G - dG c,    |f - dF c| least,
 *
 * which for one level is the secant method and for n of them finds what is linear in n + 1 rounds.
 * Picard's method, x <- G, is what the first round does. */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-ways-private.h"

/* Change of a level that laws are asked again for. */
#define LEVEL_TOLERANCE 1.0e-11
#define LEVEL_NEAR 1.0e-5 /* [Pa] */
/* Behind a valve that is all but shut a level has any height, and the pressure beyond it none of it:
 * what that pressure is off by counts in parts of this much at most [Pa]. */
#define HIGHEST_LEVEL 1.0e9
/* A column that is less than this part of its own length beyond those before it tells nothing. */
#define INDEPENDENT 1.0e-6

void
hl_hybrid_level_init (HlHybridLevel *level, int n_nodes, HlArena *arena)
{
  double *numbers = hl_arena_take (arena, (2 * HL_HYBRID_SECANTS + 5) * n_nodes, sizeof (double));

  level->n = n_nodes;
  level->is_level = hl_arena_take (arena, n_nodes, sizeof (bool));
  level->next = numbers;
  level->f = numbers + n_nodes;
  level->g = numbers + 2 * n_nodes;
  level->f_last = numbers + 3 * n_nodes;
  level->g_last = numbers + 4 * n_nodes;
  level->df = numbers + 5 * n_nodes;
  level->dg = level->df + HL_HYBRID_SECANTS * n_nodes;
}

static double
dot (const HlHybridLevel *level, const double a[], const double b[])
{
  double sum = 0.0;

  for (int k = 0; k < level->n; k++)
    sum += level->is_level[k] ? a[k] * b[k] : 0.0;
  return sum;
}

/* Takes the step of this round to the secants; the oldest goes. */
static void
add_secant (HlHybridLevel *level)
{
  size_t column = (size_t)level->n * sizeof (double);
  int n = level->n;

  if (level->n_secants == HL_HYBRID_SECANTS) {
    memmove (level->df, level->df + n, (HL_HYBRID_SECANTS - 1) * column);
    memmove (level->dg, level->dg + n, (HL_HYBRID_SECANTS - 1) * column);
    level->n_secants--;
  }
  double *df = level->df + n * level->n_secants, *dg = level->dg + n * level->n_secants;
  for (int k = 0; k < n; k++) {
    df[k] = level->f[k] - level->f_last[k];
    dg[k] = level->g[k] - level->g_last[k];
  }
  level->n_secants++;
}

/* next <- G - dG c; by orthogonal columns, the latest first. */
static void
mix (HlHybridLevel *level)
{
  int n = level->n, m = level->n_secants;
  double q[HL_HYBRID_SECANTS][HL_HYBRID_SECANTS] = {{0.0}}, size[HL_HYBRID_SECANTS];
  double along[HL_HYBRID_SECANTS], c[HL_HYBRID_SECANTS] = {0.0};

  /* Gram-Schmidt on copies of coefficients: q[j] are the columns of dF that make the j-th direction */
  for (int j = 0; j < m; j++) {
    int column = m - 1 - j;
    const double *df = level->df + n * column;
    double own = dot (level, df, df), left = own;
    q[j][column] = 1.0;
    for (int i = 0; i < j; i++) {
      if (size[i] == 0.0)
        continue;
      double part = 0.0;
      for (int k = 0; k < m; k++)
        part += q[i][k] != 0.0 ? q[i][k] * dot (level, level->df + n * k, df) : 0.0;
      for (int k = 0; k < m; k++)
        q[j][k] -= part / size[i] * q[i][k];
      left -= part * part / size[i];
    }
    size[j] = left > INDEPENDENT * own ? left : 0.0;
    along[j] = 0.0;
    for (int k = 0; k < m && size[j] > 0.0; k++)
      along[j] += q[j][k] * dot (level, level->df + n * k, level->f);
    for (int k = 0; k < m && size[j] > 0.0; k++)
      c[k] += along[j] / size[j] * q[j][k];
  }
  for (int node = 0; node < n; node++) {
    level->next[node] = level->g[node];
    for (int k = 0; k < m; k++)
      level->next[node] -= c[k] * level->dg[node + n * k];
  }
}

/* Levels: nodes whose multiplier stands for a group in which some pressure is felt. */
static void
find_levels (HlHybridWays *ways, const double multiplier[], const HlHybridInputs *in)
{
  const HlHybridTables *tables = &ways->machine->net->tables;
  HlHybridLevel *level = &ways->level;

  memset (level->is_level, 0, (size_t)level->n * sizeof (bool));
  for (int node = 0; node < level->n; node++) {
    int of = tables->node_is_fixed[node] ? -1 : in->group != NULL ? in->group[node] : node;
    if (of >= 0 && ways->is_felt[node] && isfinite (multiplier[of]))
      level->is_level[of] = true;
  }
}

bool
hl_hybrid_level_next (
    HlHybridWays *ways, const double multiplier[], int round, const HlHybridInputs *in, int *worst)
{
  HlHybridLevel *level = &ways->level;
  bool is_new = false;
  double most = 0.0;

  find_levels (ways, multiplier, in);
  *worst = -1;
  for (int node = 0; node < level->n; node++) {
    level->next[node] = level->g[node] = level->is_level[node] ? multiplier[node] : 0.0;
    level->f[node] = level->is_level[node] ? multiplier[node] - ways->p[node] : 0.0;
    double size = fmin (fabs (level->g[node]), HIGHEST_LEVEL);
    double over = fabs (level->f[node]) / (LEVEL_TOLERANCE * size + LEVEL_NEAR);
    is_new = is_new || over > 1.0;
    if (over > most) {
      most = over;
      *worst = node;
    }
  }
  if (round == 0)
    level->n_secants = 0;
  else if (is_new)
    add_secant (level);
  if (is_new && level->n_secants > 0)
    mix (level);
  memcpy (level->f_last, level->f, (size_t)level->n * sizeof (double));
  memcpy (level->g_last, level->g, (size_t)level->n * sizeof (double));
  return is_new;
}
