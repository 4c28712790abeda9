/* SPDX-License-Identifier: MIT */
/* The plot panels of a model, its `plots`: the content and the place of each.
 *
 *   {"title": "Pressures", "traces": ["p1", "V3.pressure"], "kind": "time", "place": "below"}
 *
 * Panels stand in tabs; in a tab in rows, one below the other; in a row side by side. A model
 * without `plots` has one panel a quantity of its probes. */
#pragma once

#include "core/document/hl-document.h"

typedef enum {
  HL_PLOT_TIME,
  HL_PLOT_PHASE,      /* the first trace is x */
  HL_PLOT_SPECTRUM,   /* amplitude over frequency */
  HL_PLOT_DIFFERENCE, /* of the run to what `against` names */
  HL_PLOT_ENERGY,     /* bars at the time cursor */
  HL_N_PLOT_KINDS
} HlPlotKind;

typedef enum {
  HL_PLACE_BELOW,  /* the panel before it: a new row */
  HL_PLACE_BESIDE, /* in its row */
  HL_PLACE_TAB,    /* the first one of a new tab */
  HL_N_PLACES
} HlPlotPlace;

typedef enum { HL_AGAINST_PINNED, HL_AGAINST_LINEAR, HL_AGAINST_MEASURED, HL_N_AGAINST } HlPlotAgainst;

typedef struct {
  char *title;   /* NULL: none */
  char **traces; /* probe ids and paths, NULL-terminated, never NULL */
  HlPlotKind kind;
  HlPlotPlace place;
  char *tab; /* name of the tab that begins with this panel; NULL: none */
  HlPlotAgainst against;
  char *run;      /* name of the run that a difference is made to, "Run 1"; NULL, or when there is
                     none of that name: the one pinned last */
  char *window;   /* of the spectrum; NULL: Hann */
  gboolean log;   /* values on a logarithmic axis */
  HlValue *entry; /* the object of the file, with members unknown to this program; or NULL */
} HlPlotPanel;

/* Returns an empty panel of curves over time; a copy shares nothing with its source. Owned by the caller.
 */
HlPlotPanel *hl_plot_panel_new (void);
HlPlotPanel *hl_plot_panel_copy (const HlPlotPanel *panel);
void hl_plot_panel_free (HlPlotPanel *panel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPlotPanel, hl_plot_panel_free)
/* Returns whether it has nothing to show: no traces, and energies are not what it shows. */
gboolean hl_plot_panel_is_empty (const HlPlotPanel *panel);
/* Returns whether both show the same in the same way. */
gboolean hl_plot_panel_equal (const HlPlotPanel *a, const HlPlotPanel *b);
/* Returns whether a trace stands in the panel. */
gboolean hl_plot_panel_has (const HlPlotPanel *panel, const char *trace);
/* Adds a trace; FALSE: the panel has it already. */
gboolean hl_plot_panel_add (HlPlotPanel *panel, const char *trace);
gboolean hl_plot_panel_remove (HlPlotPanel *panel, const char *trace);

const char *hl_plot_kind_name (HlPlotKind kind);       /* "phase", as in the file */
const char *hl_plot_against_name (HlPlotAgainst what); /* "linear" */

/* Returns the HlPlotPanel, freed with the array; those of the file, else one a quantity. */
GPtrArray *hl_plot_panels_of_document (const HlDocument *document);
gboolean hl_plot_panels_equal (GPtrArray *a, GPtrArray *b);
/* Takes panel `index` out; the one that follows takes its place in tab or row. */
void hl_plot_panels_remove (GPtrArray *panels, guint index);
/* Returns the paths that the panels show besides probes, bars of energy included, each once; NULL-terminated,
 * owned by the caller. */
char **hl_plot_panels_paths (GPtrArray *panels, const HlDocument *document);

/* Returns an edit verb: the document with these panels. */
HlDocument *hl_edit_set_plots (const HlDocument *document, GPtrArray *panels);
