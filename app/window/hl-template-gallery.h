/* SPDX-License-Identifier: MIT */
/* HlGallery: the window that creates a new document from a template. */
#pragma once

#include "app/window/hl-application.h"
#include "core/document/hl-document.h"

#include <gio/gio.h>

#define HL_TYPE_GALLERY (hl_gallery_get_type ())
G_DECLARE_FINAL_TYPE (HlGallery, hl_gallery, HL, GALLERY, GtkWindow)

/* Returns the one gallery of the application, over `parent` (may be NULL). */
HlGallery *hl_gallery_present (HlApplication *application, GtkWindow *parent);

/* The models a new document may start from: an empty one and the examples that come with the
 * program, in groups. */

typedef struct {
  const char *group; /* translated */
  const char *title;
  const char *line; /* description in one line */
  const char *file; /* name among the examples; NULL: empty */
} HlTemplate;

int hl_template_count (void);
HlTemplate hl_template_get (int index);

/* Returns the lesson that it is, a new reference; NULL: it is a model. */
GFile *hl_template_lesson (int index);
/* Returns a fresh document, of a lesson its model; owned by the caller. */
HlDocument *hl_template_document (int index, GError **error);

/* Returns a GtkFlowBoxChild with the picture, the title and the line of a template; the picture has that size [px]. */
GtkWidget *hl_template_card_new (int index, int width, int height);
