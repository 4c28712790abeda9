/* SPDX-License-Identifier: MIT */
/* Questions that an author may begin with: the lines of a block `predict`, of the model as it is. Owned by the
 * caller. */
#pragma once

#include "core/document/hl-document.h"
#include "core/run/hl-results.h"

/* The frequency of the slowest pair, else the real part of the first eigenvalue, with what comes now. */
char *hl_lesson_propose_number (const HlDocument *document);
/* Whether it swings. */
char *hl_lesson_propose_choice (void);
/* The first trace of the plots, in a frame around what the run had; NULL: the run has no such trace, or there is
 * none. `results` may be NULL. */
char *hl_lesson_propose_curve (const HlDocument *document, HlResults *results);
/* What a student reads above such lines, until the author has better words: a question, which ends with its
 * mark and is the title, and what is to be said of it; "" for lines of another kind. */
char *hl_lesson_propose_words (const HlDocument *document, const char *ask);
