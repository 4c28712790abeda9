/* SPDX-License-Identifier: MIT */
/* HlInspector from the inside: the list of elements above, what is wrong with one, and its rows, which come
 * by and by. */
#pragma once

#include "ui/inspector/hl-inspector.h"

struct _HlInspector
{
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *title;   /* drop-down with every element */
  GtkStringList *ids; /* what it lists: "", then ids */
  GtkWidget *finding; /* what is wrong with the element */
  GtkWidget *mend;    /* does what would mend it */
  int mended;         /* index of that finding */
  GtkWidget *page;    /* what is scrolled: the grid is in it */
  GtkGrid *grid;      /* of the rows that are shown */
  GPtrArray *leaving; /* grids of rows that were, borrowed: hidden, and taken apart by and by */
  GPtrArray *fields;  /* HlNumberField, borrowed */
  GPtrArray *outputs; /* labels, borrowed */
  GPtrArray *texts;   /* editors of texts, borrowed */
  GtkWidget *many;    /* "3 elements" in place of the title */
  char *signature;    /* of the rows that are shown */
  char *of;           /* ids of the elements that they are of */
  gboolean selecting;
  gboolean is_drawn; /* at least once */
  int n_rows;        /* made so far */
  int next;          /* part of the rows that comes next; 0: all are there */
  guint turn;        /* brings it, and takes old rows apart; 0: there is nothing to do */
  guint late;        /* follows numbers behind another page; 0: it has */
};

/* What is shown: the elements selected, else the model. */
const char *const *hl_inspector_shown_ids (HlInspector *self);

/* hl-inspector-title.c: the drop-down with every element; in place of it how many are selected. */
void hl_inspector_bind_title (HlInspectorClass *klass);
void hl_inspector_refresh_title (HlInspector *self);

/* hl-inspector-finding.c: what is wrong with the element of that id, NULL: nothing; and its mend. */
void hl_inspector_bind_finding (HlInspectorClass *klass);
void hl_inspector_show_finding (HlInspector *self, const char *id);

/* hl-inspector-fill.c: the grid of rows. */
void hl_inspector_add_grid (HlInspector *self);
/* Rows of something else when there is, or the numbers in those that there are. */
void hl_inspector_refresh_fill (HlInspector *self);
/* The first frame is over: what was kept for later comes. */
void hl_inspector_go_on (HlInspector *self);
