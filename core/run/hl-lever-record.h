/* SPDX-License-Identifier: MIT */
/* What levers did while a machine was driven: for each the corners of a broken line over time, in
 * which two equal times make a jump. A lever at rest takes no memory; one that is always on the
 * move takes 16 bytes a tick; one that nobody held has no corners at all. */
#pragma once

#include "core/document/hl-document.h"

typedef struct HlLeverRecord HlLeverRecord;

/* No lever is held yet. */
HlLeverRecord *hl_lever_record_new (int n_levers);
void hl_lever_record_free (HlLeverRecord *record);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLeverRecord, hl_lever_record_free)

/* A corner before the hand came, or where it took hold. */
void hl_lever_record_put (HlLeverRecord *record, int lever, double t, double y);
/* A lever that is held goes in a straight line from where it stands at `from` to y at `to`. Times
 * must not fall. */
void hl_lever_record_add (HlLeverRecord *record, int lever, double from, double to, double y);
/* Forgets what lies behind t: the drive ended there. */
void hl_lever_record_end (HlLeverRecord *record, double t);

/* Whether it ever was; levers are counted from 0, in the order of hands of the system. */
gboolean hl_lever_record_is_held (const HlLeverRecord *record, int lever);
/* Where it stood at t; NAN: nobody held it. */
double hl_lever_record_value (const HlLeverRecord *record, int lever, double t);
/* A signal of the file: a table of the corners, or a number for a lever that never moved; NULL:
 * nobody held it. Owned by the caller. */
HlValue *hl_lever_record_signal (const HlLeverRecord *record, int lever);
