/* SPDX-License-Identifier: MIT */
#include "ui/inspector/hl-element-help.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"
#include "ui/inspector/hl-inspector-editor.h"

#define OPEN_KEY "hl-element-help"
#define WIDTH 460
#define HEIGHT 560

/* --- the page --- */

G_GNUC_PRINTF (2, 3)
static void
append (GString *page, const char *format, ...)
{
  va_list words;

  va_start (words, format);
  g_autofree char *markup = g_markup_vprintf_escaped (format, words);
  va_end (words);
  g_string_append (page, markup);
}

/* "mm", "bar": what a field of the inspector shows; "" for pure numbers. */
static const char *
unit_of (HlWorkbench *workbench, HlQuantity quantity)
{
  return quantity == HL_QUANTITY_NONE ? "" : hl_workbench_units (workbench)[quantity]->symbol;
}

static void
append_field (GString *page, HlWorkbench *workbench, const char *id, const HlField *field)
{
  const char *unit = unit_of (workbench, field->quantity);
  g_autofree char *range = field->type == HL_FIELD_NUMBER ? hl_field_range_text (field) : NULL;

  append (page, "\n<b>%s</b>", _ (field->label));
  if (*unit != '\0')
    append (page, " [%s]", unit);
  append (page, "  <tt><small>%s.%s</small></tt>\n%s", id, field->name, _ (field->help));
  if (range != NULL)
    append (page, " (%s)", range);
  g_string_append_c (page, '\n');
}

static void
append_fields (GString *page,
               HlWorkbench *workbench,
               const char *id,
               const HlKind *kind,
               const HlValue *element)
{
  for (int i = 0; i < kind->n_fields; i++)
    if (hl_field_matters (kind, &kind->fields[i], element))
      append_field (page, workbench, id, &kind->fields[i]);
}

static void
append_outputs (GString *page, HlWorkbench *workbench, const char *id, const HlKind *kind)
{
  if (kind->n_outputs > 0)
    append (page, "\n<b><big>%s</big></b>\n", _ ("What it has to plot"));
  for (int i = 0; i < kind->n_outputs; i++) {
    const char *unit = unit_of (workbench, kind->outputs[i].quantity);
    append (page, "\n<b>%s</b>", _ (kind->outputs[i].label));
    if (*unit != '\0')
      append (page, " [%s]", unit);
    append (page, "  <tt><small>%s.%s</small></tt>\n", id, kind->outputs[i].name);
  }
}

/* Pango markup; owned by the caller. */
static char *
page_of (HlWorkbench *workbench, const char *id, const HlKind *kind, const HlValue *element)
{
  GString *page = g_string_new (NULL);

  append (page, "<b><big>%s</big></b>  %s\n%s\n", _ (kind->label), id, _ (kind->help));
  for (int port = 0, n = 0; port < kind->n_ports; port++)
    if (hl_kind_has_port (kind, element, port))
      append (page, "%s%s", n++ == 0 ? _ ("Ports: ") : ", ", kind->ports[port]);
  if (kind->n_ports > 0)
    g_string_append_c (page, '\n');
  append_fields (page, workbench, id, kind, element);
  append_outputs (page, workbench, id, kind);
  append (page, "\n<small>%s</small>",
          _ ("Ctrl+? shows all keys; F1 with nothing selected as well."));
  return g_string_free (page, FALSE);
}

/* --- the window --- */

static GtkWidget *
new_window (GtkWindow *parent)
{
  GtkWidget *window = gtk_window_new (), *scrolled = gtk_scrolled_window_new ();
  GtkWidget *label = gtk_label_new (NULL);
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_window_set_titlebar (GTK_WINDOW (window), gtk_header_bar_new ());
  gtk_widget_add_css_class (window, "workbench");
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "help-page");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), label);
  gtk_window_set_child (GTK_WINDOW (window), scrolled);
  g_object_set_data (G_OBJECT (window), "page", label);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys), gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                        gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
  return window;
}

static void
forget_cb (GtkWidget *window, GObject *parent)
{
  g_object_set_data (parent, OPEN_KEY, NULL);
}

GtkWidget *
hl_element_help_new (HlWorkbench *workbench, GtkWindow *parent)
{
  const char *id = hl_workbench_selected (workbench);
  const HlKind *kind = NULL;
  const HlValue *element =
      id != NULL
          ? hl_inspector_object (hl_editing_document (hl_workbench_editing (workbench)), id, &kind)
          : NULL;

  if (kind == NULL)
    return NULL;
  GtkWidget *window = g_object_get_data (G_OBJECT (parent), OPEN_KEY);
  if (window == NULL) {
    window = new_window (parent);
    g_object_set_data (G_OBJECT (parent), OPEN_KEY, window);
    g_signal_connect_object (window, "destroy", G_CALLBACK (forget_cb), parent, 0);
  }
  g_autofree char *title = g_strdup_printf (_ ("Help: %s"), _ (kind->label));
  g_autofree char *page = page_of (workbench, id, kind, element);
  gtk_window_set_title (GTK_WINDOW (window), title);
  gtk_label_set_markup (g_object_get_data (G_OBJECT (window), "page"), page);
  return window;
}
