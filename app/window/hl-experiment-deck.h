/* SPDX-License-Identifier: MIT */
/* HlExperimentDeck: experiments of a list one after the other, as the slides of a lecture: each is a step of the history,
 * so that nothing that was tried in between is lost. Signals: "begins" before the first of a list is shown; "shown" with the
 * panes that the experiment asks for (NULL-terminated, NULL: any) and what is said of it. */
#pragma once

#include "ui/bench/hl-workbench.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_EXPERIMENT_DECK (hl_experiment_deck_get_type ())
G_DECLARE_FINAL_TYPE (HlExperimentDeck, hl_experiment_deck, HL, EXPERIMENT_DECK, GObject)

/* Adds the actions on experiments to those of the window, which outlives the deck as the others do. */
HlExperimentDeck *hl_experiment_deck_new (HlWorkbench *workbench, HlBanner *banner,
                                          GtkApplicationWindow *window);
/* Whether a file is a list of experiments, by its name. */
gboolean hl_experiment_deck_takes (GFile *file);
/* Shows the first of a list; FALSE: the banner says what is wrong with it. */
gboolean hl_experiment_deck_open (HlExperimentDeck *self, GFile *file);
