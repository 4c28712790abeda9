/* SPDX-License-Identifier: MIT */
/* Where the symbols of components stand on paper: typed, turned and mirrored as one step each. */
#include "ui/inspector/hl-inspector-rows.h"

#include "core/base/hl-i18n.h"
#include "ui/paint/circuit/hl-circuit-sheet.h"
#include "ui/edit/circuit/hl-circuit-typed.h"
#include "ui/bench/hl-editing.h"

#include <math.h>
#include <string.h>

/* The component of "dcv.x", the name that the undo step shows. Owned. */
static char *
owner_of (const char *path)
{
  return g_strndup (path, strcspn (path, "."));
}

/* Laying out a large circuit takes long: the rows of an element share what they read, from one
 * refresh to the next. */
typedef struct
{
  HlCircuitSheet *places;
} Reader;

static void
reader_clear (gpointer data)
{
  g_clear_pointer (&((Reader *)data)->places, hl_circuit_sheet_free);
}

static void
reader_unref (gpointer data)
{
  g_rc_box_release_full (data, reader_clear);
}

static double
get_x (const HlDocument *document, const char *path, gpointer reader)
{
  g_autofree char *id = owner_of (path);
  HlPlacement place;
  return hl_circuit_symbol_place_on (&((Reader *)reader)->places, document, id, &place) ? place.x
                                                                                        : NAN;
}

static double
get_y (const HlDocument *document, const char *path, gpointer reader)
{
  g_autofree char *id = owner_of (path);
  HlPlacement place;
  return hl_circuit_symbol_place_on (&((Reader *)reader)->places, document, id, &place) ? place.y
                                                                                        : NAN;
}

static HlDocument *
set_x (const HlDocument *document, const char *path, double value, GError **error)
{
  g_autofree char *id = owner_of (path);
  HlPlacement place = {0};

  hl_circuit_symbol_place (document, id, &place);
  place.x = value;
  return hl_circuit_set_place (document, id, &place, error);
}

static HlDocument *
set_y (const HlDocument *document, const char *path, double value, GError **error)
{
  g_autofree char *id = owner_of (path);
  HlPlacement place = {0};

  hl_circuit_symbol_place (document, id, &place);
  place.y = value;
  return hl_circuit_set_place (document, id, &place, error);
}

static const struct
{
  const char *name, *label, *help;
  HlNumberSource source;
} places[] = {
    {"x",
     N_ ("Position x"),
     N_ ("Of the symbol, to the right, in modules of the drawing (ISO 1219-1); it stands on the "
         "grid of 2, and its lines follow"),
     {get_x, set_x}},
    {"y",
     N_ ("Position y"),
     N_ ("Of the symbol, downwards, in modules of the drawing (ISO 1219-1); it stands on the grid "
         "of 2, and its lines follow"),
     {get_y, set_y}},
};

/* --- turning and mirroring --- */

/* What a choice is about; kept by its widget. */
typedef struct
{
  HlWorkbench *workbench; /* borrowed: the row does not outlive it */
  char *id;
} Owner;

static void
owner_free (gpointer data)
{
  Owner *owner = data;

  g_free (owner->id);
  g_free (owner);
}

static Owner *
attach_owner (GtkWidget *widget, const HlInspectorRows *rows)
{
  Owner *owner = g_new0 (Owner, 1);

  owner->workbench = rows->workbench;
  owner->id = g_strdup (rows->ids[0]);
  g_object_set_data_full (G_OBJECT (widget), "hl-owner", owner, owner_free);
  return owner;
}

static void
put (const Owner *owner, GtkWidget *widget, const HlPlacement *place, const char *step_format)
{
  HlEditing *editing = hl_workbench_editing (owner->workbench);
  HlDocument *document =
      hl_circuit_set_place (hl_editing_document (editing), owner->id, place, NULL);

  if (document == NULL)
    return;
  g_autoptr (GString) step = g_string_new (step_format);
  g_string_replace (step, "%s", owner->id, 1);
  hl_editing_commit (editing, document, step->str, NULL);
}

static void
turned_cb (GtkDropDown *drop_down, GParamSpec *pspec, const Owner *owner)
{
  HlPlacement place;

  if (!hl_circuit_symbol_place (hl_editing_document (hl_workbench_editing (owner->workbench)),
                                owner->id, &place))
    return;
  place.rotation = 90 * (int)gtk_drop_down_get_selected (drop_down);
  put (owner, GTK_WIDGET (drop_down), &place, _ ("Rotate %s"));
}

static void
mirrored_cb (GtkCheckButton *button, const Owner *owner)
{
  HlPlacement place;

  if (!hl_circuit_symbol_place (hl_editing_document (hl_workbench_editing (owner->workbench)),
                                owner->id, &place))
    return;
  place.mirror = gtk_check_button_get_active (button);
  put (owner, GTK_WIDGET (button), &place, _ ("Mirror %s"));
}

static void
add_turn (HlInspectorRows *rows, const HlPlacement *place)
{
  static const char *const turns[] = {"0°", "90°", "180°", "270°", NULL};
  GtkWidget *turn = gtk_drop_down_new_from_strings (turns), *mirror = gtk_check_button_new ();

  gtk_drop_down_set_selected (GTK_DROP_DOWN (turn), (guint)(place->rotation / 90));
  g_signal_connect (turn, "notify::selected", G_CALLBACK (turned_cb), attach_owner (turn, rows));
  hl_inspector_add_row (rows, _ ("Turned"), _ ("Clockwise (R turns by 90°)"), turn, NULL);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (mirror), place->mirror);
  g_signal_connect (mirror, "toggled", G_CALLBACK (mirrored_cb), attach_owner (mirror, rows));
  hl_inspector_add_row (rows, _ ("Mirrored"),
                        _ ("Left and right exchanged before it is turned (M)"), mirror, NULL);
}

void
hl_inspector_add_symbol_rows (HlInspectorRows *rows)
{
  const HlDocument *document = hl_editing_document (hl_workbench_editing (rows->workbench));
  Reader *reader = g_rc_box_new0 (Reader);
  HlPlacement place;

  for (int i = 0; rows->ids[i] != NULL; i++)
    if (!hl_circuit_symbol_place_on (&reader->places, document, rows->ids[i], &place)) {
      reader_unref (reader);
      return;
    }
  hl_inspector_add_heading (rows, _ ("On paper"));
  for (guint k = 0; k < G_N_ELEMENTS (places); k++) {
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
    for (int i = 0; rows->ids[i] != NULL; i++)
      g_ptr_array_add (paths, g_strconcat (rows->ids[i], ".", places[k].name, NULL));
    g_ptr_array_add (paths, NULL);
    GtkWidget *field =
        hl_number_field_new (rows->workbench, (const char *const *)paths->pdata, HL_QUANTITY_NONE,
                             _ (places[k].label), _ (places[k].help));
    g_object_set_data_full (G_OBJECT (field), "hl-reader", g_rc_box_acquire (reader), reader_unref);
    hl_number_field_set_source (HL_NUMBER_FIELD (field), &places[k].source, reader);
    g_ptr_array_add (rows->fields, field);
    hl_inspector_add_row (rows, _ (places[k].label), _ (places[k].help), field, NULL);
  }
  if (rows->ids[1] == NULL)
    add_turn (rows, &place);
  reader_unref (reader);
}

void
hl_inspector_append_symbol (GString *text, const HlDocument *document, const char *id)
{
  HlPlacement place;

  if (hl_circuit_place_parse (document, id, &place))
    g_string_append_printf (text, "=%d %d", place.rotation, place.mirror);
}
