/* SPDX-License-Identifier: MIT */
/* How the readers of a study say no. */
#pragma once

#include "core/base/hl-value.h"

/* FALSE, with HL_ERROR_SYNTAX and that text. */
gboolean hl_study_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Whether an object has only members of the NULL-terminated list; else FALSE with an error that names `what` it is and
   the one that it does not have: whoever mistypes a member would get another study than the one meant. */
gboolean hl_study_check_members (const HlValue *object, const char *what, const char *const known[],
                                 GError **error);
