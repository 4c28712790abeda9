/* SPDX-License-Identifier: MIT */
/* The pointer after a list or menu was closed under it. */
#pragma once

/* GTK 4.8 sends a popover that was laid out just before it is hidden, as a list is by a key, one more motion of the
 * pointer that stands where it was, and takes the press that comes next for one into the hidden popover: the first
 * click afterwards is lost. From here on the pointer belongs to what is seen below it, in every window. Once. */
void hl_closed_list_watch (void);
