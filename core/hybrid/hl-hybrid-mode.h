/* SPDX-License-Identifier: MIT */
/* A mode: which lines are closed and which stops are held, with everything about it that does not
 * change from one evaluation to the next (active columns, rank, independent states). Modes are
 * cached by their key, so that the analysis is done once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/hybrid/hl-hybrid-network.h"
#include "core/hybrid/hl-hybrid-rank.h"

/* Set of bits, compared and copied by value: 2 stops per cylinder, then each line "shut by itself"
 * (check or relief), then each line "shut by command", of which only one is ever set for a line,
 * then each edge "does not pass oil by pressure". */
#define HL_HYBRID_KEY_WORDS 32
typedef struct
{
  uint64_t words[HL_HYBRID_KEY_WORDS];
} HlHybridKey;

/* Whether a network has few enough lines and stops for a key. */
bool hl_hybrid_key_fits (const HlHybridTables *tables);

/* Whether a stop of a cylinder is held in the mode, and to hold it or let it go. */
bool hl_hybrid_key_has_stop (const HlHybridNetwork *net,
                             const HlHybridKey *key,
                             int cylinder,
                             bool upper);
void hl_hybrid_key_set_stop (
    const HlHybridNetwork *net, HlHybridKey *key, int cylinder, bool upper, bool held);

typedef enum
{
  HL_HYBRID_LINE_OPEN,
  HL_HYBRID_LINE_CLOSED, /* by itself: check or relief */
  HL_HYBRID_LINE_SHUT    /* by command */
} HlHybridLineState;

/* State of a line in the mode, and to set it. */
HlHybridLineState
hl_hybrid_key_get_line (const HlHybridNetwork *net, const HlHybridKey *key, int line);
void hl_hybrid_key_set_line (const HlHybridNetwork *net,
                             HlHybridKey *key,
                             int line,
                             HlHybridLineState state);

/* Whether an edge is open in the mode, and to set it. */
bool hl_hybrid_key_is_open (const HlHybridNetwork *net, const HlHybridKey *key, int edge);
void hl_hybrid_key_set_open (const HlHybridNetwork *net, HlHybridKey *key, int edge, bool is_open);

/* The key with nothing but commanded valves and edges: the equality constraints that no impact can
 * open. */
HlHybridKey hl_hybrid_key_base (const HlHybridNetwork *net, const HlHybridKey *key);

/* Whether a column of the network is a constraint in a mode; of a node, unless edges join it to
 * others. */
bool hl_hybrid_key_has_column (const HlHybridNetwork *net, const HlHybridKey *key, int column);
/* Holds or frees the stop or one-sided line of a column; one that is shut by command stays. */
void hl_hybrid_key_set_column (const HlHybridNetwork *net, HlHybridKey *key, int column, bool held);

typedef struct
{
  HlArena arena; /* of itself and its arrays, but for the rank */
  HlHybridKey key;
  int index;    /* running number in the cache, in order of first use */
  int n_active; /* active columns */
  int *columns; /* their indices in the network, rising                 n_active */
  int *group;   /* as HlHybridInputs.group; NULL without edges          n_nodes */
  bool is_analyzed;
  bool *had_arm;      /* which cylinders had an arm where the rank was found   n_cylinders */
  HlHybridRank *rank; /* of W with the active columns; written by hl_hybrid_mode_analyze */
  long looked_for;    /* the number of the latest look-up that found it */
} HlHybridMode;

/* Redoes rank and independent states from w[n_states x n_active], where has_arm[n_cylinders] tell
 * which cylinders are in it, and the scales 1 / sqrt (M_jj), scale[n_states]. Needed once, and again
 * only when a geometry-dependent W has moved so far that the stored choice is poor, or other
 * cylinders have an arm. scratch: hl_hybrid_mode_scratch_size () doubles. */
void hl_hybrid_mode_analyze (const HlHybridNetwork *net,
                             HlHybridMode *mode,
                             const double w[],
                             const bool has_arm[],
                             const double scale[],
                             double scratch[]);
/* Whether the rank was found, and where the same cylinders had an arm. */
bool hl_hybrid_mode_is_known (const HlHybridNetwork *net,
                              const HlHybridMode *mode,
                              const bool has_arm[]);
int hl_hybrid_mode_scratch_size (const HlHybridNetwork *net);

typedef struct HlHybridModeCache HlHybridModeCache;

/* Places that may be told to a cache. */
#define HL_HYBRID_USERS 4

/* A cache that is empty, and owns the modes in it. most: 0, or so many modes at most (more than places are
 * told), for all of which there is memory at once: with the last one taken a new key gets that which was not
 * looked for the longest and is in no place. Owned by the caller. */
HlHybridModeCache *hl_hybrid_mode_cache_new (const HlHybridNetwork *net, int most);
void hl_hybrid_mode_cache_free (HlHybridModeCache *cache);
/* The mode in a place (borrowed; or NULL) stays that of its key. */
void hl_hybrid_mode_cache_use (HlHybridModeCache *cache, HlHybridMode *const *place);
/* The mode of a key, made when it is new. Borrowed; lives as long as the cache, with a `most` until the next
 * look-up unless it is in a place. */
HlHybridMode *hl_hybrid_mode_cache_lookup (HlHybridModeCache *cache,
                                           const HlHybridNetwork *net,
                                           const HlHybridKey *key);
