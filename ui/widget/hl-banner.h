/* SPDX-License-Identifier: MIT */
/* HlBanner: a message at the lower edge of a window, where it covers no title. A notice disappears after six
 * seconds, a problem and a question stay until they are closed or replaced. A standing message is shown
 * whenever there is no other one. */
#pragma once

#include <gtk/gtk.h>

#define HL_TYPE_BANNER (hl_banner_get_type ())
G_DECLARE_FINAL_TYPE (HlBanner, hl_banner, HL, BANNER, GtkWidget)

void hl_banner_show (HlBanner *self, const char *message, gboolean is_problem);
/* Shows a notice with a button that activates an action. */
void hl_banner_ask (HlBanner *self, const char *message, const char *button, const char *action);
/* Returns the text, NULL while nothing is shown. Borrowed. */
const char *hl_banner_text (HlBanner *self);
/* Ends the message; the standing one, if there is one, takes its place. */
void hl_banner_hide (HlBanner *self);
/* Hides the banner, and ends the standing message if it is the one shown. */
void hl_banner_dismiss (HlBanner *self);
/* Sets the standing message; NULL: there is none. */
void hl_banner_set_standing (HlBanner *self, const char *message);
