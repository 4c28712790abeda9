/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-banner.h"

#include "ui/widget/hl-widget-template.h"

#define NOTICE_SECONDS 6

struct _HlBanner {
  GtkWidget parent_instance;
  GtkWidget *revealer, *box;
  GtkLabel *label;
  GtkWidget *button; /* of a notice with a question */
  char *standing;    /* NULL: none */
  guint timeout;     /* hides a notice; 0: none */
};

G_DEFINE_FINAL_TYPE (HlBanner, hl_banner, GTK_TYPE_WIDGET)

static gboolean leave_cb (gpointer data) {
  HlBanner *self = data;

  self->timeout = 0;
  hl_banner_hide (self);
  return G_SOURCE_REMOVE;
}

/* Starts the timeout of a notice. A notice under the pointer stays. */
static void start_timeout (HlBanner *self) {
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add_seconds (NOTICE_SECONDS, leave_cb, self);
}

static void enter_cb (GtkEventControllerMotion *controller, double x, double y, HlBanner *self) {
  if (self->timeout != 0)
    g_clear_handle_id (&self->timeout, g_source_remove);
}

static void left_cb (GtkEventControllerMotion *controller, HlBanner *self) {
  gboolean is_notice =
      gtk_widget_has_css_class (self->box, "notice") && !gtk_widget_get_visible (self->button);

  if (is_notice && hl_banner_text (self) != NULL)
    start_timeout (self);
}

void hl_banner_show (HlBanner *self, const char *message, gboolean is_problem) {
  g_clear_handle_id (&self->timeout, g_source_remove);
  if (!is_problem)
    start_timeout (self);
  gtk_label_set_text (self->label, message);
  if (is_problem)
    gtk_widget_remove_css_class (self->box, "notice");
  else
    gtk_widget_add_css_class (self->box, "notice");
  gtk_widget_set_visible (self->button, FALSE);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), TRUE);
}

void hl_banner_ask (HlBanner *self, const char *message, const char *button, const char *action) {
  hl_banner_show (self, message, FALSE);
  g_clear_handle_id (&self->timeout, g_source_remove);
  gtk_button_set_label (GTK_BUTTON (self->button), button);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->button), action);
  gtk_widget_set_visible (self->button, TRUE);
}

const char *hl_banner_text (HlBanner *self) {
  return gtk_revealer_get_reveal_child (GTK_REVEALER (self->revealer)) ? gtk_label_get_text (self->label)
                                                                       : NULL;
}

void hl_banner_hide (HlBanner *self) {
  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->standing != NULL)
    hl_banner_show (self, self->standing, TRUE);
  else
    gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), FALSE);
}

static gboolean shows_standing (HlBanner *self) {
  return g_strcmp0 (hl_banner_text (self), self->standing) == 0;
}

void hl_banner_dismiss (HlBanner *self) {
  if (shows_standing (self))
    g_clear_pointer (&self->standing, g_free);
  hl_banner_hide (self);
}

void hl_banner_set_standing (HlBanner *self, const char *message) {
  gboolean is_shown = shows_standing (self);

  g_free (self->standing);
  self->standing = g_strdup (message);
  if (message != NULL || is_shown)
    hl_banner_hide (self);
}

static void hl_banner_dispose (GObject *object) {
  HlBanner *self = HL_BANNER (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_pointer (&self->revealer, gtk_widget_unparent);
  G_OBJECT_CLASS (hl_banner_parent_class)->dispose (object);
}

static void hl_banner_finalize (GObject *object) {
  g_free (HL_BANNER (object)->standing);
  G_OBJECT_CLASS (hl_banner_parent_class)->finalize (object);
}

static void hl_banner_class_init (HlBannerClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_banner_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_banner_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  hl_widget_tree_load (klass, "hl-banner");
  HL_TREE_CHILD (klass, HlBanner, revealer);
  HL_TREE_CHILD (klass, HlBanner, box);
  HL_TREE_CHILD (klass, HlBanner, label);
  HL_TREE_CHILD (klass, HlBanner, button);
}

static void hl_banner_init (HlBanner *self) {
  GtkEventController *motion = gtk_event_controller_motion_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (motion, "enter", G_CALLBACK (enter_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (left_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
}
