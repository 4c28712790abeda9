/* SPDX-License-Identifier: MIT */
/* Models of about a thousand elements as documents: one linkage with one degree of freedom, many
 * linkages, and many cylinders that one pump feeds. */
#pragma once

#include "core/document/hl-document.h"

/* Returns a scissor lift with n stages, two bars and three joints each, pushed up from its foot by a cylinder
 * on trapped oil; a stage is 0.12 m high. Owned by the caller. */
HlDocument *hl_test_scissor_lift (int n_stages);
/* Returns n cylinders side by side, each behind its own throttle with a spring-loaded mass on its rod; one
 * pump with a constant pressure feeds all of them. Owned by the caller. */
HlDocument *hl_test_cylinders_on_pump (int n_cylinders);
/* Returns n rods on pins in a row, the first one on the ground, in a zigzag and swinging. Owned by the
 * caller. */
HlDocument *hl_test_chain (int n_rods);
/* Returns the same rods, two on the end of each. Owned by the caller. */
HlDocument *hl_test_tree (int n_rods);
/* Returns n moving bodies on pins in a row, in plan view, a knife edge under the middle of each and a spring
 * between any two. Owned by the caller. */
HlDocument *hl_test_train (int n_bodies);
/* Returns n volumes of oil in a row from a pump to the tank, with throttles between them. Owned by the
 * caller. */
HlDocument *hl_test_ladder (int n_volumes);
/* Returns the rods of hl_test_chain (), a cylinder from each to the next, and a row of volumes from a pump to
 * the tank that feeds them through throttles: five states for each rod. Owned by the caller. */
HlDocument *hl_test_driven_chain (int n_rods);
