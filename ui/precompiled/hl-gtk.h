/* SPDX-License-Identifier: MIT */
/* Precompiled headers (meson's b_pch): no file includes this one. */
#include <gtk/gtk.h>
