/* SPDX-License-Identifier: MIT */
/* A lesson gone through by pointer and keys. */
#pragma once

#include "core/lesson/hl-lesson-session.h"
#include "tests/ui/pointer-fixture.h"

/* The lesson that the window has open, to its end: predictions are typed, chosen and drawn, numbers are
 * changed where a person changes them. Where `file` of the lesson is given, wrong answers are corrected, and the lesson is left and
 * resumed at each step. HL_PICTURES_DIR keeps two pictures a step, named after it;
 * HL_PICTURES_PRESENT takes them in the lecture hall. */
void lesson_player_play (HlWindow *window, const char *name, GFile *file);
/* Fails unless the large pane and the target of the root locus are those of the view. */
void lesson_player_check_view (HlWindow *window, const HlLessonView *view);
