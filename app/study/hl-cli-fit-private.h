/* SPDX-License-Identifier: MIT */
/* The picture of a fit. */
#pragma once

#include "core/study/hl-fit.h"

/* Whether the name (NULL: none) is one of a picture; HL_ERROR_USAGE. */
gboolean hl_cli_fit_check_picture (const char *path, GError **error);
/* Each trace with its model above its residuals; HL_ERROR_FAILED. */
gboolean hl_cli_fit_save_picture (const HlFit *fit,
                                  const HlFitAnswer *answer,
                                  const char *path,
                                  GError **error);
