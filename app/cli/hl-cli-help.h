/* SPDX-License-Identifier: MIT */
/* The pages of the help as HTML. */
#pragma once

#include "core/help/hl-help-page.h"
#include "core/help/hl-help-topic.h"
