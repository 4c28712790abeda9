/* SPDX-License-Identifier: MIT */
#include "core/base/hl-error.h"

G_DEFINE_QUARK (hl - error - quark, hl_error)
