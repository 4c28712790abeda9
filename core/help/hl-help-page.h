/* SPDX-License-Identifier: MIT */
/* Pages of the help as data: of the panes of the window, and one kind of element, or one element with its numbers. All of it is read
 * from the tables that compute with it: the kind, and the help of the class of a component, or of
 * another element (hl-help-element-laws.h). */
#pragma once

#include "core/document/hl-document.h"
#include "core/formula/hl-formula.h"
#include "core/help/hl-help-law-evaluation.h"
#include "core/schema/hl-element-schema.h"

#include <glib.h>

/* A formula of the page. */
typedef struct {
  const HlFormulaText *text;
  const HlTerm *term;
  double value; /* of its left side at the point; NAN: a function, or not known */
} HlHelpFormula;

/* A letter that the page's formulas name. */
typedef struct {
  const HlLetter *letter;
  const char *label; /* marked, not translated; NULL: none */
  HlQuantity quantity;
  double value; /* at the point; NAN: it has none */
} HlHelpLetter;

typedef struct {
  const HlKind *kind;
  char *id;               /* of the element; NULL if the page describes a kind */
  const HlValue *element; /* borrowed from a document that the page holds; NULL: a new one */
  HlHelpPart *part;       /* NULL: a kind without formulas */
  GArray *formulas;       /* HlHelpFormula; of a kind all, of an element those that hold */
  GArray *letters;        /* HlHelpLetter */
  /* own */
  const HlDocument *document;
  HlValue *made;
  void *self;
  GPtrArray *terms;
} HlHelpPage;

/* Returns the page of a kind; of an element where `id` is not NULL, which the document must have, or of the
 * signal "ELEMENT.FIELD". The oil is that of the document, which may be NULL. */
HlHelpPage *hl_help_page_new (const HlKind *kind, const HlDocument *document, const char *id);
void hl_help_page_free (HlHelpPage *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHelpPage, hl_help_page_free)

/* Moves an element that is not a component to its pose at t: `read` returns the value of "ID.NAME" in a run, NAN
 * without one; the rest stays. Works the page out. */
void hl_help_page_look (HlHelpPage *page, double (*read) (void *data, const char *id, const char *name),
                        void *data, double t);

/* Updates the numbers of formulas and letters after the point of the part was moved. */
void hl_help_page_work_out (HlHelpPage *page);

/* Returns the curves that it shows: of an element those that it has. Borrowed const HlCurve * in an array
 * that the caller owns. */
GPtrArray *hl_help_page_curves (const HlHelpPage *page);

/* Returns how the k-th oil model treats the element, in the user's language. Owned by the caller. */
char *hl_help_page_oil (const HlHelpPage *page, int oil);
/* Returns the names of the states that it adds, with commas; NULL: none. Owned by the caller. */
char *hl_help_page_states (const HlHelpPage *page);
/* Returns its ports that are there, with commas; NULL: none. Owned by the caller. */
char *hl_help_page_ports (const HlHelpPage *page);
/* Returns the sources of its equations. Borrowed. */
const char *hl_help_page_sources (const HlHelpPage *page);
/* Returns the kind of the signal in a field of the page's element; NULL if the field is not a signal or
 * the page describes a kind. */
const HlKind *hl_help_signal_kind (const HlHelpPage *page, const HlField *field);
/* Returns how well the page of a kind fits words in the person's language: more where they are in its name or in other names of
 * the same thing than in its text, least in its properties; 0 where one of them is nowhere. */
int hl_help_kind_rank (const HlKind *kind, const char *words);

/* Returns the kinds that have a page: components, lines, bodies, joints, loads and signals, each in the order
 * of the palette; NULL behind the last one. */
const HlKind *hl_help_kind (int k);
/* Returns a file or link name of a kind's page, "throttle", "load-torque": differs for all. Owned by the
 * caller. */
char *hl_help_kind_key (const HlKind *kind);
/* Returns the meaning of a letter in the person's language, "" where there is no text; owned by the caller. */
char *hl_help_letter_words (const HlHelpPage *page, const HlHelpLetter *letter);
/* Finds the dimension of a formula's result, from its letters; FALSE: a letter is unknown, or added terms
 * differ. */
gboolean hl_help_formula_dimension (const HlHelpPage *page, const HlHelpFormula *formula,
                                    HlDimension *dimension);
/* Finds the quantity of a formula's result; FALSE: none with a name. */
gboolean hl_help_formula_quantity (const HlHelpPage *page, const HlHelpFormula *formula,
                                   HlQuantity *quantity);
/* Returns the range of a field with its default or its choices, in the person's language; the default is in the unit, NULL: in the
 * usual one. Owned by the caller. */
char *hl_help_field_range (const HlField *field, const HlUnit *unit);

/* Pages of the help on what is no part of a model: the panes of the window. What can be done with keys
 * is not said here: a page lists the group of the window's shortcuts that it names. */

#define HL_TOPIC_MOST_LINES 6

typedef struct {
  const char *key;                        /* "plots" */
  const char *label;                      /* marked, not translated, as the lines are */
  const char *lines[HL_TOPIC_MOST_LINES]; /* paragraphs; NULL behind the last one */
  const char *shortcuts;                  /* id of a group of the shortcuts; NULL: none */
  const char *sources;                    /* pages on the mathematics; NULL: there is none in it */
} HlHelpTopic;

/* Returns the k-th page; NULL behind the last one. */
const HlHelpTopic *hl_help_topic (int k);
/* Finds a topic by its key; NULL: there is none. */
const HlHelpTopic *hl_help_topic_find (const char *key);
/* Returns how well the page fits words, as hl_help_kind_rank () does. */
int hl_help_topic_rank (const HlHelpTopic *topic, const char *words);
