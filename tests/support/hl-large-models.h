/* SPDX-License-Identifier: MIT */
/* Models of about a thousand elements as documents: one linkage with one degree of freedom, many
 * linkages, and many cylinders that one pump feeds. */
#pragma once

#include "core/document/hl-document.h"

/* A scissor lift of so many stages, two bars and three joints each, pushed up from its foot by a
 * cylinder on trapped oil; a stage is 0.12 m high. Owned by the caller. */
HlDocument *hl_test_scissor_lift (int n_stages);
/* So many cylinders side by side, each behind a throttle of its own with a spring-loaded mass on
 * its rod; one pump with a constant pressure feeds all of them. Owned by the caller. */
HlDocument *hl_test_cylinders_on_pump (int n_cylinders);
/* So many rods on pins in a row, the first one on the ground, in a zigzag and swinging. Owned by the caller. */
HlDocument *hl_test_chain (int n_rods);
/* The same rods, two on the end of each. Owned by the caller. */
HlDocument *hl_test_tree (int n_rods);
/* So many bodies on pins in a row, in plan, a knife edge under the middle of each and a spring between any two, on
 * the move. Owned by the caller. */
HlDocument *hl_test_train (int n_bodies);
/* So many volumes of oil in a row from a pump to the tank, a throttle before and behind each. Owned by the
 * caller. */
HlDocument *hl_test_ladder (int n_volumes);
/* The rods of hl_test_chain (), a cylinder from each to the next, and a row of volumes from a pump to the tank that feeds
 * them through throttles: five states a rod. Owned by the caller. */
HlDocument *hl_test_driven_chain (int n_rods);
