/* SPDX-License-Identifier: MIT */
#include "ui/canvas/hl-palette-entry.h"

#include "core/base/hl-i18n.h"
#include "core/schema/hl-schema.h"
#include "ui/paint/circuit/hl-symbol.h"

#include <string.h>

static const HlPaletteEntry linkage_entries[] = {
    {"select", NULL, N_ ("Select and move"), N_ ("Drags the linkage; Alt changes lengths"), N_ ("Draw"),
     NULL},
    {"link", NULL, N_ ("Link"), N_ ("Rigid bar between two points"), N_ ("Draw"), "l"},
    {"spot", "pivot", N_ ("Ground pivot"), N_ ("Point that stands still; links turn about it"), N_ ("Draw"),
     "g"},
    {"spot", "point", N_ ("Point of a body"), N_ ("Where joints and cylinders can be attached"), N_ ("Draw"),
     "o"},
    {"pair", "revolute", N_ ("Revolute joint"), N_ ("Holds two points together; they may turn"),
     N_ ("Joints"), "j"},
    {"pair", "prismatic", N_ ("Sliding joint"), N_ ("Slides along a line without turning"), N_ ("Joints"),
     NULL},
    {"pair", "slot", N_ ("Slot"), N_ ("A point slides along a line; the bodies may turn"), N_ ("Joints"),
     NULL},
    {"pair", "distance", N_ ("Rod"), N_ ("Keeps two points at a distance; without mass"), N_ ("Joints"),
     NULL},
    {"pair", "weld", N_ ("Weld"), N_ ("Makes two bodies one"), N_ ("Joints"), "w"},
    {"spot", "knife-edge", N_ ("Knife edge"), N_ ("Wheel that rolls without side slip"), N_ ("Joints"), NULL},
    {"pair", "drive-length", N_ ("Driven length"), N_ ("A signal prescribes the distance of two points"),
     N_ ("Joints"), NULL},
    {"spot", "drive-angle", N_ ("Driven angle"), N_ ("A signal prescribes the angle between two bodies"),
     N_ ("Joints"), NULL},
    {"pair", "cylinder", N_ ("Cylinder"), N_ ("Hydraulic cylinder between two points"), N_ ("Forces"), "c"},
    {"spot", "force", N_ ("Force"), N_ ("Force on a point"), N_ ("Forces"), NULL},
    {"spot", "torque", N_ ("Torque"), N_ ("Torque on a body"), N_ ("Forces"), NULL},
    {"pair", "spring", N_ ("Spring"), N_ ("Spring and damper between two points"), N_ ("Forces"), "s"},
    {"spot", "torsion-spring", N_ ("Torsion spring"), N_ ("Torsion spring and damper between two bodies"),
     N_ ("Forces"), NULL},
    {"spot", "tyre", N_ ("Tyre"), N_ ("Lateral tyre force on a vehicle in plan view"), N_ ("Forces"), NULL},
};

static const HlPaletteEntry circuit_entries[] = {
    {"select", NULL, N_ ("Select, move and connect"), N_ ("Drag from a port to draw a line"), N_ ("Draw"),
     NULL},
    {"connect", NULL, N_ ("Line"), N_ ("From port to port, with the corners that you click"), N_ ("Draw"),
     "l"},
};

static const char *const groups[] = {
    [HL_SYMBOL_SUPPLY] = N_ ("Pumps and tanks"),   [HL_SYMBOL_DIRECTIONAL] = N_ ("Directional valves"),
    [HL_SYMBOL_PRESSURE] = N_ ("Pressure valves"), [HL_SYMBOL_FLOW] = N_ ("Flow valves"),
    [HL_SYMBOL_STORES] = N_ ("Lines and stores"),  [HL_SYMBOL_ACTUATORS] = N_ ("Actuators"),
};

static const struct {
  const char *kind, *key;
} keys[] = {
    {"pressure-source", "p"}, {"flow-source", "q"}, {"tank", "t"},     {"directional-valve", "v"},
    {"throttle", "o"},        {"check-valve", "k"}, {"cylinder", "c"},
};

/* A kind without a symbol is drawn as unknown, and stands with the stores. */
static HlSymbolGroup group_of (const HlKind *kind) {
  for (int i = 0; i < hl_n_symbols; i++)
    if (strcmp (hl_symbols[i]->kind, kind->name) == 0)
      return hl_symbol_group (hl_symbols[i]);
  return HL_SYMBOL_STORES;
}

static void add_components (GArray *entries, HlSymbolGroup group) {
  const HlKind *kind;

  for (int i = 0; (kind = hl_schema_kind (HL_SECTION_COMPONENTS, i)) != NULL; i++) {
    HlPaletteEntry entry = {"place", kind->name, kind->label, kind->help, groups[group], NULL};
    if (group_of (kind) != group)
      continue;
    for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
      if (strcmp (keys[k].kind, kind->name) == 0)
        entry.key = keys[k].key;
    g_array_append_val (entries, entry);
  }
}

GArray *hl_palette_entries (HlToolCanvas canvas) {
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (HlPaletteEntry));

  if (canvas == HL_TOOL_LINKAGE) {
    g_array_append_vals (entries, linkage_entries, G_N_ELEMENTS (linkage_entries));
    return entries;
  }
  g_array_append_vals (entries, circuit_entries, G_N_ELEMENTS (circuit_entries));
  for (guint group = HL_SYMBOL_BY_ROLE + 1; group < G_N_ELEMENTS (groups); group++)
    add_components (entries, group);
  return entries;
}

gboolean hl_palette_entry_of_key (HlToolCanvas canvas, const char *letter, HlPaletteEntry *entry) {
  g_autoptr (GArray) entries = hl_palette_entries (canvas);

  for (guint i = 0; i < entries->len; i++) {
    *entry = g_array_index (entries, HlPaletteEntry, i);
    if (entry->key != NULL && strcmp (entry->key, letter) == 0)
      return TRUE;
  }
  return FALSE;
}

/* --- found by words --- */

gboolean hl_palette_entry_matches (const HlPaletteEntry *entry, const char *typed) {
  const char *help = entry->help != NULL ? entry->help : "";
  g_autofree char *all = g_strjoin ("\n", entry->label, _ (entry->label), help, *help != '\0' ? _ (help) : "",
                                    _ (entry->group), entry->argument, NULL);
  g_autofree char *text = g_utf8_casefold (all, -1);
  g_autofree char *low = g_utf8_casefold (typed, -1);
  g_auto (GStrv) words = g_strsplit_set (low, " \t", -1);

  for (int i = 0; words[i] != NULL; i++)
    if (strstr (text, words[i]) == NULL)
      return FALSE;
  return TRUE;
}

gboolean hl_palette_entry_is_named (const HlPaletteEntry *entry, const char *typed) {
  g_autofree char *low = g_utf8_casefold (typed, -1);
  g_autofree char *name = g_utf8_casefold (entry->label, -1);
  g_autofree char *own_name = g_utf8_casefold (_ (entry->label), -1);

  return g_str_has_prefix (name, low) || g_str_has_prefix (own_name, low);
}

char *hl_palette_entry_tooltip (const HlPaletteEntry *entry) {
  GString *text = g_string_new (_ (entry->label));

  if (entry->key != NULL) {
    g_autofree char *key = g_ascii_strup (entry->key, -1);
    g_string_append_printf (text, " (%s)", key);
  } else if (strcmp (entry->id, "select") == 0) {
    g_string_append_printf (text, " (%s)", _ ("Esc"));
  }
  if (entry->help != NULL)
    g_string_append_printf (text, "\n%s", _ (entry->help));
  return g_string_free (text, FALSE);
}
