/* SPDX-License-Identifier: MIT */
/* The text of a lesson as widgets: paragraphs with the numbers of the moment, formulas set as
 * mathematics, drawings of the model. */
#pragma once

#include "core/lesson/hl-lesson-play.h"

#include <gtk/gtk.h>

/* Appends blocks (HlLessonBlock) to a box. `play` is lent and outlives the widgets. */
void hl_lesson_page_append (GtkBox *box, const GPtrArray *blocks, HlLessonPlay *play);
/* The numbers in paragraphs below a widget again, and its drawings. */
void hl_lesson_page_refresh (GtkWidget *box, HlLessonPlay *play);
