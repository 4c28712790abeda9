/* SPDX-License-Identifier: MIT */
/* Every row is a member of the document's photograph and an undo step of its own; the two tools
 * work on the canvas behind this window. */
#include "app/window/hl-photograph-window.h"

#include "core/document/hl-file-reference.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-image-size.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/widget/hl-widget-template.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-pixel-cache.h"

#include <math.h>

#define KEY "photograph"
#define SHOWN_WIDTH 4.0 /* [m], of a photograph whose scale is not known yet */

struct _HlPhotographWindow {
  GtkWindow parent_instance;

  HlWorkbench *workbench; /* these three weak */
  HlLinkageView *view;
  GtkLabel *status;
  gboolean filling; /* rows are set, not chosen */
  double a[2], b[2];
  GtkLabel *file, *message;
  GtkSpinButton *scale_mm, *x, *y, *distance;
  GtkScale *opacity;
  GtkCheckButton *visible;
  GtkWidget *grid, *measure, *move, *remove, *apply;
  HlFileChooser *chooser;
};

G_DEFINE_FINAL_TYPE (HlPhotographWindow, hl_photograph_window, GTK_TYPE_WINDOW)

static HlEditing *editing_of (HlPhotographWindow *self) {
  return hl_workbench_editing (self->workbench);
}

static HlPhotograph *present_one (HlPhotographWindow *self) {
  return self->workbench != NULL ? hl_photograph_of_document (hl_editing_document (editing_of (self))) : NULL;
}

static void commit (HlPhotographWindow *self, const HlPhotograph *photograph, const char *step,
                    const char *key) {
  const HlDocument *document = hl_editing_document (editing_of (self));
  hl_editing_commit (editing_of (self), hl_photograph_put (document, photograph), step, key);
}

static void show_message (HlPhotographWindow *self, const char *text) {
  gtk_label_set_text (self->message, text);
}

/* --- what stands in the rows --- */

static void show_photograph (HlPhotographWindow *self) {
  g_autoptr (HlPhotograph) photograph = present_one (self);
  gboolean has_one = photograph != NULL;
  const char *problem = hl_photograph_layer_problem (hl_linkage_view_photograph (self->view));

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
    show_message (self, problem);
}

static void workbench_changed_cb (HlWorkbench *workbench, guint changes, HlPhotographWindow *self) {
  if (self->view != NULL && (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_FILE)))
    show_photograph (self);
}

static void row_changed_cb (HlPhotographWindow *self) {
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

void hl_photograph_window_load (HlPhotographWindow *self, const char *path) {
  const char *model = hl_editing_path (editing_of (self));
  g_autofree char *name = hl_file_reference_name (path, model);
  g_autoptr (HlPhotograph) old = present_one (self);
  g_autoptr (HlPhotograph) fresh = hl_photograph_new (name);
  g_autoptr (GError) error = NULL;
  HlPictureHeader header;

  if (!hl_picture_header_load (path, &header, &error)) {
    show_message (self, error->message);
    return;
  }
  if (old != NULL) { /* another picture of the same scene */
    fresh->scale = old->scale;
    fresh->at[0] = old->at[0];
    fresh->at[1] = old->at[1];
    fresh->opacity = old->opacity;
  } else
    fresh->scale = SHOWN_WIDTH / header.width;
  hl_editing_end_gesture (editing_of (self));
  commit (self, fresh, _ ("Load a photograph"), NULL);
  hl_canvas_fit (HL_CANVAS (self->view));
  show_message (self,
                model == NULL && g_path_is_absolute (name)
                    ? _ ("Now measure a known length. Save the model in the folder of the photograph to keep "
                         "them together.")
                    : _ ("Now measure a known length."));
}

static void load_response_cb (HlFileChooser *dialog, int response, HlPhotographWindow *self) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL && self->view != NULL)
    hl_photograph_window_load (self, path);
}

static void load_cb (GtkButton *button, HlPhotographWindow *self) {
  HlFileChooser *native =
      hl_file_chooser_new (_ ("Load a photograph"), GTK_WINDOW (self), FALSE, _ ("_Load"));
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _ ("Photographs"));
  gtk_file_filter_add_mime_type (filter, "image/png");
  gtk_file_filter_add_mime_type (filter, "image/jpeg");
  gtk_file_filter_add_mime_type (filter, "image/tiff");
  hl_file_chooser_add_filter (native, filter);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = native;
  g_signal_connect_object (native, "response", G_CALLBACK (load_response_cb), self, 0);
  hl_file_chooser_show (native);
}

static void remove_cb (GtkButton *button, HlPhotographWindow *self) {
  hl_editing_end_gesture (editing_of (self));
  commit (self, NULL, _ ("Remove the photograph"), NULL);
  show_message (self, "");
}

/* --- the tools --- */

static void show_tool (HlPhotographWindow *self) {
  HlPhotographLayer *layer = hl_linkage_view_photograph (self->view);
  const char *text = hl_photograph_tool_status (hl_photograph_layer_tool (layer));

  gtk_label_set_text (self->status, text);
  gtk_widget_set_visible (GTK_WIDGET (self->status), *text != '\0');
  if (*text != '\0')
    show_message (self, text);
}

static void tool_changed_cb (HlPhotographAnswer answer, gpointer data) {
  HlPhotographWindow *self = data;
  const HlPhotographTool *tool = hl_photograph_layer_tool (hl_linkage_view_photograph (self->view));

  show_tool (self);
  if (answer == HL_PHOTOGRAPH_LEFT) {
    show_message (self, "");
    gtk_window_present (GTK_WINDOW (self));
  }
  if (answer != HL_PHOTOGRAPH_MEASURED)
    return;
  for (int axis = 0; axis < 2; axis++) {
    self->a[axis] = tool->a[axis];
    self->b[axis] = tool->b[axis];
  }
  gtk_spin_button_set_value (self->distance, hypot (self->b[0] - self->a[0], self->b[1] - self->a[1]));
  gtk_widget_set_sensitive (GTK_WIDGET (self->distance), TRUE);
  gtk_widget_set_sensitive (self->apply, TRUE);
  show_message (self, _ ("Type the distance between the two points and press Enter."));
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->distance));
}

/* Starts a tool and hides this window, which would cover the canvas, until the tool is done. */
static void start_tool (HlPhotographWindow *self, void (*start) (HlPhotographTool *tool)) {
  GtkWidget *view = GTK_WIDGET (self->view);

  start (hl_photograph_layer_tool (hl_linkage_view_photograph (self->view)));
  show_tool (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_window_present (gtk_window_get_transient_for (GTK_WINDOW (self)));
  gtk_widget_grab_focus (view);
  hl_pixels_queue_draw (view);
}

static void measure_cb (GtkButton *button, HlPhotographWindow *self) {
  start_tool (self, hl_photograph_tool_measure);
}

static void move_cb (GtkButton *button, HlPhotographWindow *self) {
  start_tool (self, hl_photograph_tool_move);
}

void hl_photograph_window_apply_distance (HlPhotographWindow *self, double metres) {
  g_autoptr (HlPhotograph) photograph = present_one (self);
  g_autoptr (GError) error = NULL;

  if (photograph == NULL)
    return;
  if (!hl_photograph_set_distance (photograph, self->a, self->b, metres, &error)) {
    show_message (self, error->message);
    return;
  }
  hl_editing_end_gesture (editing_of (self));
  commit (self, photograph, _ ("Set the scale of the photograph"), NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->distance), FALSE);
  gtk_widget_set_sensitive (self->apply, FALSE);
  show_message (self, _ ("The photograph has its scale. Now move it to its place behind the drawing."));
}

static void apply_cb (HlPhotographWindow *self) {
  gtk_spin_button_update (self->distance); /* commits text that is still being typed */
  hl_photograph_window_apply_distance (self, gtk_spin_button_get_value (self->distance));
}

/* --- the window --- */

/* Removes the callback, since the view outlives this window. */
static void unrealize_cb (HlPhotographWindow *self) {
  HlPhotographLayer *layer = self->view != NULL ? hl_linkage_view_photograph (self->view) : NULL;

  if (layer == NULL)
    return;
  hl_photograph_tool_event (hl_photograph_layer_tool (layer), HL_PHOTOGRAPH_ESCAPE, 0, 0);
  hl_photograph_layer_set_changed_cb (layer, NULL, NULL);
  if (self->status != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->status), FALSE);
}

static void hl_photograph_window_dispose (GObject *object) {
  HlPhotographWindow *self = HL_PHOTOGRAPH_WINDOW (object);

  g_clear_weak_pointer (&self->workbench);
  g_clear_weak_pointer (&self->view);
  g_clear_weak_pointer (&self->status);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  G_OBJECT_CLASS (hl_photograph_window_parent_class)->dispose (object);
}

static void hl_photograph_window_class_init (HlPhotographWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_photograph_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  hl_widget_tree_load (klass, "hl-photograph-window");
  HL_TREE_CHILD (klass, HlPhotographWindow, file);
  HL_TREE_CHILD (klass, HlPhotographWindow, message);
  HL_TREE_CHILD (klass, HlPhotographWindow, scale_mm);
  HL_TREE_CHILD (klass, HlPhotographWindow, x);
  HL_TREE_CHILD (klass, HlPhotographWindow, y);
  HL_TREE_CHILD (klass, HlPhotographWindow, distance);
  HL_TREE_CHILD (klass, HlPhotographWindow, opacity);
  HL_TREE_CHILD (klass, HlPhotographWindow, visible);
  HL_TREE_CHILD (klass, HlPhotographWindow, grid);
  HL_TREE_CHILD (klass, HlPhotographWindow, measure);
  HL_TREE_CHILD (klass, HlPhotographWindow, move);
  HL_TREE_CHILD (klass, HlPhotographWindow, remove);
  HL_TREE_CHILD (klass, HlPhotographWindow, apply);
  HL_TREE_CALLBACK (klass, load_cb);
  HL_TREE_CALLBACK (klass, remove_cb);
  HL_TREE_CALLBACK (klass, row_changed_cb);
  HL_TREE_CALLBACK (klass, measure_cb);
  HL_TREE_CALLBACK (klass, move_cb);
  HL_TREE_CALLBACK (klass, apply_cb);
}

static void hl_photograph_window_init (HlPhotographWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (self->distance)), "activate",
                           G_CALLBACK (apply_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "unrealize", G_CALLBACK (unrealize_cb), NULL);
}

HlPhotographWindow *hl_photograph_window_present (HlWorkbench *workbench, HlLinkageView *view,
                                                  GtkLabel *status, GtkWindow *parent) {
  HlPhotographWindow *self =
      g_object_new (HL_TYPE_PHOTOGRAPH_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);

  g_set_weak_pointer (&self->workbench, workbench);
  g_set_weak_pointer (&self->view, view);
  g_set_weak_pointer (&self->status, status);
  hl_photograph_layer_set_changed_cb (hl_linkage_view_photograph (view), tool_changed_cb, self);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (workbench_changed_cb), self, 0);
  show_message (self, _ ("A photograph of the machine to draw over: PNG or JPEG."));
  show_photograph (self);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
