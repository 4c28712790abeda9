/* SPDX-License-Identifier: MIT */
#include "ui/bench/hl-pad.h"

HlPadDevice *hl_pad_device_new (HlPad *pad) {
  return NULL;
}

void hl_pad_device_free (HlPadDevice *device) {
}
