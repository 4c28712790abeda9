/* SPDX-License-Identifier: MIT */
/* Precompiled headers (meson's b_pch): no file includes this one. */
#pragma once
#include <gtk/gtk.h>
