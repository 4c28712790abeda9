/* SPDX-License-Identifier: MIT */
#include "tests/monkey/hl-xtest-input.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <gdk/x11/gdkx.h>
#include <string.h>

#define MOST_BUTTONS 12

struct _HlHand {
  Display *display;
  GArray *held; /* KeyCode */
  gboolean buttons[MOST_BUTTONS];
};

static int ignore_cb (Display *display, XErrorEvent *event) {
  return 0; /* a window may be gone before it is raised */
}

/* Characters without a key on the server's plain keyboard: letters of other languages, signs and a wide one. */
static const gunichar foreign[] = {0xe4,  0xf6,  0xfc,  0xc4,  0xdf,   0xe9,   0xb0,   0xb2,   0xb5,
                                   0x3b1, 0x3c6, 0x3a9, 0x435, 0x20ac, 0x2212, 0x2082, 0x4e2d, 0x1f600};

static KeySym symbol_of_character (gunichar character) {
  return character < 0x100 ? character : 0x01000000 | character; /* Latin 1 is its own symbol */
}

/* Assigns each symbol a key without a symbol, once: a key that is reassigned while the program reads is read
 * with either meaning. */
static void lend_keys (Display *display) {
  int first, last, n, code;
  gsize lent = 0;

  XDisplayKeycodes (display, &first, &last);
  for (code = last; code >= first && lent < G_N_ELEMENTS (foreign); code--) {
    KeySym *symbols = XGetKeyboardMapping (display, (KeyCode)code, 1, &n);
    gboolean is_free = TRUE;
    for (int i = 0; i < n; i++)
      is_free = is_free && symbols[i] == NoSymbol;
    XFree (symbols);
    if (!is_free)
      continue;
    KeySym symbol = symbol_of_character (foreign[lent++]);
    KeySym both[2] = {symbol, symbol};
    XChangeKeyboardMapping (display, code, 2, both, 1);
  }
  XSync (display, False);
}

/* Where no window manager moves and sizes windows GDK does it itself while a frame is dragged, and goes on with
 * a window that a key closed meanwhile: an error of the server, which ends the program. Who works has a manager;
 * this one says that it does it, and leaves windows where they are. */
static void pose_as_manager (Display *display) {
  Window root = DefaultRootWindow (display);
  Window check = XCreateSimpleWindow (display, root, -10, -10, 1, 1, 0, 0, 0);
  Atom name = XInternAtom (display, "_NET_SUPPORTING_WM_CHECK", False);
  Atom does = XInternAtom (display, "_NET_WM_MOVERESIZE", False);
  Atom all = XInternAtom (display, "_NET_SUPPORTED", False);

  XChangeProperty (display, check, name, XA_WINDOW, 32, PropModeReplace, (unsigned char *)&check, 1);
  XChangeProperty (display, root, name, XA_WINDOW, 32, PropModeReplace, (unsigned char *)&check, 1);
  XChangeProperty (display, root, all, XA_ATOM, 32, PropModeReplace, (unsigned char *)&does, 1);
  XSync (display, False);
}

HlXtestInput *hl_xtest_input_new (void) {
  int event, error, major, minor;
  Display *display = XOpenDisplay (NULL);

  if (display == NULL || !XTestQueryExtension (display, &event, &error, &major, &minor))
    return NULL;
  HlXtestInput *self = g_new0 (HlXtestInput, 1);
  self->display = display;
  lend_keys (display);
  pose_as_manager (display);
  self->held = g_array_new (FALSE, FALSE, sizeof (KeyCode));
  return self;
}

void hl_xtest_input_free (HlXtestInput *self) {
  hl_xtest_input_let_go (self);
  g_array_unref (self->held);
  XCloseDisplay (self->display);
  g_free (self);
}

void hl_xtest_input_sync (HlXtestInput *self) {
  XSync (self->display, True);
}

void hl_xtest_input_move (HlXtestInput *self, int x, int y) {
  XTestFakeMotionEvent (self->display, -1, x, y, CurrentTime);
  hl_xtest_input_sync (self);
}

void hl_xtest_input_drag (HlXtestInput *self, int dx, int dy, int n_steps) {
  for (int step = 0; step < n_steps; step++)
    XTestFakeRelativeMotionEvent (self->display, dx * (step + 1) / n_steps - dx * step / n_steps,
                                  dy * (step + 1) / n_steps - dy * step / n_steps, CurrentTime);
  hl_xtest_input_sync (self);
}

void hl_xtest_input_button (HlXtestInput *self, guint button, gboolean down) {
  if (button == 0 || button >= MOST_BUTTONS)
    return;
  XTestFakeButtonEvent (self->display, button, down, CurrentTime);
  self->buttons[button] = down;
  hl_xtest_input_sync (self);
}

/* --- keys --- */

static KeySym symbol_of (const char *name) {
  static const struct {
    const char *name;
    KeySym symbol;
  } words[] = {{"ctrl", XK_Control_L}, {"shift", XK_Shift_L}, {"alt", XK_Alt_L}};

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (words[i].name, name) == 0)
      return words[i].symbol;
  return XStringToKeysym (name);
}

static void press (HlXtestInput *self, KeyCode code, gboolean down) {
  XTestFakeKeyEvent (self->display, code, down, CurrentTime);
  for (guint i = 0; !down && i < self->held->len; i++)
    if (g_array_index (self->held, KeyCode, i) == code) {
      g_array_remove_index_fast (self->held, i);
      break;
    }
  if (down)
    g_array_append_val (self->held, code);
}

/* Returns the key of the symbol, and whether with Shift; 0: none. */
static KeyCode code_of (HlXtestInput *self, KeySym symbol, gboolean *shifted) {
  KeyCode code = symbol != NoSymbol ? XKeysymToKeycode (self->display, symbol) : 0;
  int n;

  *shifted = FALSE;
  if (code == 0)
    return 0;
  KeySym *symbols = XGetKeyboardMapping (self->display, code, 1, &n);
  *shifted = n > 1 && symbols[0] != symbol && symbols[1] == symbol;
  XFree (symbols);
  return code;
}

gboolean hl_xtest_input_key (HlXtestInput *self, const char *name) {
  g_auto (GStrv) parts = g_strsplit (name, "+", -1);
  guint n = g_strv_length (parts);
  gboolean shifted;

  if (n == 0)
    return FALSE;
  KeyCode code = code_of (self, symbol_of (parts[n - 1]), &shifted);
  KeyCode shift = XKeysymToKeycode (self->display, XK_Shift_L);
  if (code == 0)
    return FALSE;
  for (guint i = 0; i + 1 < n; i++)
    hl_xtest_input_hold (self, parts[i], TRUE);
  if (shifted)
    press (self, shift, TRUE);
  press (self, code, TRUE);
  press (self, code, FALSE);
  if (shifted)
    press (self, shift, FALSE);
  for (guint i = n - 1; i-- > 0;)
    hl_xtest_input_hold (self, parts[i], FALSE);
  hl_xtest_input_sync (self);
  return TRUE;
}

void hl_xtest_input_hold (HlXtestInput *self, const char *name, gboolean down) {
  gboolean shifted;
  KeyCode code = code_of (self, symbol_of (name), &shifted);

  if (code != 0)
    press (self, code, down);
  hl_xtest_input_sync (self);
}

void hl_xtest_input_type (HlXtestInput *self, const char *text) {
  KeyCode shift = XKeysymToKeycode (self->display, XK_Shift_L);

  for (; *text != '\0'; text = g_utf8_next_char (text)) {
    gboolean shifted;
    KeyCode code = code_of (self, symbol_of_character (g_utf8_get_char (text)), &shifted);
    if (code == 0)
      continue;
    if (shifted)
      press (self, shift, TRUE);
    press (self, code, TRUE);
    press (self, code, FALSE);
    if (shifted)
      press (self, shift, FALSE);
  }
  hl_xtest_input_sync (self);
}

void hl_xtest_input_let_go (HlXtestInput *self) {
  while (self->held->len > 0)
    press (self, g_array_index (self->held, KeyCode, 0), FALSE);
  for (guint button = 0; button < MOST_BUTTONS; button++)
    if (self->buttons[button])
      hl_xtest_input_button (self, button, FALSE);
  hl_xtest_input_sync (self);
}

/* --- windows --- */

static Window window_of (GtkNative *native) {
  GdkSurface *surface = gtk_native_get_surface (native);
  return surface != NULL ? gdk_x11_surface_get_xid (surface) : None;
}

static void raise_above (HlXtestInput *self, GtkWindow *window) {
  Window id = window_of (GTK_NATIVE (window));

  if (id == None)
    return;
  XRaiseWindow (self->display, id);
  XSetInputFocus (self->display, id, RevertToPointerRoot, CurrentTime);
}

/* Dialogs stay above their windows and take the keyboard. */
void hl_xtest_input_raise (HlXtestInput *self, GtkWindow *window) {
  GListModel *all = gtk_window_get_toplevels ();
  XErrorHandler before = XSetErrorHandler (ignore_cb);

  raise_above (self, window);
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) other = g_list_model_get_item (all, i);
    if (other != window && gtk_window_get_transient_for (other) == window &&
        gtk_widget_get_mapped (GTK_WIDGET (other)))
      raise_above (self, other);
  }
  hl_xtest_input_sync (self);
  XSetErrorHandler (before);
}

void hl_xtest_input_place (HlXtestInput *self, GtkWindow *window, int x, int y) {
  XErrorHandler before = XSetErrorHandler (ignore_cb);

  XMoveWindow (self->display, window_of (GTK_NATIVE (window)), x, y);
  hl_xtest_input_sync (self);
  XSetErrorHandler (before);
}

/* Resizes a window. A window manager keeps the minimum size of a window; GTK warns of any smaller one
 * (gtk-minimum-size-proof.c). */
void hl_xtest_input_resize (HlXtestInput *self, GtkWindow *window, int width, int height) {
  XErrorHandler before = XSetErrorHandler (ignore_cb);
  Window id = window_of (GTK_NATIVE (window));
  XSizeHints hints = {0};
  long given;

  if (XGetWMNormalHints (self->display, id, &hints, &given) != 0 && hints.flags & PMinSize) {
    width = MAX (width, hints.min_width);
    height = MAX (height, hints.min_height);
  }
  XResizeWindow (self->display, id, (guint)width, (guint)height);
  hl_xtest_input_sync (self);
  XSetErrorHandler (before);
}

gboolean hl_xtest_input_origin (HlXtestInput *self, GtkNative *native, int *x, int *y) {
  XErrorHandler before = XSetErrorHandler (ignore_cb);
  Window child, id = window_of (native);
  gboolean ok = id != None && XTranslateCoordinates (self->display, id, DefaultRootWindow (self->display), 0,
                                                     0, x, y, &child);

  XSetErrorHandler (before);
  return ok;
}
