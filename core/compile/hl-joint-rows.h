/* SPDX-License-Identifier: MIT */
/* From a joint of the document to its constraint rows: for the compile step, and for tools that
 * move a linkage whose document is not whole yet. */
#pragma once

#include "core/document/hl-document.h"
#include "core/mech/hl-joint.h"

/* Fills the rows of one joint; returns how many, 0 when the joint names what is not there, lacks a
 * number or is of an unknown kind. */
int hl_joint_rows (const HlDocument *doc, int joint, HlRow rows[HL_JOINT_MOST_ROWS]);
