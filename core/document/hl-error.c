/* SPDX-License-Identifier: MIT */
#include "core/document/hl-error.h"

G_DEFINE_QUARK (hl - error - quark, hl_error)
