/* SPDX-License-Identifier: MIT */
/* Macros for translation: _() marks a text shown to the user, N_() such a text in a table, C_() a text that
 * needs a context. Only .c files include this header; it works in a library as well, because it names the
 * catalogue instead of relying on textdomain (). */
#pragma once

#ifndef GETTEXT_PACKAGE
#error "GETTEXT_PACKAGE comes from meson.build"
#endif

#include <glib/gi18n-lib.h>
