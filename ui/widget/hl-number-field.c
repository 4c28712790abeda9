/* SPDX-License-Identifier: MIT */
/* Only a text that differs from the displayed one is applied, so that showing a value in another unit never
 * changes its bits. */
#include "ui/widget/hl-number-field.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-property-label.h"
#include "core/edit/hl-edit.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/widget/hl-tooltip.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <string.h>

#define ASK_KEY "hl-ask"

#define HL_TYPE_NUMBER_POPOVER (hl_number_popover_get_type ())
G_DECLARE_FINAL_TYPE (HlNumberPopover, hl_number_popover, HL, NUMBER_POPOVER, GtkPopover)

/* Made with the first question of an entry and kept as long as that: it closes while the keyboard
 * leaves the entry or one of its own buttons is pressed, when nothing may be taken out. */
struct _HlNumberPopover {
  GtkPopover parent_instance;
  GtkWidget *entry; /* borrowed: holds it */
  GtkWidget *label, *row;
  GtkWidget *with_point, *without; /* one for each reading */
  GCallback take;
  gpointer data;
  gboolean open;
};

G_DEFINE_FINAL_TYPE (HlNumberPopover, hl_number_popover, GTK_TYPE_POPOVER)

/* Finds the two readings of a text with a comma: readings[0] of "1,5" is "1.5", readings[1] is "15". Returns
 * FALSE if there is no second reading. Owned by the caller. */
static gboolean readings_of (const char *text, char *readings[2]) {
  if (strchr (text, ',') == NULL)
    return FALSE;
  readings[0] = g_strdelimit (g_strdup (text), ",", '.');
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  readings[1] = g_strjoinv ("", parts);
  return TRUE;
}

static HlNumberPopover *ask_of (GtkWidget *entry) {
  return g_object_get_data (G_OBJECT (entry), ASK_KEY);
}

static void destroyed_cb (GtkWidget *entry, HlNumberPopover *ask) {
  ask->open = FALSE;
  gtk_widget_unparent (GTK_WIDGET (ask));
}

static void ask_close (GtkWidget *entry) {
  HlNumberPopover *ask = ask_of (entry);

  if (ask == NULL || !ask->open)
    return;
  ask->open = FALSE;
  gtk_popover_popdown (GTK_POPOVER (ask));
}

const char *hl_number_popover_message (GtkWidget *entry) {
  const HlNumberPopover *ask = ask_of (entry);
  return ask != NULL && ask->open ? gtk_label_get_text (GTK_LABEL (ask->label)) : NULL;
}

static void apply_cb (GtkButton *button, HlNumberPopover *ask) {
  void (*take) (gpointer) = (void (*) (gpointer))ask->take;

  gtk_editable_set_text (GTK_EDITABLE (ask->entry), gtk_button_get_label (button));
  ask_close (ask->entry);
  take (ask->data);
}

static void hl_number_popover_class_init (HlNumberPopoverClass *klass) {
  hl_widget_tree_load (klass, "hl-number-popover");
  HL_TREE_CHILD (klass, HlNumberPopover, label);
  HL_TREE_CHILD (klass, HlNumberPopover, row);
  HL_TREE_CHILD (klass, HlNumberPopover, with_point);
  HL_TREE_CHILD (klass, HlNumberPopover, without);
  HL_TREE_CALLBACK (klass, apply_cb);
}

static void hl_number_popover_init (HlNumberPopover *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

static HlNumberPopover *new_ask (GtkWidget *entry) {
  HlNumberPopover *ask = g_object_new (HL_TYPE_NUMBER_POPOVER, NULL);

  ask->entry = entry;
  gtk_widget_set_parent (GTK_WIDGET (ask), entry);
  g_object_set_data_full (G_OBJECT (entry), ASK_KEY, g_object_ref (ask), g_object_unref);
  g_signal_connect (entry, "destroy", G_CALLBACK (destroyed_cb), ask);
  return ask;
}

static void show_reading (GtkWidget *button, char *reading) {
  gtk_button_set_label (GTK_BUTTON (button), reading != NULL ? reading : "");
  g_free (reading);
}

/* Shows the message at the entry. A text with one comma gets two buttons, one a reading; the one
 * that is pressed goes into the entry and `take` is called. */
static void number_ask (GtkWidget *entry, const char *message, GCallback take, gpointer data) {
  HlNumberPopover *ask = ask_of (entry) != NULL ? ask_of (entry) : new_ask (entry);
  char *readings[2] = {NULL, NULL};
  gboolean has_readings = readings_of (gtk_editable_get_text (GTK_EDITABLE (entry)), readings);

  ask->take = take;
  ask->data = data;
  ask->open = TRUE;
  gtk_label_set_text (GTK_LABEL (ask->label), message);
  gtk_widget_set_visible (ask->row, has_readings);
  show_reading (ask->with_point, readings[0]);
  show_reading (ask->without, readings[1]);
  gtk_popover_popup (GTK_POPOVER (ask));
}

#define SHOWN_DIGITS 6
#define NARROW_DIGITS 4     /* "0.003204": fits, where "0.0032044" is cut off */
#define LEAST_ENTRY_CHARS 5 /* beside a long unit in a narrow pane */
#define ENTRY_CHARS 8
#define UNIT_WIDTH 66 /* px: N·s/m with its arrow */

struct _HlNumberField {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  char **paths;
  HlQuantity quantity;
  const HlNumberSource *source; /* NULL: the paths */
  gpointer source_data;         /* for its get; borrowed */
  char *help;
  char *placeholder; /* while nothing is stated */
  GtkWidget *entry;
  GtkWidget *unit_button; /* NULL for pure numbers */
  char *shown;            /* text that was set from the document */
  char *result;           /* "= 40 mm" beside a formula; NULL: none is shown */
  gboolean focused;
};

G_DEFINE_FINAL_TYPE (HlNumberField, hl_number_field, GTK_TYPE_BOX)

static void mark_error (HlNumberField *self, const char *message) {
  if (message != NULL)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
  if (message == NULL)
    ask_close (self->entry);
  g_autofree char *both = self->result != NULL && self->help != NULL
                              ? g_strjoin ("\n", self->shown, self->result, self->help, NULL)
                              : NULL;
  const char *tooltip = message != NULL ? message : both != NULL ? both : self->help;
  /* a new one queries the display for the pointer */
  if (g_strcmp0 (gtk_widget_get_tooltip_text (self->entry), tooltip) != 0)
    hl_tooltip_set (self->entry, tooltip);
}

static gboolean is_edited (HlNumberField *self) {
  return g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (self->entry)), self->shown) != 0;
}

static double value_of (HlNumberField *self, const char *path) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  double value;

  if (self->source != NULL && self->source->get != NULL)
    return self->source->get (document, path, self->source_data);
  return hl_document_get_number (document, path, &value, NULL, NULL) ? value : NAN;
}

/* Returns the value that all paths have; *differ: they have several. */
static double common_value (HlNumberField *self, gboolean *differ) {
  double value = value_of (self, self->paths[0]);

  *differ = FALSE;
  for (char **path = self->paths + 1; *path != NULL; path++) {
    double other = value_of (self, *path);
    *differ |= other != value && !(isnan (other) && isnan (value));
  }
  return value;
}

/* Returns the unit that the window shows the quantity in. */
static const HlUnit *unit_of_all (HlNumberField *self) {
  return hl_workbench_units (self->workbench)[self->quantity];
}

/* Returns the unit that all paths have in the file, else that of the window. */
static const HlUnit *unit_of (HlNumberField *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  const HlUnit *own = self->source == NULL ? hl_document_own_unit (document, self->paths[0]) : NULL;

  for (char **path = self->paths + 1; own != NULL && *path != NULL; path++)
    if (hl_document_own_unit (document, *path) != own)
      own = NULL;
  return own != NULL && own->quantity == self->quantity ? own : unit_of_all (self);
}

/* Returns the formula that all paths have alike; NULL: numbers, with a unit or without. Borrowed. */
static const char *common_text (HlNumberField *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  const char *text = self->source == NULL ? hl_document_typed (document, self->paths[0]) : NULL;

  for (char **path = self->paths + 1; text != NULL && *path != NULL; path++)
    if (g_strcmp0 (hl_document_typed (document, *path), text) != 0)
      return NULL;
  return text != NULL && hl_formula_is_one (text, self->quantity) ? text : NULL;
}

/* Shows "= 40 mm" in the place of the unit, and in the tooltip. */
static void show_result (HlNumberField *self, gboolean has_text) {
  const HlUnit *unit = unit_of (self);
  gboolean differ;
  g_autofree char *number = hl_unit_format_full (unit, common_value (self, &differ), NARROW_DIGITS);
  g_autofree char *result = g_strconcat ("= ", number, NULL);
  const char *label = has_text ? result : unit->symbol;

  if (self->unit_button != NULL &&
      g_strcmp0 (gtk_menu_button_get_label (GTK_MENU_BUTTON (self->unit_button)), label) != 0)
    gtk_menu_button_set_label (GTK_MENU_BUTTON (self->unit_button), label);
  g_free (self->result);
  self->result = has_text ? g_steal_pointer (&result) : NULL;
}

/* Returns all digits while one types; otherwise as many as fit, for a number that is cut off reads as
 * another one. */
static char *value_text (HlNumberField *self) {
  const HlUnit *unit = unit_of (self);
  gboolean differ;
  double value = common_value (self, &differ);

  const char *placeholder = differ ? _ ("several") : self->placeholder;
  if (g_strcmp0 (gtk_entry_get_placeholder_text (GTK_ENTRY (self->entry)), placeholder) != 0)
    gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), placeholder);
  if (common_text (self) != NULL)
    return hl_formula_to_typed (common_text (self));
  if (differ || !isfinite (value))
    return g_strdup ("");
  g_autofree char *text = hl_unit_format_entry (unit, value, SHOWN_DIGITS);
  if (self->focused || g_utf8_strlen (text, -1) <= ENTRY_CHARS)
    return g_steal_pointer (&text);
  return hl_unit_format_entry (unit, value, NARROW_DIGITS);
}

static void show_value (HlNumberField *self) {
  g_autofree char *before = g_steal_pointer (&self->shown);

  self->shown = value_text (self);
  show_result (self, common_text (self) != NULL);
  if (g_strcmp0 (before, self->shown) == 0 && !is_edited (self))
    return;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), self->shown);
  mark_error (self, NULL);
}

void hl_number_field_refresh (HlNumberField *self) {
  show_result (self, common_text (self) != NULL);
  GtkWidget *focus = GTK_WIDGET (gtk_widget_get_root (self->entry)) != NULL
                         ? gtk_root_get_focus (gtk_widget_get_root (self->entry))
                         : NULL;
  if (focus != NULL && gtk_widget_is_ancestor (focus, self->entry) && is_edited (self))
    return;
  show_value (self);
}

/* Resets an emptied field to the default. */
static gboolean reset_paths (HlNumberField *self, GError **error) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (editing));

  for (char **path = self->paths; *path != NULL; path++) {
    HlDocument *next = hl_edit_reset_number (document, *path, error);
    if (next == NULL)
      return FALSE;
    hl_document_unref (document);
    document = next;
  }
  g_autofree char *label = hl_path_label (document, self->paths[0]);
  g_autofree char *step = g_strdup_printf (_ ("Reset %s"), label);
  hl_editing_commit (editing, hl_document_ref (document), step, NULL);
  return TRUE;
}

static gboolean set_by_source (HlNumberField *self, double value, GError **error) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (editing));

  for (char **path = self->paths; *path != NULL; path++) {
    HlDocument *next = self->source->set (document, *path, value, error);
    if (next == NULL)
      return FALSE;
    hl_document_unref (document);
    document = next;
  }
  g_autofree char *label = hl_path_label (document, self->paths[0]);
  g_autofree char *step = g_strdup_printf (_ ("Set %s"), label);
  hl_editing_commit (editing, hl_document_ref (document), step, NULL);
  return TRUE;
}

/* Parses a text of the source's own syntax, else a number with its unit or a formula. *kept (owned): a formula, and a
 * number in another unit than the window's. */
static gboolean parse (HlNumberField *self, const char *text, double *value, char **kept, GError **error) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  g_autoptr (GError) own = NULL;

  if (self->source != NULL && self->source->parse != NULL) {
    if (self->source->parse (document, self->paths[0], text, value, &own))
      return TRUE;
    if (own != NULL) {
      g_propagate_error (error, g_steal_pointer (&own));
      return FALSE;
    }
  }
  if (!hl_document_read_typed (document, text, self->quantity, unit_of (self), value, kept, error))
    return FALSE;
  if (self->source == NULL && *kept == NULL)
    *kept = hl_own_unit_text (text, self->quantity, unit_of (self), unit_of_all (self));
  return TRUE;
}

static gboolean apply_text (HlNumberField *self, const char *text, GError **error) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  g_autofree char *kept = NULL;
  double value;

  if (!parse (self, text, &value, &kept, error))
    return FALSE;
  if (self->source != NULL)
    return set_by_source (self, value, error);
  if (kept != NULL)
    return hl_editing_set_text (editing, (const char *const *)self->paths, kept, error);
  const HlUnit *unit = unit_of (self);
  g_autofree char *number = hl_unit_format_plain (unit, value, 15);
  g_autofree char *typed = g_strdup_printf ("%s %s", number, unit->name);
  if (!hl_document_accepts (hl_editing_document (editing), self->paths[0], value, typed, error))
    return FALSE;
  return hl_editing_set_numbers (editing, (const char *const *)self->paths, value, NULL, error);
}

gboolean hl_number_field_flush (HlNumberField *self) {
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (GError) error = NULL;

  if (!is_edited (self))
    return TRUE;
  g_object_ref (self); /* an applied value may replace this row by others */
  gboolean ok = *text == '\0' ? reset_paths (self, &error) : apply_text (self, text, &error);
  if (!ok) {
    const char *message = error != NULL ? error->message : _ ("Not a valid number");
    mark_error (self, message);
    if (gtk_widget_get_mapped (self->entry))
      number_ask (self->entry, message, G_CALLBACK (hl_number_field_flush), self);
  } else if (self->workbench != NULL)
    show_value (self);
  g_object_unref (self);
  return ok;
}

static void activate_cb (GtkEntry *entry, HlNumberField *self) {
  if (hl_number_field_flush (self))
    gtk_editable_select_region (GTK_EDITABLE (entry), 0, -1);
}

static void focus_enter_cb (GtkEventControllerFocus *controller, HlNumberField *self) {
  self->focused = TRUE;
  g_autofree char *text = value_text (self);
  if (!is_edited (self) && strcmp (text, self->shown) != 0) {
    show_value (self);
    gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
  }
}

static void focus_leave_cb (GtkEventControllerFocus *controller, HlNumberField *self) {
  gboolean was_edited = is_edited (self);

  self->focused = FALSE;
  if (!hl_number_field_flush (self))
    ask_close (self->entry); /* the text stays, marked */
  else if (!was_edited)
    show_value (self);
}

static gboolean key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                                GdkModifierType state, HlNumberField *self) {
  if (keyval != GDK_KEY_Escape || !is_edited (self))
    return FALSE;
  show_value (self);
  return TRUE;
}

/* Writes the numbers as they are in a unit of their own into the file; "": in none. */
static void own_unit_cb (GtkWidget *widget, const char *action, GVariant *parameter) {
  HlNumberField *self = HL_NUMBER_FIELD (widget);
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlUnit *unit = hl_unit_find (self->quantity, g_variant_get_string (parameter, NULL));
  gboolean differ;
  double value = common_value (self, &differ);

  if (self->source != NULL || differ || !isfinite (value) || !hl_number_field_flush (self))
    return;
  if (unit == NULL || unit == unit_of_all (self)) {
    hl_editing_set_numbers (editing, (const char *const *)self->paths, value, NULL, NULL);
  } else {
    g_autofree char *text = hl_own_unit_format (unit, value);
    hl_editing_set_text (editing, (const char *const *)self->paths, text, NULL);
  }
}

/* Fills the menu of units when it is opened, since most menus never are. */
static void fill_unit_menu_cb (GtkMenuButton *button, gpointer data) {
  HlNumberField *self = data;
  int n;
  const HlUnit *units = hl_quantity_units (self->quantity, &n);
  g_autoptr (GMenu) menu = g_menu_new (), all = g_menu_new (), own = g_menu_new ();

  for (int i = 0; i < n; i++) {
    g_autofree char *target = g_strdup_printf ("%d:%s", (int)self->quantity, units[i].name);
    g_autoptr (GMenuItem) item = g_menu_item_new (units[i].symbol, NULL);
    g_menu_item_set_action_and_target (item, "win.show-unit", "s", target);
    g_menu_append_item (all, item);
    g_autoptr (GMenuItem) here = g_menu_item_new (units[i].symbol, NULL);
    g_menu_item_set_action_and_target (here, "number.own-unit", "s", units[i].name);
    g_menu_append_item (own, here);
  }
  /* translators: heading of a list of units; the one that is chosen is used for all numbers of that kind */
  g_menu_append_section (menu, _ ("Everywhere"), G_MENU_MODEL (all));
  if (self->source == NULL)
    g_menu_append_submenu (menu, _ ("Only in this window"), G_MENU_MODEL (own));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void hl_number_field_dispose (GObject *object) {
  HlNumberField *self = HL_NUMBER_FIELD (object);

  if (self->unit_button != NULL)
    gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->unit_button), NULL, NULL, NULL);
  self->unit_button = NULL;
  if (self->workbench != NULL)
    ask_close (self->entry);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_number_field_parent_class)->dispose (object);
}

static void hl_number_field_finalize (GObject *object) {
  HlNumberField *self = HL_NUMBER_FIELD (object);

  g_strfreev (self->paths);
  g_free (self->help);
  g_free (self->placeholder);
  g_free (self->shown);
  g_free (self->result);
  G_OBJECT_CLASS (hl_number_field_parent_class)->finalize (object);
}

static void hl_number_field_class_init (HlNumberFieldClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_number_field_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_number_field_finalize;
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "number.own-unit", "s", own_unit_cb);
}

static void hl_number_field_init (HlNumberField *self) {
  gtk_widget_add_css_class (GTK_WIDGET (self), "number-field");
  self->entry = gtk_entry_new ();
  gtk_entry_set_alignment (GTK_ENTRY (self->entry), 1);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), LEAST_ENTRY_CHARS);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), ENTRY_CHARS);
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_box_append (GTK_BOX (self), self->entry);
  g_signal_connect (self->entry, "activate", G_CALLBACK (activate_cb), self);

  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "enter", G_CALLBACK (focus_enter_cb), self);
  g_signal_connect (focus, "leave", G_CALLBACK (focus_leave_cb), self);
  gtk_widget_add_controller (self->entry, focus);
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (self->entry, keys);
}

static void add_unit (HlNumberField *self, const char *name) {
  if (self->quantity == HL_QUANTITY_NONE) {
    GtkWidget *blank = gtk_label_new (NULL);
    gtk_widget_set_size_request (blank, UNIT_WIDTH, -1);
    gtk_widget_add_css_class (blank, "unit");
    gtk_box_append (GTK_BOX (self), blank);
    return;
  }
  g_autofree char *label = g_strdup_printf (_ ("Unit of %s"), name);
  self->unit_button = gtk_menu_button_new ();
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (self->unit_button), FALSE);
  gtk_widget_add_css_class (self->unit_button, "unit");
  gtk_widget_set_size_request (self->unit_button, UNIT_WIDTH, -1);
  hl_tooltip_set (self->unit_button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->unit_button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->unit_button), fill_unit_menu_cb, self, NULL);
  gtk_box_append (GTK_BOX (self), self->unit_button);
}

GtkWidget *hl_number_field_new (HlWorkbench *workbench, const char *const *paths, HlQuantity quantity,
                                const char *name, const char *help) {
  HlNumberField *self = g_object_new (HL_TYPE_NUMBER_FIELD, NULL);

  self->workbench = g_object_ref (workbench);
  self->paths = g_strdupv ((char **)paths);
  self->quantity = quantity;
  self->help = g_strdup (help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  add_unit (self, name);
  hl_number_field_refresh (self);
  return GTK_WIDGET (self);
}

void hl_number_field_set_unit_text (HlNumberField *self, const char *text) {
  GtkWidget *blank = gtk_widget_get_last_child (GTK_WIDGET (self));

  g_return_if_fail (self->quantity == HL_QUANTITY_NONE);
  gtk_label_set_text (GTK_LABEL (blank), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

void hl_number_field_set_placeholder (HlNumberField *self, const char *text) {
  g_free (self->placeholder);
  self->placeholder = g_strdup (text);
  show_value (self);
}

void hl_number_field_set_source (HlNumberField *self, const HlNumberSource *source, gpointer data) {
  self->source = source;
  self->source_data = data;
  show_value (self);
}

/* --- spin buttons and scales --- */

static int spin_input_cb (GtkSpinButton *button, double *value) {
  g_autofree char *text = g_strdelimit (g_strdup (gtk_editable_get_text (GTK_EDITABLE (button))), ",", '.');
  char *end;

  *value = g_ascii_strtod (text, &end);
  while (g_ascii_isspace (*end))
    end++;
  return end != text && *end == '\0' ? TRUE : GTK_INPUT_ERROR;
}

static gboolean spin_output_cb (GtkSpinButton *button) {
  double value = gtk_spin_button_get_value (button);
  g_autofree char *text =
      hl_number_localize (g_strdup_printf ("%.*f", (int)gtk_spin_button_get_digits (button), value));
  gboolean is_zero = strspn (text, "-0.,") == strlen (text);
  const char *shown = is_zero && *text == '-' ? text + 1 : text;

  gtk_spin_button_set_numeric (button, FALSE); /* it lets no comma in */
  if (strcmp (gtk_editable_get_text (GTK_EDITABLE (button)), shown) != 0)
    gtk_editable_set_text (GTK_EDITABLE (button), shown);
  return TRUE;
}

void hl_spin_buttons_localize (void) {
  static gsize is_done;

  if (!g_once_init_enter (&is_done))
    return;
  if (hl_number_has_comma ()) {
    g_type_class_unref (g_type_class_ref (GTK_TYPE_SPIN_BUTTON)); /* a static type: its signals stay */
    g_signal_override_class_handler ("input", GTK_TYPE_SPIN_BUTTON, G_CALLBACK (spin_input_cb));
    g_signal_override_class_handler ("output", GTK_TYPE_SPIN_BUTTON, G_CALLBACK (spin_output_cb));
  }
  g_once_init_leave (&is_done, 1);
}

char *hl_scale_number_text (GtkScale *scale, double value, gpointer data) {
  return hl_number_localize (g_strdup_printf ("%.*f", gtk_scale_get_digits (scale), value));
}
