/* SPDX-License-Identifier: MIT */
/* Precompiled headers (meson's b_pch): no file includes this one. Files that need _GNU_SOURCE define it before any
 * header. */
#define _GNU_SOURCE
#include <glib.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
