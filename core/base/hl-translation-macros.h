/* SPDX-License-Identifier: MIT */
/* _() marks text that a person reads, N_() such text in a table, C_() text that needs a context.
 * Only .c files include this header; it works in a library as well, for it names the catalogue
 * instead of relying on textdomain (). */
#pragma once

#ifndef GETTEXT_PACKAGE
#error "GETTEXT_PACKAGE comes from meson.build"
#endif

#include <glib/gi18n-lib.h>
