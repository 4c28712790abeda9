/* SPDX-License-Identifier: MIT */
/* Precompiled headers (meson's b_pch): no file includes this one. */
#include <glib.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
