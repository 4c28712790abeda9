/* SPDX-License-Identifier: MIT */
/* HlExperimentDeck: shows the experiments of a list one after the other, as the slides of a lecture. Each one is a step of the
 * undo history, so changes made in between are not lost. Signals: "begins" before the first experiment of a list is shown;
 * "shown" with the names of the panes to show (NULL-terminated, NULL: any) and the caption. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_EXPERIMENT_DECK (hl_experiment_deck_get_type ())
G_DECLARE_FINAL_TYPE (HlExperimentDeck, hl_experiment_deck, HL, EXPERIMENT_DECK, GObject)

/* Adds the actions for experiments to the window. Banner and window must outlive the deck. */
HlExperimentDeck *hl_experiment_deck_new (HlWorkbench *workbench, HlBanner *banner,
                                          GtkApplicationWindow *window);
/* Returns whether the file name is that of a list of experiments. */
gboolean hl_experiment_deck_takes (GFile *file);
/* Shows the first experiment of a list. Returns FALSE if the file is damaged; the banner then says why. */
gboolean hl_experiment_deck_open (HlExperimentDeck *self, GFile *file);
