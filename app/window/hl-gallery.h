/* SPDX-License-Identifier: MIT */
/* HlGallery: the window in which a new document is begun from a template. */
#pragma once

#include "app/window/hl-application.h"

#define HL_TYPE_GALLERY (hl_gallery_get_type ())
G_DECLARE_FINAL_TYPE (HlGallery, hl_gallery, HL, GALLERY, GtkWindow)

/* The one gallery of the application, over `parent` (may be NULL). */
HlGallery *hl_gallery_present (HlApplication *application, GtkWindow *parent);
