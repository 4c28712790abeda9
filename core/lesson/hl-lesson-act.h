/* SPDX-License-Identifier: MIT */
/* What a lesson does to its model. */
#pragma once

#include "core/document/hl-document.h"
#include "core/lesson/hl-lesson.h"

/* The document after the act, a new reference; of one that does not change the document (a lock, a
 * run) the same. NULL with an error that says why it cannot be. A fault that ends is no act of the
 * document alone: hl-lesson-play.h. */
HlDocument *hl_lesson_act_apply (const HlLessonAct *act, const HlDocument *document, GError **error);
/* The document with the number at a path as it is in another; FALSE in *differs: it was so already. A
 * new reference, NULL with an error. */
HlDocument *hl_lesson_put_back (const HlDocument *document, const HlDocument *model, const char *path,
                                gboolean *differs, GError **error);
