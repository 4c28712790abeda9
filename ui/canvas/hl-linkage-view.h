/* SPDX-License-Identifier: MIT */
/* HlLinkageView: the canvas with the linkage. */
#pragma once

#include "ui/canvas/hl-canvas.h"
#include "ui/paint/linkage/hl-paint-mechanism.h"
#include "ui/canvas/hl-photograph-layer.h"
#include "ui/canvas/hl-tool-bridge.h"

#define HL_TYPE_LINKAGE_VIEW (hl_linkage_view_get_type ())
G_DECLARE_FINAL_TYPE (HlLinkageView, hl_linkage_view, HL, LINKAGE_VIEW, HlCanvas)

HlPhotographLayer *hl_linkage_view_photograph (HlLinkageView *self);
HlToolBridge *hl_linkage_view_bridge (HlLinkageView *self);

/* What is painted at this moment; borrowed until anything changes. */
const HlMechanismPicture *hl_linkage_view_picture (HlLinkageView *self);
