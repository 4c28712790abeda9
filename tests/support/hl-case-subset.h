/* SPDX-License-Identifier: MIT */
/* Part of a long list of cases, where many changes are tried one after another. */
#pragma once

#include <glib.h>

/* Returns whether case `index` is run: every one, or with HL_SHARE=K/N every N-th from the K-th (1 to N) on. */
gboolean hl_case_share_takes (guint index);
/* Returns the minimum number of tried cases of `count`; `count` itself without HL_SHARE. */
guint hl_share_of (guint count);
