/* SPDX-License-Identifier: MIT */
#include "tests/ui/pointer-fixture.h"

#include "app/window/hl-window-screenshot.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/edit/circuit/hl-circuit-draft.h"

#include <gdk/x11/gdkx.h>
#include <math.h>

#define SETTLE_US (20 * 1000) /* beyond what the server says has arrived */
#define DOUBLE_CLICK_US (450 * 1000)
#define PLACED_US (150 * 1000)
#define DRAG_STEPS 3

static HlWindow *window;

gboolean pointer_exists (void) {
  g_autofree char *tool = g_find_program_in_path ("xdotool");
  return tool != NULL;
}

void pointer_use (HlWindow *used) {
  window = used;
}

void pointer_wait (gint64 microseconds) {
  gint64 until = g_get_monotonic_time () + microseconds;
  while (g_get_monotonic_time () < until)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
}

gboolean pointer_is_settled (gconstpointer none) {
  return hl_window_is_settled (window);
}

void pointer_until_named (gboolean (*is_so) (gconstpointer data), gconstpointer data, const char *name,
                          const char *file, int line) {
  gint64 deadline = g_get_monotonic_time () + POINTER_PATIENCE_US;

  while (!is_so (data)) {
    if (g_get_monotonic_time () > deadline)
      g_error ("%s:%d: waited for %s in vain", file, line, name);
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  }
  pointer_wait (SETTLE_US);
}

static void waited_cb (GObject *source, GAsyncResult *result, gpointer data) {
  g_assert_true (g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, NULL));
  *(gboolean *)data = TRUE;
}

static gboolean is_set (gconstpointer data) {
  return *(const gboolean *)data;
}

void pointer_do (const char *const *words) {
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;
  g_autoptr (GSubprocess) process = g_subprocess_newv (words, G_SUBPROCESS_FLAGS_NONE, &error);

  g_assert_no_error (error);
  g_subprocess_wait_check_async (process, NULL, waited_cb, &done);
  pointer_until (is_set, &done);
  gdk_display_sync (gdk_display_get_default ()); /* all of it is here */
  pointer_wait (SETTLE_US);
  if (window != NULL) /* motion is delivered with the frame */
    gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
}

static gboolean is_at (GtkWindow *taken, int x, int y) {
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (taken));
  Display *display = gdk_x11_display_get_xdisplay (gdk_surface_get_display (surface));
  int left = 0, top = 0;
  Window child;

  XTranslateCoordinates (display, gdk_x11_surface_get_xid (surface), DefaultRootWindow (display), 0, 0, &left,
                         &top, &child);
  return left == x && top == y;
}

void pointer_take_window (GtkWindow *taken, int x, int y) {
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (taken));
  g_autofree char *id = g_strdup_printf ("%lu", gdk_x11_surface_get_xid (surface)),
                  *left = g_strdup_printf ("%d", x), *top = g_strdup_printf ("%d", y);

  pointer_use ((HlWindow *)taken); /* any window will do */
  int tries = 0;
  do { /* it finds a place of its own a moment after it is mapped (hl-window-placement.h), which may be still to come */
    pointer_do ((const char *const[]){"xdotool", "windowmove", id, left, top, NULL});
    pointer_wait (PLACED_US);
    g_assert_cmpint (tries++, <, 20);
  } while (!is_at (taken, x, y));
  pointer_do ((const char *const[]){"xdotool", "windowraise", id, NULL});
  pointer_do ((const char *const[]){"xdotool", "windowfocus", id, NULL});
}

void pointer_at (double x, double y) {
  g_autofree char *x_text = g_strdup_printf ("%d", (int)round (x));
  g_autofree char *y_text = g_strdup_printf ("%d", (int)round (y));

  pointer_do ((const char *const[]){"xdotool", "mousemove", x_text, y_text, NULL});
}

void pointer_to (GtkWidget *widget, HlSpot device) {
  graphene_point_t at;
  double dx, dy;

  g_assert_true (gtk_widget_compute_point (widget, GTK_WIDGET (window),
                                           &GRAPHENE_POINT_INIT ((float)device.x, (float)device.y), &at));
  gtk_native_get_surface_transform (GTK_NATIVE (window), &dx, &dy);
  pointer_at (at.x + dx, at.y + dy);
}

void pointer_move (HlCanvas *canvas, double x, double y) {
  pointer_to (GTK_WIDGET (canvas), hl_view_to_device (hl_canvas_view (canvas), (HlSpot){x, y}));
}

void pointer_click_on (GtkWidget *widget) {
  gtk_widget_grab_focus (widget); /* scrolls it into sight */
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  pointer_to (widget, (HlSpot){0.5 * gtk_widget_get_width (widget), 0.5 * gtk_widget_get_height (widget)});
  pointer_press ("1");
  pointer_release ("1");
}

void pointer_press (const char *button) {
  pointer_do ((const char *const[]){"xdotool", "mousedown", button, NULL});
}

void pointer_release (const char *button) {
  pointer_do ((const char *const[]){"xdotool", "mouseup", button, NULL});
}

void pointer_turn_wheel (const char *button, const char *steps) {
  pointer_do ((const char *const[]){"xdotool", "click", "--repeat", steps, "--delay", "20", button, NULL});
}

void pointer_click (HlCanvas *canvas, double x, double y) {
  pointer_move (canvas, x, y);
  pointer_press ("1");
  pointer_release ("1");
}

void pointer_double_click (HlCanvas *canvas, double x, double y) {
  pointer_move (canvas, x, y);
  pointer_wait (DOUBLE_CLICK_US); /* or the clicks count on from those before */
  pointer_do ((const char *const[]){"xdotool", "click", "--repeat", "2", "--delay", "60", "1", NULL});
}

void pointer_drag (HlCanvas *canvas, HlSpot a, HlSpot b) {
  pointer_move (canvas, a.x, a.y);
  pointer_press ("1");
  for (int step = 1; step <= DRAG_STEPS; step++)
    pointer_move (canvas, a.x + (b.x - a.x) * step / DRAG_STEPS, a.y + (b.y - a.y) * step / DRAG_STEPS);
  pointer_release ("1");
}

HlSpot pointer_port (const char *name) {
  const HlDocument *document = fixture_document (window);
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document);
  int component, index;

  g_assert_true (hl_document_resolve_port (document, name, &component, &index, NULL));
  HlShapePort placed = hl_circuit_sheet_port (sheet, component, index);
  return (HlSpot){placed.x, placed.y};
}

void pointer_wire (const char *from, const char *to) {
  pointer_drag (HL_CANVAS (window_part (window, "circuit_view")), pointer_port (from), pointer_port (to));
  const HlDocument *document = fixture_document (window);
  g_assert_cmpint (hl_document_line_of_port (document, from), >=, 0);
  g_assert_cmpint (hl_document_line_of_port (document, from), ==, hl_document_line_of_port (document, to));
}

void pointer_draw_circuit (void) {
  HlPlacement at;

  g_assert_true (hl_circuit_symbol_place (fixture_document (window), "cyl1", &at));
  double x = at.x, y = at.y;
  pointer_move (HL_CANVAS (window_part (window, "circuit_view")), x, y);
  pointer_turn_wheel ("5", "7");
  pointer_place ("Directional valve", x + 3, y + 9);
  pointer_place ("Pressure source", x - 5, y + 19);
  pointer_place ("Relief valve", x + 11, y + 15);
  pointer_place ("Tank", x + 3, y + 24);
  pointer_wire ("pump1.P", "valve1.P");
  pointer_wire ("relief1.A", "pump1.P");
  pointer_wire ("valve1.T", "tank1.T");
  pointer_wire ("relief1.T", "tank1.T");
  pointer_wire ("valve1.A", "cyl1.A");
  pointer_wire ("valve1.B", "cyl1.B");
  pointer_settle ();
}

GtkWidget *pointer_tool (HlPalette *palette, const char *name) {
  HlToolCanvas canvas =
      palette == window_part (window, "circuit_palette") ? HL_TOOL_CIRCUIT : HL_TOOL_LINKAGE;
  g_autoptr (GArray) entries = hl_palette_entries (canvas);

  pointer_show_palette (palette);
  for (guint i = 0; i < entries->len; i++) {
    const HlPaletteEntry *entry = &g_array_index (entries, HlPaletteEntry, i);
    if (g_strcmp0 (entry->label, name) != 0)
      continue;
    GtkWidget *button = hl_palette_button (palette, entry->id, entry->argument);
    GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));
    gtk_widget_grab_focus (button); /* scrolls it into sight */
    gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
    gtk_window_set_focus (GTK_WINDOW (window), focus);
    return button;
  }
  g_error ("no tool is called %s", name);
}

static gboolean has_palette (gconstpointer data) {
  return gtk_widget_get_mapped ((GtkWidget *)data);
}

int pointer_show_palette (HlPalette *palette) {
  gboolean is_circuit = palette == window_part (window, "circuit_palette");
  GtkWidget *canvas = window_part (window, is_circuit ? "circuit_view" : "linkage_view");

  if (gtk_widget_get_mapped (GTK_WIDGET (palette)))
    return 0;
  /* the canvas under the pointer has the keys, unless something is chosen in the other one */
  pointer_to (canvas, (HlSpot){0.9 * gtk_widget_get_width (canvas), 0.9 * gtk_widget_get_height (canvas)});
  if (gtk_widget_get_mapped (GTK_WIDGET (palette)))
    return 0;
  pointer_click_on (window_part (window, is_circuit ? "circuit_here" : "linkage_here"));
  pointer_until (has_palette, palette);
  return 1;
}

int pointer_take_up (HlPalette *palette, const char *name) {
  int n = pointer_show_palette (palette);
  GtkWidget *button = pointer_tool (palette, name);

  pointer_to (button, (HlSpot){0.5 * gtk_widget_get_width (button), 0.5 * gtk_widget_get_height (button)});
  pointer_press ("1");
  pointer_release ("1");
  return n + 1;
}

void pointer_place (const char *name, double x, double y) {
  pointer_take_up (window_part (window, "circuit_palette"), name);
  pointer_click (HL_CANVAS (window_part (window, "circuit_view")), x, y);
  pointer_key ("Escape");
}

/* Returns the last widget below another one that is a source of drags with this text: the rows of the run are
 * last. */
static GtkWidget *find_source (GtkWidget *root, const char *text) {
  const char *own = g_object_get_data (G_OBJECT (root), "hydrolink-drag-text");
  GtkWidget *found = g_strcmp0 (own, text) == 0 ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *below = find_source (child, text);
    found = below != NULL ? below : found;
  }
  return found;
}

void pointer_drag_row_onto_plot (const char *path) {
  GtkWidget *row = find_source (GTK_WIDGET (window_part (window, "inspector")), path);
  GtkWidget *plot = fixture_find (window_part (window, "plot_pane"), HL_TYPE_PLOT_VIEW);

  g_assert_nonnull (row);
  gtk_widget_grab_focus (gtk_widget_get_next_sibling (row)); /* scrolls it into sight */
  fixture_draw (window);
  pointer_to (row, (HlSpot){6, 0.5 * gtk_widget_get_height (row)});
  pointer_press ("1");
  for (int k = 1; k <= 3; k++)
    pointer_to (row, (HlSpot){6 - 12 * k, 0.5 * gtk_widget_get_height (row)});
  for (int k = 1; k <= 2; k++)
    pointer_to (plot,
                (HlSpot){0.5 * gtk_widget_get_width (plot), (0.4 + 0.05 * k) * gtk_widget_get_height (plot)});
  pointer_release ("1");
}

void pointer_key (const char *name) {
  pointer_do ((const char *const[]){"xdotool", "key", name, NULL});
}

static gboolean list_has_keys (gconstpointer root) {
  GtkWidget *focus = gtk_root_get_focus ((GtkRoot *)root);
  GtkWidget *popover = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;

  return popover != NULL && gtk_widget_get_mapped (popover);
}

static gboolean list_has_no_keys (gconstpointer root) {
  return !list_has_keys (root);
}

void pointer_choose (GtkWidget *list, const char *keys) {
  GtkRoot *root = gtk_widget_get_root (list); /* the list itself may be made anew by what is chosen */

  pointer_click_on (list);
  pointer_until (list_has_keys, root);
  for (const char *key = keys; *key != '\0'; key++)
    pointer_key (*key == 'v' ? "Down" : "Up");
  pointer_key ("Return");
  pointer_until (list_has_no_keys, root);
}

static gboolean is_open (gconstpointer button) {
  GtkWidget *list = fixture_find ((GtkWidget *)button, GTK_TYPE_POPOVER);
  return list != NULL && gtk_widget_get_mapped (list);
}

typedef struct {
  GtkWidget *list;
  const char *text;
} Item;

static GtkWidget *mapped_label (GtkWidget *root, const char *text) {
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  fixture_collect (root, GTK_TYPE_LABEL, labels);
  for (guint k = 0; k < labels->len; k++)
    if (gtk_widget_get_mapped (labels->pdata[k]) && strcmp (gtk_label_get_text (labels->pdata[k]), text) == 0)
      return labels->pdata[k];
  return NULL;
}

/* Returns where the item lies in its list; FALSE: it is not there, or still slides in. */
static gboolean find_item (const Item *item, graphene_point_t *at) {
  GtkWidget *label = mapped_label (item->list, item->text);

  return label != NULL &&
         gtk_widget_compute_point (
             label, item->list, &GRAPHENE_POINT_INIT (2, 0.5f * (float)gtk_widget_get_height (label)), at) &&
         at->x >= 0 && at->x < (float)gtk_widget_get_width (item->list);
}

static gboolean is_listed (gconstpointer data) {
  graphene_point_t at;

  return find_item (data, &at);
}

static void click_item (GtkWidget *list, const char *text) {
  const Item item = {list, text};
  graphene_point_t at = {0}, before = {-1, -1};
  double dx, dy;

  gtk_test_widget_wait_for_draw (list);
  pointer_until (is_listed, &item);              /* rows are made while the list opens */
  while (before.x != at.x || before.y != at.y) { /* until it rests */
    before = at;
    gtk_test_widget_wait_for_draw (list);
    g_assert_true (find_item (&item, &at));
  }
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (list));
  gtk_native_get_surface_transform (GTK_NATIVE (list), &dx, &dy);
  pointer_at (gdk_popup_get_position_x (GDK_POPUP (surface)) + at.x + dx,
              gdk_popup_get_position_y (GDK_POPUP (surface)) + at.y + dy);
  pointer_press ("1");
  pointer_release ("1");
}

void pointer_choose_item (GtkWidget *button, const char *text, const char *then) {
  pointer_click_on (button);
  pointer_until (is_open, button);
  GtkWidget *list = fixture_find (button, GTK_TYPE_POPOVER);
  click_item (list, text);
  if (then != NULL)
    click_item (list, then);
}

void pointer_hold_key (const char *name, gboolean down) {
  pointer_do ((const char *const[]){"xdotool", down ? "keydown" : "keyup", name, NULL});
}

void pointer_type (const char *text) {
  pointer_do ((const char *const[]){"xdotool", "type", "--delay", "25", "--", text, NULL});
}

void pointer_enter (const char *text) {
  pointer_type (text);
  pointer_key ("Return");
}

void pointer_picture (const char *name) {
  const char *folder = g_getenv ("HL_PICTURES_DIR");
  if (folder == NULL)
    return;
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  hl_screenshot_save (GTK_WINDOW (window), path, NULL);
}

HlWindow *pointer_open (HlApplication *application, const char *example) {
  HlWindow *opened = fixture_open (application, example);

  pointer_use (opened);
  pointer_to (GTK_WIDGET (window_part (opened, "circuit_view")),
              (HlSpot){5, 60}); /* panes have come to rest */
  return opened;
}

void pointer_close (HlWindow *opened) {
  HlWorkbench *workbench = hl_window_workbench (opened);
  HlEditing *editing = hl_workbench_editing (workbench);

  pointer_use (NULL);
  hl_workbench_select (workbench, NULL);
  while (hl_editing_undo_name (editing) != NULL)
    hl_editing_undo (editing);
  fixture_close (opened);
}
