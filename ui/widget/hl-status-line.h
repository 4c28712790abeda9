/* SPDX-License-Identifier: MIT */
/* Short texts in a line, in the order in which they are read. Where there is no room for all of them
 * those of least worth go first, whole; the tooltip has all. The property "text" is all of it, "shown"
 * what there is room for. */
#pragma once

#include <gtk/gtk.h>

#define HL_TYPE_STATUS_LINE (hl_status_line_get_type ())
G_DECLARE_FINAL_TYPE (HlStatusLine, hl_status_line, HL, STATUS_LINE, GtkWidget)

/* What goes first stands first. */
typedef enum {
  HL_WORTH_SPEED, /* how fast the program is */
  HL_WORTH_FACT,
  HL_WORTH_NEWS, /* that a person has to know */
} HlWorth;

typedef struct {
  char *text;
  HlWorth worth;
} HlStatusPart;

/* Empty; HlStatusPart. Owned. */
GArray *hl_status_parts_new (void);

/* Takes the parts. */
void hl_status_line_set (HlStatusLine *self, GArray *parts);
