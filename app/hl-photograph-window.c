/* SPDX-License-Identifier: MIT */
/* Every row is a member of the document's photograph and an undo step of its own; the two tools
 * work on the canvas behind this window. */
#include "app/hl-photograph-window.h"

#include "app/hl-window-private.h"
#include "core/document/hl-file-reference.h"
#include "core/document/hl-i18n.h"

#include <math.h>

#define KEY "photograph"
#define SHOWN_WIDTH 4.0 /* [m], of a photograph whose scale is not known yet */

struct _HlPhotographWindow
{
  GtkWindow parent_instance;

  HlWindow *window; /* weak */
  gboolean filling; /* rows are set, not chosen */
  double a[2], b[2];
  GtkLabel *file, *message;
  GtkSpinButton *scale_mm, *x, *y, *distance;
  GtkScale *opacity;
  GtkCheckButton *visible;
  GtkWidget *grid, *measure, *move, *remove, *apply;
  GtkNativeDialog *chooser;
};

G_DEFINE_FINAL_TYPE (HlPhotographWindow, hl_photograph_window, GTK_TYPE_WINDOW)

static HlWorkbench *
workbench_of (HlPhotographWindow *self)
{
  return hl_window_workbench (self->window);
}

static HlPhotograph *
present_one (HlPhotographWindow *self)
{
  return self->window != NULL
             ? hl_photograph_of_document (hl_workbench_document (workbench_of (self)))
             : NULL;
}

static void
commit (HlPhotographWindow *self, const HlPhotograph *photograph, const char *step, const char *key)
{
  const HlDocument *document = hl_workbench_document (workbench_of (self));
  hl_workbench_commit (workbench_of (self), hl_photograph_put (document, photograph), step, key);
}

static void
say (HlPhotographWindow *self, const char *text)
{
  gtk_label_set_text (self->message, text);
}

/* --- what stands in the rows --- */

static void
show (HlPhotographWindow *self)
{
  g_autoptr (HlPhotograph) photograph = present_one (self);
  gboolean has_one = photograph != NULL;
  const char *problem =
      hl_photograph_layer_problem (hl_linkage_view_photograph (self->window->linkage_view));

  self->filling = TRUE;
  gtk_label_set_text (self->file, has_one ? photograph->file : _ ("none"));
  gtk_widget_set_sensitive (self->grid, has_one);
  gtk_widget_set_sensitive (self->remove, has_one);
  if (has_one) {
    gtk_spin_button_set_value (self->scale_mm, 1e3 * photograph->scale);
    gtk_spin_button_set_value (self->x, photograph->at[0]);
    gtk_spin_button_set_value (self->y, photograph->at[1]);
    gtk_range_set_value (GTK_RANGE (self->opacity), photograph->opacity);
    gtk_check_button_set_active (self->visible, !photograph->hidden);
  }
  self->filling = FALSE;
  if (problem != NULL)
    say (self, problem);
}

static void
workbench_changed_cb (HlWorkbench *workbench, guint changes, HlPhotographWindow *self)
{
  if (self->window != NULL && (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_FILE)))
    show (self);
}

static void
row_changed_cb (HlPhotographWindow *self)
{
  g_autoptr (HlPhotograph) photograph = present_one (self);

  if (self->filling || photograph == NULL)
    return;
  photograph->scale = 1e-3 * gtk_spin_button_get_value (self->scale_mm);
  photograph->at[0] = gtk_spin_button_get_value (self->x);
  photograph->at[1] = gtk_spin_button_get_value (self->y);
  photograph->opacity = gtk_range_get_value (GTK_RANGE (self->opacity));
  photograph->hidden = !gtk_check_button_get_active (self->visible);
  commit (self, photograph, _ ("Change the photograph"), KEY);
}

/* --- load and remove --- */

void
hl_photograph_window_load (HlPhotographWindow *self, const char *path)
{
  const char *model = hl_workbench_path (workbench_of (self));
  g_autofree char *name = hl_file_reference_name (path, model);
  g_autoptr (HlPhotograph) old = present_one (self);
  g_autoptr (HlPhotograph) fresh = hl_photograph_new (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_filename (path, &error);

  if (texture == NULL) {
    say (self, error->message);
    return;
  }
  if (old != NULL) { /* another picture of the same scene */
    fresh->scale = old->scale;
    fresh->at[0] = old->at[0];
    fresh->at[1] = old->at[1];
    fresh->opacity = old->opacity;
  } else
    fresh->scale = SHOWN_WIDTH / MAX (gdk_texture_get_width (texture), 1);
  hl_workbench_end_gesture (workbench_of (self));
  commit (self, fresh, _ ("Load a photograph"), NULL);
  hl_canvas_fit (HL_CANVAS (self->window->linkage_view));
  say (self, model == NULL && g_path_is_absolute (name)
                 ? _ ("Now measure a length you know. Save the model beside the photograph to move "
                      "both together.")
                 : _ ("Now measure a length you know."));
}

static void
load_response_cb (GtkNativeDialog *dialog, int response, HlPhotographWindow *self)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  g_clear_object (&self->chooser);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL && self->window != NULL)
    hl_photograph_window_load (self, path);
}

static void
load_cb (GtkButton *button, HlPhotographWindow *self)
{
  GtkFileChooserNative *native =
      gtk_file_chooser_native_new (_ ("Load a photograph"), GTK_WINDOW (self),
                                   GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Load"), _ ("_Cancel"));
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _ ("Photographs"));
  gtk_file_filter_add_mime_type (filter, "image/png");
  gtk_file_filter_add_mime_type (filter, "image/jpeg");
  gtk_file_filter_add_mime_type (filter, "image/tiff");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (native), filter);
  g_clear_object (&self->chooser);
  self->chooser = GTK_NATIVE_DIALOG (native);
  g_signal_connect_object (native, "response", G_CALLBACK (load_response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
}

static void
remove_cb (GtkButton *button, HlPhotographWindow *self)
{
  hl_workbench_end_gesture (workbench_of (self));
  commit (self, NULL, _ ("Remove the photograph"), NULL);
  say (self, "");
}

/* --- the tools --- */

static void
show_tool (HlPhotographWindow *self)
{
  HlPhotographLayer *layer = hl_linkage_view_photograph (self->window->linkage_view);
  const char *text = hl_photograph_tool_status (hl_photograph_layer_tool (layer));

  gtk_label_set_text (self->window->linkage_status, text);
  gtk_widget_set_visible (GTK_WIDGET (self->window->linkage_status), *text != '\0');
  if (*text != '\0')
    say (self, text);
}

static void
told_cb (HlPhotographAnswer answer, gpointer data)
{
  HlPhotographWindow *self = data;
  const HlPhotographTool *tool =
      hl_photograph_layer_tool (hl_linkage_view_photograph (self->window->linkage_view));

  show_tool (self);
  if (answer == HL_PHOTOGRAPH_LEFT) {
    say (self, "");
    gtk_window_present (GTK_WINDOW (self));
  }
  if (answer != HL_PHOTOGRAPH_MEASURED)
    return;
  for (int axis = 0; axis < 2; axis++) {
    self->a[axis] = tool->a[axis];
    self->b[axis] = tool->b[axis];
  }
  gtk_spin_button_set_value (self->distance,
                             hypot (self->b[0] - self->a[0], self->b[1] - self->a[1]));
  gtk_widget_set_sensitive (GTK_WIDGET (self->distance), TRUE);
  gtk_widget_set_sensitive (self->apply, TRUE);
  say (self, _ ("Type the distance between the two points and press Enter"));
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->distance));
}

/* This window would lie over the canvas: it steps aside until the tool is done. */
static void
start_tool (HlPhotographWindow *self, void (*start) (HlPhotographTool *tool))
{
  GtkWidget *view = GTK_WIDGET (self->window->linkage_view);

  start (hl_photograph_layer_tool (hl_linkage_view_photograph (self->window->linkage_view)));
  show_tool (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_window_present (GTK_WINDOW (self->window));
  gtk_widget_grab_focus (view);
  gtk_widget_queue_draw (view);
}

static void
measure_cb (GtkButton *button, HlPhotographWindow *self)
{
  start_tool (self, hl_photograph_tool_measure);
}

static void
move_cb (GtkButton *button, HlPhotographWindow *self)
{
  start_tool (self, hl_photograph_tool_move);
}

void
hl_photograph_window_apply_distance (HlPhotographWindow *self, double metres)
{
  g_autoptr (HlPhotograph) photograph = present_one (self);
  g_autoptr (GError) error = NULL;

  if (photograph == NULL)
    return;
  if (!hl_photograph_set_distance (photograph, self->a, self->b, metres, &error)) {
    say (self, error->message);
    return;
  }
  hl_workbench_end_gesture (workbench_of (self));
  commit (self, photograph, _ ("Set the scale of the photograph"), NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->distance), FALSE);
  gtk_widget_set_sensitive (self->apply, FALSE);
  say (self, _ ("The scale is set. Move the photograph under the drawing."));
}

static void
apply_cb (HlPhotographWindow *self)
{
  gtk_spin_button_update (self->distance); /* what is still being typed */
  hl_photograph_window_apply_distance (self, gtk_spin_button_get_value (self->distance));
}

const char *
hl_photograph_window_message (HlPhotographWindow *self)
{
  return gtk_label_get_text (self->message);
}

/* --- the window --- */

static GtkWidget *
add_row (HlPhotographWindow *self, int row, const char *text, GtkWidget *widget)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), widget, 1, row, 1, 1);
  return widget;
}

static GtkSpinButton *
add_number (HlPhotographWindow *self, int row, const char *text, double least, double most)
{
  GtkSpinButton *spin = GTK_SPIN_BUTTON (
      add_row (self, row, text, gtk_spin_button_new_with_range (least, most, 0.1)));

  gtk_spin_button_set_digits (spin, 4);
  return spin;
}

static GtkWidget *
add_button (HlPhotographWindow *self, int row, int column, const char *text, GCallback callback)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (text);

  gtk_grid_attach (GTK_GRID (self->grid), button, column, row, 1, 1);
  if (callback != NULL)
    g_signal_connect_object (button, "clicked", callback, self, 0);
  return button;
}

static void
add_rows (HlPhotographWindow *self)
{
  self->scale_mm = add_number (self, 0, _ ("Millimetres a pixel"), 0.0001, 1e5);
  self->x = add_number (self, 1, _ ("Lower left corner x [m]"), -1e4, 1e4);
  self->y = add_number (self, 2, _ ("Lower left corner y [m]"), -1e4, 1e4);
  self->opacity = GTK_SCALE (add_row (
      self, 3, _ ("Opacity"), gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.05)));
  self->visible = GTK_CHECK_BUTTON (gtk_check_button_new_with_label (_ ("Show it")));
  gtk_grid_attach (GTK_GRID (self->grid), GTK_WIDGET (self->visible), 1, 4, 1, 1);
  self->measure = add_button (self, 5, 0, _ ("M_easure a known length"), G_CALLBACK (measure_cb));
  self->move = add_button (self, 5, 1, _ ("_Move it"), G_CALLBACK (move_cb));
  self->distance = add_number (self, 6, _ ("Distance of the two points [m]"), 0, 1e5);
  self->apply = add_button (self, 7, 1, _ ("Set the _scale"), NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->distance), FALSE);
  gtk_widget_set_sensitive (self->apply, FALSE);
}

static void
connect_rows (HlPhotographWindow *self)
{
  GtkWidget *const numbers[] = {GTK_WIDGET (self->scale_mm), GTK_WIDGET (self->x),
                                GTK_WIDGET (self->y), GTK_WIDGET (self->opacity)};

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_signal_connect_object (numbers[i], "value-changed", G_CALLBACK (row_changed_cb), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (self->visible, "toggled", G_CALLBACK (row_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (self->distance)), "activate",
                           G_CALLBACK (apply_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->apply, "clicked", G_CALLBACK (apply_cb), self, G_CONNECT_SWAPPED);
}

/* The view outlives this window: it must not tell it any more. */
static void
unrealize_cb (HlPhotographWindow *self)
{
  HlPhotographLayer *layer = self->window != NULL && self->window->linkage_view != NULL
                                 ? hl_linkage_view_photograph (self->window->linkage_view)
                                 : NULL;

  if (layer == NULL)
    return;
  hl_photograph_tool_event (hl_photograph_layer_tool (layer), HL_PHOTOGRAPH_ESCAPE, 0, 0);
  hl_photograph_layer_listen (layer, NULL, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->window->linkage_status), FALSE);
}

static void
hl_photograph_window_dispose (GObject *object)
{
  HlPhotographWindow *self = HL_PHOTOGRAPH_WINDOW (object);

  g_clear_weak_pointer (&self->window);
  g_clear_object (&self->chooser);
  G_OBJECT_CLASS (hl_photograph_window_parent_class)->dispose (object);
}

static void
hl_photograph_window_class_init (HlPhotographWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_photograph_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static GtkWidget *
file_row_new (HlPhotographWindow *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *load = gtk_button_new_with_mnemonic (_ ("_Load…"));

  self->file = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_xalign (self->file, 0);
  gtk_label_set_ellipsize (self->file, PANGO_ELLIPSIZE_START);
  gtk_widget_set_hexpand (GTK_WIDGET (self->file), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->file), "heading");
  self->remove = gtk_button_new_with_mnemonic (_ ("_Remove"));
  g_signal_connect_object (load, "clicked", G_CALLBACK (load_cb), self, 0);
  g_signal_connect_object (self->remove, "clicked", G_CALLBACK (remove_cb), self, 0);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->file));
  gtk_box_append (GTK_BOX (row), self->remove);
  gtk_box_append (GTK_BOX (row), load);
  return row;
}

static void
hl_photograph_window_init (HlPhotographWindow *self)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);

  gtk_window_set_titlebar (GTK_WINDOW (self), gtk_header_bar_new ());
  gtk_window_set_title (GTK_WINDOW (self), _ ("Photograph behind the linkage"));
  gtk_window_set_default_size (GTK_WINDOW (self), 420, -1);
  gtk_window_set_resizable (GTK_WINDOW (self), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "workbench");
  gtk_widget_add_css_class (page, "dialog-page");
  self->grid = gtk_grid_new ();
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  self->message = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_xalign (self->message, 0);
  gtk_label_set_wrap (self->message, TRUE);
  gtk_label_set_max_width_chars (self->message, 46);
  gtk_widget_add_css_class (GTK_WIDGET (self->message), "dim-label");
  gtk_box_append (GTK_BOX (page), file_row_new (self));
  gtk_box_append (GTK_BOX (page), self->grid);
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->message));
  add_rows (self);
  connect_rows (self);
  gtk_window_set_child (GTK_WINDOW (self), page);
  g_signal_connect (self, "unrealize", G_CALLBACK (unrealize_cb), NULL);
}

HlPhotographWindow *
hl_photograph_window_present (HlWindow *window)
{
  HlPhotographWindow *self = g_object_new (HL_TYPE_PHOTOGRAPH_WINDOW, "transient-for", window,
                                           "destroy-with-parent", TRUE, NULL);

  g_set_weak_pointer (&self->window, window);
  hl_photograph_layer_listen (hl_linkage_view_photograph (window->linkage_view), told_cb, self);
  g_signal_connect_object (workbench_of (self), "changed", G_CALLBACK (workbench_changed_cb), self,
                           0);
  say (self, _ ("A photograph of the machine to draw over: PNG or JPEG."));
  show (self);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
