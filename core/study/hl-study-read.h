/* SPDX-License-Identifier: MIT */
/* Reading what a study says. */
#pragma once

#include "core/study/hl-study.h"

/* Fills a study that has its root and empty arrays. FALSE with an error that names the member. */
gboolean hl_study_read (HlStudy *study, GError **error);
