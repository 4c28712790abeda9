/* SPDX-License-Identifier: MIT */
/* Replaces hl-sparse-order.c inside an FMU, which has no ordering library. Rows and columns are matched along
 * alternating paths; blocks are the strongly connected components of the matched matrix (Tarjan 1972; Duff
 * and Reid 1978). In each block the column of minimum degree is eliminated next. Adjacent columns are stored
 * as cliques: initially the two columns of an entry, or all columns of a row; the cliques of an eliminated
 * column merge into one. With cliques of rows the degree bounds the fill of any choice of pivots (George and
 * Ng 1985). */
#include "core/math/hl-sparse-lu.h"

#include <string.h>

/* ---- pairs and blocks ---- */

typedef struct {
  int n;
  const int *start, *row;   /* of the matrix: compressed columns */
  int *row_of, *column_of;  /* n: by column and by row; -1: none yet */
  int *path, *along, *seen; /* n each: scratch of walks */
  int *low, *open;          /* n each: of components */
  int n_blocks;
  int *block, *member; /* n + 1; n: their columns, one after the other */
  int *block_of;       /* n: by column */
} Blocks;

/* Finds a row for a column, while others move on to further ones; false: there is none. */
static bool pair_column (Blocks *b, int column) {
  int depth = 0;

  b->path[0] = column;
  b->along[0] = b->start[column];
  while (depth >= 0) {
    int c = b->path[depth], end = b->start[c + 1], at = b->along[depth], found = -1;
    for (int k = at == b->start[c] ? at : end; k < end && found < 0; k++)
      if (b->column_of[b->row[k]] < 0)
        found = b->row[k];
    while (found >= 0 && depth >= 0) {
      int other = b->row_of[b->path[depth]];
      b->row_of[b->path[depth]] = found;
      b->column_of[found] = b->path[depth--];
      found = other;
      if (depth < 0)
        return true;
    }
    while (at < end && b->seen[b->row[at]] == column + 1)
      at++;
    b->along[depth] = at + 1;
    if (at == end)
      depth--;
    else {
      b->seen[b->row[at]] = column + 1;
      b->path[++depth] = b->column_of[b->row[at]];
      b->along[depth] = b->start[b->path[depth]];
    }
  }
  return false;
}

static bool pair_all (Blocks *b) {
  for (int k = 0; k < b->n; k++)
    b->row_of[k] = b->column_of[k] = -1;
  for (int c = 0; c < b->n; c++)
    if (!pair_column (b, c))
      return false;
  return true;
}

/* Closes the component of a column whose traversal has ended, if the column is its first one: it consists of
 * all columns opened since. */
static void close_component (Blocks *b, int column, int *n_open, int *n_members) {
  int member;

  do {
    member = b->open[--*n_open];
    b->block_of[member] = b->n_blocks;
    b->member[(*n_members)++] = member;
  } while (member != column);
  b->block[++b->n_blocks] = *n_members;
}

/* Finds the blocks. Each strongly connected component is completed before the components that lead to it, so
 * that the matrix is block upper triangular. */
static void find_blocks (Blocks *b) {
  int n_seen = 0, n_open = 0, n_members = 0;

  memset (b->seen, 0, (size_t)b->n * sizeof (int));
  for (int first = 0; first < b->n; first++) {
    int depth = 0;
    if (b->seen[first] > 0)
      continue;
    b->path[0] = first;
    while (depth >= 0) {
      int c = b->path[depth], next = -1;
      if (b->seen[c] == 0) {
        b->seen[c] = b->low[c] = ++n_seen;
        b->open[n_open++] = c;
        b->block_of[c] = -1;
        b->along[depth] = b->start[c];
      }
      for (; b->along[depth] < b->start[c + 1] && next < 0; b->along[depth]++) {
        int other = b->column_of[b->row[b->along[depth]]];
        if (b->seen[other] == 0)
          next = other;
        else if (b->block_of[other] < 0 && b->low[other] < b->low[c])
          b->low[c] = b->low[other];
      }
      if (next >= 0) {
        b->path[++depth] = next;
        continue;
      }
      if (b->low[c] == b->seen[c])
        close_component (b, c, &n_open, &n_members);
      depth--;
      if (depth >= 0 && b->low[c] < b->low[b->path[depth]] && b->block_of[c] < 0)
        b->low[b->path[depth]] = b->low[c];
    }
  }
}

/* ---- cliques ---- */

typedef struct {
  int n, n_cliques;
  int *start, *clique; /* of a column, compressed: those it belonged to at first */
  int *head, *of; /* by clique: its first member, -1: it is empty; the one that it has become, or itself */
  int *rows;      /* by clique: how many have no pivot yet; -1 times: it is no matter */
  int *next, *member;          /* by entry of `clique`: of the list of a clique */
  int *seen, *stamp, now;      /* by clique, by column: when last examined */
  int *degree;                 /* n: by how many others a column is felt; -1: it is gone */
  int *first, *before, *after; /* n each: columns of equal degree */
} Cliques;

static Cliques cliques_take (int n, int n_entries, HlArena *arena) {
  int most = n > n_entries ? n : n_entries;
  Cliques q = {0};
  int **by_column[] = {&q.stamp, &q.degree, &q.first, &q.before, &q.after},
      **by_entry[] = {&q.clique, &q.next, &q.member}, **by_clique[] = {&q.head, &q.of, &q.rows, &q.seen};

  q.start = hl_arena_take (arena, n + 1, sizeof (int));
  for (size_t k = 0; k < sizeof by_column / sizeof by_column[0]; k++)
    *by_column[k] = hl_arena_take (arena, n, sizeof (int));
  for (size_t k = 0; k < sizeof by_entry / sizeof by_entry[0]; k++)
    *by_entry[k] = hl_arena_take (arena, 2 * n_entries, sizeof (int));
  for (size_t k = 0; k < sizeof by_clique / sizeof by_clique[0]; k++)
    *by_clique[k] = hl_arena_take (arena, most, sizeof (int));
  return q;
}

/* Begins with start and clique filled. */
static void cliques_begin (Cliques *q, bool counts_rows) {
  for (int e = 0; e < q->n_cliques; e++) {
    q->head[e] = -1;
    q->of[e] = e;
    q->rows[e] = counts_rows;
    q->seen[e] = 0;
  }
  for (int c = 0; c < q->n; c++) {
    q->stamp[c] = q->degree[c] = 0;
    for (int at = q->start[c]; at < q->start[c + 1]; at++) {
      q->member[at] = c;
      q->next[at] = q->head[q->clique[at]];
      q->head[q->clique[at]] = at;
    }
  }
  q->now = 0;
}

static int clique_of (Cliques *q, int e) {
  while (q->of[e] != e)
    e = q->of[e] = q->of[q->of[e]];
  return e;
}

/* Eliminates a column. Its cliques become one, which is returned; -1 if it has no members. Its fill-in:
 * *above, and where rows are counted *below. */
static int eliminate (Cliques *q, int column, int *below, int *above) {
  int root = -1, members = -1, rows = 0;
  bool counts = false;

  q->now++;
  q->degree[column] = -1;
  for (int at = q->start[column]; at < q->start[column + 1]; at++) {
    int e = clique_of (q, q->clique[at]);
    if (q->seen[e] == q->now)
      continue;
    q->seen[e] = q->now;
    counts = counts || q->rows[e] > 0;
    rows += q->rows[e];
    for (int node = q->head[e], next; node >= 0; node = next) {
      int other = q->member[node];
      next = q->next[node];
      if (other == column || q->stamp[other] == q->now)
        continue;
      q->stamp[other] = q->now;
      q->next[node] = members;
      members = node;
      ++*above;
    }
    root = root < 0 ? e : root;
    q->of[e] = root;
    q->head[e] = -1;
  }
  if (root < 0)
    return -1;
  if (counts) {
    q->rows[root] = rows - 1;
    *below += rows - 1;
  }
  q->head[root] = counts && rows <= 1 ? -1 : members;
  return root;
}

static void leave_its_like (Cliques *q, int c) {
  if (q->before[c] >= 0)
    q->after[q->before[c]] = q->after[c];
  else
    q->first[q->degree[c]] = q->after[c];
  if (q->after[c] >= 0)
    q->before[q->after[c]] = q->before[c];
}

static void join_its_like (Cliques *q, int c) {
  int degree = 0;

  q->now++;
  q->stamp[c] = q->now;
  for (int at = q->start[c]; at < q->start[c + 1]; at++) {
    int e = clique_of (q, q->clique[at]);
    if (q->seen[e] == q->now)
      continue;
    q->seen[e] = q->now;
    for (int node = q->head[e]; node >= 0; node = q->next[node])
      if (q->stamp[q->member[node]] != q->now) {
        q->stamp[q->member[node]] = q->now;
        degree++;
      }
  }
  q->degree[c] = degree;
  q->before[c] = -1;
  q->after[c] = q->first[degree];
  if (q->after[c] >= 0)
    q->before[q->after[c]] = c;
  q->first[degree] = c;
}

/* Finds order[n], the column with the fewest affected ones first. */
static void find_order (Cliques *q, int order[]) {
  int least = 0, filled = 0;

  for (int c = 0; c < q->n; c++)
    q->first[c] = -1;
  for (int c = q->n - 1; c >= 0; c--)
    join_its_like (q, c);
  for (int k = 0; k < q->n; k++) {
    while (q->first[least] < 0)
      least++;
    int c = order[k] = q->first[least];
    leave_its_like (q, c);
    int clique = eliminate (q, c, &filled, &filled);
    for (int node = clique >= 0 ? q->head[clique] : -1; node >= 0; node = q->next[node]) {
      leave_its_like (q, q->member[node]);
      join_its_like (q, q->member[node]);
      if (q->degree[q->member[node]] < least)
        least = q->degree[q->member[node]];
    }
  }
}

/* ---- the order ---- */

/* Adds the rows of a block as cliques of its columns, which are numbered in local[]; skips other columns. */
static void add_row_cliques (Cliques *q, const Blocks *b, int block, const int local[]) {
  q->n = b->block[block + 1] - b->block[block];
  q->n_cliques = q->n;
  q->start[0] = 0;
  for (int k = 0; k < q->n; k++) {
    int c = b->member[b->block[block] + k], to = q->start[k];
    for (int at = b->start[c]; at < b->start[c + 1]; at++) {
      int paired = b->column_of[b->row[at]];
      if (b->block_of[paired] == block)
        q->clique[to++] = local[paired];
    }
    q->start[k + 1] = to;
  }
}

/* Adds every off-diagonal entry as a clique of two. */
static void add_entry_cliques (Cliques *q, const Blocks *b, int block, const int local[]) {
  int e = 0;

  q->n = b->block[block + 1] - b->block[block];
  memset (q->start, 0, (size_t)(q->n + 1) * sizeof (int));
  for (int pass = 0; pass < 2; pass++) {
    e = 0;
    for (int k = 0; k < q->n; k++) {
      int c = b->member[b->block[block] + k];
      for (int at = b->start[c]; at < b->start[c + 1]; at++) {
        int paired = b->column_of[b->row[at]], ends[2] = {k, local[paired]};
        if (b->block_of[paired] != block || paired == c)
          continue;
        for (int side = 0; side < 2; side++)
          if (pass == 0)
            q->start[ends[side] + 1]++;
          else
            q->clique[q->start[ends[side]]++] = e;
        e++;
      }
    }
    for (int k = 0; k < q->n && pass == 0; k++)
      q->start[k + 1] += q->start[k];
  }
  memmove (q->start + 1, q->start, (size_t)q->n * sizeof (int));
  q->start[0] = 0;
  q->n_cliques = e;
}

static void order_block (Blocks *b, Cliques *q, int block, bool by_rows, int local[], HlSparseOrder *order) {
  int first = b->block[block], n = b->block[block + 1] - first;
  int *found = b->open, *member = b->along; /* both are free again */

  for (int k = 0; k < n; k++)
    local[b->member[first + k]] = k;
  if (by_rows)
    add_row_cliques (q, b, block, local);
  else
    add_entry_cliques (q, b, block, local);
  cliques_begin (q, by_rows);
  find_order (q, found);
  add_row_cliques (q, b, block, local);
  cliques_begin (q, true);
  for (int k = 0; k < n; k++)
    eliminate (q, found[k], &order->most_L, &order->most_U);
  memcpy (member, b->member + first, (size_t)n * sizeof (int));
  for (int k = 0; k < n; k++)
    b->member[first + k] = member[found[k]];
}

static void put_in_one_block (Blocks *b) {
  b->n_blocks = b->n > 0;
  b->block[b->n_blocks] = b->n;
  for (int c = 0; c < b->n; c++) {
    b->member[c] = c;
    b->block_of[c] = 0;
  }
}

bool hl_sparse_order_find (int n, const int column_start[], const int row_index[], bool is_whole,
                           HlArena *arena, HlSparseOrder *order) {
  Blocks b = {.n = n, .start = column_start, .row = row_index};
  int **lists[] = {&b.row_of, &b.column_of, &b.path,   &b.along,   &b.seen,
                   &b.low,    &b.open,      &b.member, &b.block_of};
  int *local = hl_arena_take (arena, n, sizeof (int)), *rows = hl_arena_take (arena, n, sizeof (int));

  for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
    *lists[k] = hl_arena_take (arena, n, sizeof (int));
  b.block = hl_arena_take (arena, n + 1, sizeof (int));
  if (!pair_all (&b))
    return false;
  if (is_whole)
    put_in_one_block (&b);
  else
    find_blocks (&b);
  *order = (HlSparseOrder){.n = n,
                           .column_start = column_start,
                           .row_index = row_index,
                           .n_blocks = b.n_blocks,
                           .block = b.block,
                           .rows = rows,
                           .columns = b.member,
                           .is_bounded = true};
  for (int c = 0; c < n; c++)
    for (int at = column_start[c]; at < column_start[c + 1]; at++)
      order->most_U += b.block_of[b.column_of[row_index[at]]] != b.block_of[c];
  Cliques q = cliques_take (n, column_start[n], arena);
  for (int block = 0; block < b.n_blocks; block++)
    if (b.block[block + 1] - b.block[block] > 1)
      order_block (&b, &q, block, is_whole, local, order);
  for (int k = 0; k < n; k++)
    rows[k] = b.row_of[b.member[k]];
  return true;
}
