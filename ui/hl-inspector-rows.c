/* SPDX-License-Identifier: MIT */
#include "ui/hl-inspector-rows.h"

#include "core/document/hl-edit.h"
#include "core/document/hl-i18n.h"
#include "core/document/hl-path.h"
#include "ui/hl-number-field.h"

#include <math.h>
#include <string.h>

/* Where an editor writes to. */
typedef struct
{
  HlWorkbench *workbench; /* borrowed: the editor does not outlive it */
  char *id;
  char *field;
} Target;

static void
free_target (gpointer data, GClosure *closure)
{
  Target *target = data;
  g_free (target->id);
  g_free (target->field);
  g_free (target);
}

static Target *
new_target (HlWorkbench *workbench, const char *id, const char *field)
{
  Target *target = g_new0 (Target, 1);
  target->workbench = workbench;
  target->id = g_strdup (id);
  target->field = g_strdup (field);
  return target;
}

static void
apply (const Target *target, HlValue *value)
{
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_edit_set (hl_workbench_document (target->workbench), target->id,
                                      target->field, value, &error);
  g_autofree char *step = g_strdup_printf (_ ("Set %s.%s"), target->id, target->field);

  if (document != NULL)
    hl_workbench_commit (target->workbench, document, step, NULL);
}

/* --- editors --- */

static void
choice_cb (GtkDropDown *drop_down, GParamSpec *pspec, const Target *target)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (drop_down);
  const char *text = item != NULL ? gtk_string_object_get_string (item) : NULL;
  if (text != NULL)
    apply (target, hl_value_new_string (text));
}

static GtkWidget *
choice_editor (HlWorkbench *workbench, const char *id, const HlField *field, const char *present)
{
  g_auto (GStrv) choices = g_strsplit (field->choices, "|", -1);
  GtkWidget *drop_down = gtk_drop_down_new_from_strings ((const char *const *)choices);

  for (guint i = 0; choices[i] != NULL; i++)
    if (g_strcmp0 (choices[i], present) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), i);
  g_signal_connect_data (drop_down, "notify::selected", G_CALLBACK (choice_cb),
                         new_target (workbench, id, field->name), free_target, 0);
  return drop_down;
}

static void
toggled_cb (GtkCheckButton *button, const Target *target)
{
  apply (target, hl_value_new_boolean (gtk_check_button_get_active (button)));
}

static GtkWidget *
boolean_editor (HlWorkbench *workbench, const char *id, const HlField *field, gboolean present)
{
  GtkWidget *button = gtk_check_button_new ();

  gtk_check_button_set_active (GTK_CHECK_BUTTON (button), present);
  g_signal_connect_data (button, "toggled", G_CALLBACK (toggled_cb),
                         new_target (workbench, id, field->name), free_target, 0);
  return button;
}

static void
apply_text (GtkEditable *entry, const Target *target)
{
  const char *text = gtk_editable_get_text (entry);
  const char *shown = g_object_get_data (G_OBJECT (entry), "shown");

  if (g_strcmp0 (text, shown) == 0)
    return;
  g_object_set_data_full (G_OBJECT (entry), "shown", g_strdup (text), g_free);
  apply (target, *text != '\0' ? hl_value_new_string (text) : NULL);
}

static void
text_leave_cb (GtkEventControllerFocus *controller, const Target *target)
{
  apply_text (GTK_EDITABLE (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller))),
              target);
}

static GtkWidget *
text_editor (HlWorkbench *workbench, const char *id, const HlField *field, const char *present)
{
  GtkWidget *entry = gtk_entry_new ();
  Target *target = new_target (workbench, id, field->name);

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 20);
  gtk_widget_set_tooltip_text (entry, present);
  gtk_editable_set_text (GTK_EDITABLE (entry), present != NULL ? present : "");
  g_object_set_data_full (G_OBJECT (entry), "shown", g_strdup (present != NULL ? present : ""),
                          g_free);
  g_signal_connect_data (entry, "activate", G_CALLBACK (apply_text), target, free_target, 0);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (text_leave_cb), target);
  gtk_widget_add_controller (entry, focus);
  return entry;
}

static GtkWidget *
read_only (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "read-only");
  return label;
}

static char *
join_strings (const HlValue *array)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < hl_value_length (array); i++) {
    const char *item = hl_value_string (hl_value_item (array, i));
    if (item != NULL)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", item);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const char *
signal_words (const HlValue *value)
{
  const char *kind = hl_value_string (hl_value_member (value, "kind"));
  if (g_strcmp0 (kind, "table") == 0)
    return _ ("table over time");
  if (g_strcmp0 (kind, "sine") == 0)
    return _ ("sine");
  if (g_strcmp0 (kind, "sum") == 0)
    return _ ("sum of signals");
  if (g_strcmp0 (kind, "lever") == 0)
    return _ ("moved by hand");
  return kind != NULL ? kind : "–";
}

/* --- rows --- */

typedef struct
{
  GtkGrid *grid;
  int row;
  HlWorkbench *workbench;
  const char *id;
  GPtrArray *fields;
} Rows;

static void
attach (Rows *rows, const char *label, const char *help, GtkWidget *editor)
{
  GtkWidget *name = gtk_label_new (label);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_set_tooltip_text (name, help);
  gtk_widget_set_tooltip_text (editor, help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (editor), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  gtk_grid_attach (rows->grid, name, 0, rows->row, 1, 1);
  gtk_grid_attach (rows->grid, editor, 1, rows->row, 1, 1);
  rows->row++;
}

static void
add_number (Rows *rows,
            const char *name,
            HlQuantity quantity,
            const char *label,
            const char *help,
            gboolean optional)
{
  /* What stands at the top level of the file goes by its own name: "gravity.x". */
  gboolean is_top = strcmp (rows->id, "model") == 0;
  g_autofree char *path = is_top ? g_strdup (name) : g_strconcat (rows->id, ".", name, NULL);
  const char *paths[] = {path, NULL};
  GtkWidget *field = hl_number_field_new (rows->workbench, paths, quantity, label, help);

  if (optional)
    hl_number_field_set_placeholder (HL_NUMBER_FIELD (field), _ ("none"));
  g_ptr_array_add (rows->fields, field);
  attach (rows, label, help, field);
}

static void
add_parts (Rows *rows, const HlField *field)
{
  static const struct
  {
    HlFieldType type;
    const char *names[4];
    HlQuantity quantities[3];
  } parts[] = {
      {HL_FIELD_POSE,
       {"x", "y", "angle"},
       {HL_QUANTITY_LENGTH, HL_QUANTITY_LENGTH, HL_QUANTITY_ANGLE}},
      {HL_FIELD_VELOCITY,
       {"vx", "vy", "omega"},
       {HL_QUANTITY_SPEED, HL_QUANTITY_SPEED, HL_QUANTITY_ANGULAR_SPEED}},
  };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    for (int part = 0; parts[i].type == field->type && parts[i].names[part] != NULL; part++) {
      g_autofree char *label = g_strdup_printf ("%s %s", field->label, parts[i].names[part]);
      add_number (rows, parts[i].names[part], parts[i].quantities[part], label, field->help, FALSE);
    }
  if (field->type == HL_FIELD_VEC2) {
    g_autofree char *label_x = g_strdup_printf ("%s x", field->label);
    g_autofree char *label_y = g_strdup_printf ("%s y", field->label);
    g_autofree char *x = g_strdup_printf ("%s.x", field->name);
    g_autofree char *y = g_strdup_printf ("%s.y", field->name);
    add_number (rows, x, field->quantity, label_x, field->help, FALSE);
    add_number (rows, y, field->quantity, label_y, field->help, FALSE);
  }
}

static void
add_points (Rows *rows, const HlValue *points, HlQuantity quantity)
{
  for (gsize i = 0; i < hl_value_length (points); i++) {
    const char *name = hl_value_key (points, i);
    for (int axis = 0; axis < 2; axis++) {
      g_autofree char *path = strcmp (rows->id, "ground") == 0
                                  ? g_strdup_printf ("%s.%c", name, "xy"[axis])
                                  : g_strdup_printf ("points.%s.%c", name, "xy"[axis]);
      g_autofree char *label = g_strdup_printf (_ ("Point %s %c"), name, "xy"[axis]);
      add_number (rows, path, quantity, label, _ ("In the body's own frame"), FALSE);
    }
  }
}

static void
add_field (Rows *rows, const HlKind *kind, const HlField *field, const HlValue *element)
{
  const HlValue *value = hl_value_at (element, field->name);
  gboolean present = FALSE;

  switch (field->type) {
  case HL_FIELD_NUMBER:
    hl_kind_number (kind, element, field->name, &present);
    /* Of two ways to say a thing (diameter, area) the one that is stated is shown. */
    if (field->need == HL_NEED_GROUP && value == NULL)
      return;
    add_number (rows, field->name, field->quantity, field->label, field->help,
                field->need == HL_NEED_ABSENT);
    break;
  case HL_FIELD_SIGNAL:
    if (value == NULL || hl_value_is_number (value))
      add_number (rows, field->name, field->quantity, field->label, field->help, FALSE);
    else
      attach (rows, field->label, field->help, read_only (signal_words (value)));
    break;
  case HL_FIELD_POSE:
  case HL_FIELD_VELOCITY:
  case HL_FIELD_VEC2:
    add_parts (rows, field);
    break;
  case HL_FIELD_POINTS:
    add_points (rows, value, HL_QUANTITY_LENGTH);
    break;
  case HL_FIELD_CHOICE:
    attach (rows, field->label, field->help,
            choice_editor (rows->workbench, rows->id, field,
                           hl_kind_text (kind, element, field->name)));
    break;
  case HL_FIELD_BOOLEAN:
    attach (rows, field->label, field->help,
            boolean_editor (rows->workbench, rows->id, field,
                            hl_kind_boolean (kind, element, field->name)));
    break;
  case HL_FIELD_TEXT:
  case HL_FIELD_POINT:
  case HL_FIELD_BODY:
  case HL_FIELD_PATH:
    attach (rows, field->label, field->help,
            text_editor (rows->workbench, rows->id, field, hl_value_string (value)));
    break;
  case HL_FIELD_PORTS:
  case HL_FIELD_IDS:
  case HL_FIELD_PATHS: {
    g_autofree char *text = join_strings (value);
    attach (rows, field->label, field->help, read_only (text));
    break;
  }
  case HL_FIELD_NUMBERS:
  case HL_FIELD_SIGNALS:
  case HL_FIELD_VALUES:
    break;
  }
}

/* The element and its kind, for ids of elements and of single objects alike. */
static const HlValue *
find_object (const HlDocument *document, const char *id, const HlKind **kind)
{
  static const struct
  {
    const char *id;
    HlSection section;
  } objects[] = {{"model", HL_SECTION_MODEL},
                 {"fluid", HL_SECTION_FLUID},
                 {"ground", HL_SECTION_GROUND},
                 {"simulation", HL_SECTION_SIMULATION}};
  HlSection section;
  int index;
  const HlValue *element = hl_document_find (document, id, &section, &index);

  if (element != NULL) {
    *kind = hl_schema_kind_of (section, element);
    return element;
  }
  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    if (strcmp (objects[i].id, id) == 0) {
      *kind = hl_schema_find_kind (objects[i].section, NULL);
      return hl_document_object (document, objects[i].section);
    }
  *kind = NULL;
  return NULL;
}

int
hl_inspector_add_rows (
    GtkGrid *grid, int row, HlWorkbench *workbench, const char *id, GPtrArray *fields)
{
  const HlKind *kind;
  const HlValue *element = find_object (hl_workbench_document (workbench), id, &kind);
  Rows rows = {grid, row, workbench, id, fields};

  for (int index = 0; kind != NULL && index < kind->n_fields; index++)
    if (hl_field_matters (kind, &kind->fields[index], element))
      add_field (&rows, kind, &kind->fields[index], element);
  return rows.row;
}

char *
hl_inspector_signature (const HlDocument *document, const char *id)
{
  const HlKind *kind;
  const HlValue *element = find_object (document, id, &kind);
  GString *text = g_string_new (id);

  for (int index = 0; kind != NULL && index < kind->n_fields; index++) {
    const HlField *field = &kind->fields[index];
    const HlValue *value = hl_value_at (element, field->name);
    if (!hl_field_matters (kind, field, element))
      continue;
    g_string_append_printf (text, ";%s:%d:%d", field->name, (int)hl_value_type (value),
                            value != NULL);
    if (field->type == HL_FIELD_POINTS)
      for (gsize i = 0; i < hl_value_length (value); i++)
        g_string_append_printf (text, ",%s", hl_value_key (value, i));
    /* Editors that do not refresh themselves are made anew with their value. */
    if (field->type == HL_FIELD_CHOICE || field->type == HL_FIELD_TEXT ||
        field->type == HL_FIELD_POINT || field->type == HL_FIELD_BODY ||
        field->type == HL_FIELD_PATH)
      g_string_append_printf (text, "=%s",
                              hl_value_string (value) != NULL ? hl_value_string (value) : "");
    if (field->type == HL_FIELD_BOOLEAN)
      g_string_append_printf (text, "=%d", hl_value_boolean (value));
    if (field->type == HL_FIELD_PORTS)
      for (gsize i = 0; i < hl_value_length (value); i++)
        g_string_append_printf (text, ",%s", hl_value_string (hl_value_item (value, i)));
  }
  return g_string_free (text, FALSE);
}
