/* SPDX-License-Identifier: MIT */
/* Pages of the help on what is no part of a model: the panes of the window. What can be done with keys
 * is not said here: a page lists the group of the window's shortcuts that it names. */
#pragma once

#include <glib.h>

#define HL_TOPIC_MOST_LINES 5

typedef struct {
  const char *key;                        /* "plots" */
  const char *label;                      /* marked, not translated, as the lines are */
  const char *lines[HL_TOPIC_MOST_LINES]; /* paragraphs; NULL behind the last one */
  const char *shortcuts;                  /* id of a group of the shortcuts; NULL: none */
  const char *sources;                    /* pages on the mathematics; NULL: there is none in it */
} HlHelpTopic;

/* The k-th page; NULL behind the last one. */
const HlHelpTopic *hl_help_topic (int k);
/* By its key; NULL: there is none. */
const HlHelpTopic *hl_help_topic_find (const char *key);
/* Whether all these words are among its words, in the person's language. */
int hl_help_topic_matches (const HlHelpTopic *topic, const char *words);

/* What is sought in the help. */

/* Whether a text has every one of the words, which blanks separate; case does not matter. Without words: yes. */
gboolean hl_help_has_words (const char *text, const char *words);
