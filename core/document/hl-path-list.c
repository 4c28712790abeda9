/* SPDX-License-Identifier: MIT */
/* Walks the schema over the elements of a document to write down every path, for completion and for
 * "perhaps you meant". */
#include "core/document/hl-path-list.h"
#include "core/document/hl-named.h"
#include "core/document/hl-numbered-state.h"

#include "core/base/hl-i18n.h"
#include "core/system/hl-block.h"

#include <string.h>

#define MOST_NEAR_MISSES 3
#define MOST_LETTERS 200 /* of a path that is compared with others */

static void add (GPtrArray *paths, const char *id, const char *name) {
  /* not by a format: whoever wrote thousands of unknown paths waits for as many lists */
  g_ptr_array_add (paths, g_strconcat (id, ".", name, NULL));
}

static void add_points (GPtrArray *paths, const char *id, const HlValue *points, gboolean is_body,
                        gboolean settable_only) {
  static const char *const entries[] = {"x", "y"};

  for (gsize i = 0; hl_value_is_object (points) && i < hl_value_length (points); i++)
    for (gsize entry = 0; entry < G_N_ELEMENTS (entries); entry++) {
      const char *point = hl_value_key (points, i);
      g_ptr_array_add (paths, g_strconcat (id, ".points.", point, ".", entries[entry], NULL));
      if (!is_body || !settable_only)
        g_ptr_array_add (paths, g_strconcat (id, ".", point, ".", entries[entry], NULL));
    }
}

/* Whether a list of terms has a block: of those that only know time the sum is what people name. */
static gboolean block_below (const HlValue *terms) {
  for (gsize term = 0; hl_value_is_array (terms) && term < hl_value_length (terms); term++)
    if (hl_block_class (hl_value_string (hl_value_member (hl_value_item (terms, term), "kind"))) != NULL)
      return TRUE;
  return FALSE;
}

/* The signal itself, and the numbers and states in it. */
static void add_signal (GPtrArray *paths, const char *path, const HlValue *signal, gboolean settable_only) {
  const HlKind *kind = hl_value_is_object (signal) ? hl_schema_kind_of (HL_SECTION_SIGNAL, signal) : NULL;
  const HlBlockClass *block = kind != NULL ? hl_block_class (kind->name) : NULL;

  g_ptr_array_add (paths, g_strdup (path));
  for (int k = 0; kind != NULL && k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    const HlValue *inner = hl_value_member (signal, field->name);
    g_autofree char *at = g_strdup_printf ("%s.%s", path, field->name);
    if (field->type == HL_FIELD_NUMBER)
      g_ptr_array_add (paths, g_steal_pointer (&at));
    else if (field->type == HL_FIELD_SIGNAL && inner != NULL)
      add_signal (paths, at, inner, settable_only);
    else if (field->type == HL_FIELD_SIGNALS && block_below (inner))
      for (gsize term = 0; term < hl_value_length (inner); term++) {
        g_autofree char *of_term = g_strdup_printf ("%s.%d", at, (int)term);
        add_signal (paths, of_term, hl_value_item (inner, term), settable_only);
      }
  }
  for (int word = 0; block != NULL && !settable_only && word < block->n_words; word++)
    if (hl_kind_find_field (kind, block->words[word]) == NULL)
      g_ptr_array_add (paths, g_strdup_printf ("%s.%s", path, block->words[word]));
}

static void add_field (GPtrArray *paths, const char *id, const HlField *field, const HlValue *element,
                       gboolean settable_only) {
  static const char *const pose[] = {"x", "y", "angle", NULL};
  static const char *const velocity[] = {"vx", "vy", "omega", NULL};
  const char *const *names = field->type == HL_FIELD_POSE ? pose : velocity;

  switch (field->type) {
  case HL_FIELD_NUMBER:
    add (paths, id, field->name);
    break;
  case HL_FIELD_SIGNAL: {
    g_autofree char *path = g_strdup_printf ("%s.%s", id, field->name);
    add_signal (paths, path, hl_value_member (element, field->name), settable_only);
  } break;
  case HL_FIELD_VEC2:
    g_ptr_array_add (paths, g_strconcat (id, ".", field->name, ".x", NULL));
    g_ptr_array_add (paths, g_strconcat (id, ".", field->name, ".y", NULL));
    break;
  case HL_FIELD_POSE:
  case HL_FIELD_VELOCITY:
    for (int i = 0; names[i] != NULL; i++)
      add (paths, id, names[i]);
    break;
  case HL_FIELD_POINTS:
    add_points (paths, id, hl_value_member (element, "points"), strcmp (id, "ground") != 0, settable_only);
    break;
  default:
    break;
  }
}

typedef struct {
  GPtrArray *paths;
  const char *id;
} NumberedStates;

static void add_numbered (const char *name, HlQuantity quantity, void *data) {
  NumberedStates *states = data;

  (void)quantity;
  add (states->paths, states->id, name);
}

static void add_element (GPtrArray *paths, const char *id, const HlKind *kind, const HlValue *element,
                         gboolean settable_only) {
  if (kind == NULL || *id == '\0')
    return;
  for (int field = 0; field < kind->n_fields; field++)
    add_field (paths, id, &kind->fields[field], element, settable_only);
  for (int output = 0; output < kind->n_outputs && !settable_only; output++)
    if (hl_kind_find_field (kind, kind->outputs[output].name) == NULL)
      add (paths, id, kind->outputs[output].name);
  if (kind->section == HL_SECTION_COMPONENTS && !settable_only) {
    NumberedStates states = {paths, id};
    hl_numbered_states_each (kind->name, element, add_numbered, &states);
  }
}

char **hl_document_list_paths (const HlDocument *document, gboolean settable_only) {
  static const HlSection objects[] = {HL_SECTION_FLUID, HL_SECTION_GROUND, HL_SECTION_SIMULATION,
                                      HL_SECTION_ENERGY};
  GPtrArray *paths = g_ptr_array_new ();

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int i = 0; i < hl_document_n_elements (document, section); i++)
      add_element (paths, hl_document_element_id (document, section, i),
                   hl_document_element_kind (document, section, i),
                   hl_document_element (document, section, i), settable_only);
  for (gsize i = 0; i < G_N_ELEMENTS (objects); i++)
    add_element (paths, hl_section_noun (objects[i]), hl_schema_find_kind (objects[i], NULL),
                 hl_document_object (document, objects[i]), settable_only);
  add (paths, "gravity", "x");
  add (paths, "gravity", "y");
  for (int i = 0; i < hl_document_n_parameters (document); i++)
    g_ptr_array_add (paths, g_strdup (hl_document_parameter_name (document, i)));
  g_ptr_array_add (paths, NULL);
  return (char **)g_ptr_array_free (paths, FALSE);
}

/* Levenshtein distance without regard to case; gives up above the limit. */
static int edit_distance (const char *a, const char *b, int limit) {
  int n = (int)strlen (a);
  int m = (int)strlen (b);

  if (ABS (n - m) > limit)
    return limit + 1;
  int row[MOST_LETTERS + 1];
  if (m > MOST_LETTERS)
    return limit + 1;
  for (int j = 0; j <= m; j++)
    row[j] = j;
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0], least = i;
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      gboolean same = g_ascii_tolower (a[i - 1]) == g_ascii_tolower (b[j - 1]);
      int best = MIN (MIN (row[j], row[j - 1]) + 1, diagonal + (same ? 0 : 1));
      diagonal = row[j];
      row[j] = best;
      least = MIN (least, best);
    }
    if (least > limit) /* no row below has a smaller one */
      return limit + 1;
  }
  return row[m];
}

/* How far a candidate is: typing errors, or only the last part fits ("Fc" for "cyl.friction.Fc").
 */
static int distance (const char *path, const char *candidate, int limit) {
  const char *dot = strchr (path, '.');
  const char *candidate_dot = strrchr (candidate, '.');
  gsize head = dot != NULL ? (gsize)(dot - path) + 1 : 0;

  if (dot != NULL && strncmp (path, candidate, head) == 0 && candidate_dot != NULL &&
      g_ascii_strcasecmp (dot + 1, candidate_dot + 1) == 0)
    return 1;
  return edit_distance (path, candidate, limit);
}

gboolean hl_path_is_shared (const HlDocument *document, const char *path) {
  const char *dot = strchr (path, '.');
  g_autofree char *head = g_strndup (path, dot != NULL ? (gsize)(dot - path) : 0);
  g_auto (GStrv) paths = hl_document_list_paths (document, FALSE);
  int n = 0;

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int i = 0; i < hl_document_n_elements (document, section); i++)
      n += g_strcmp0 (hl_document_element_id (document, section, i), head) == 0;
  return n > 1 && g_strv_contains ((const char *const *)paths, path);
}

char *hl_path_near_misses (const HlDocument *document, const char *path) {
  g_auto (GStrv) paths = hl_document_list_paths (document, FALSE);

  return hl_path_nearest ((const char *const *)paths, path);
}

char *hl_path_nearest (const char *const *paths, const char *path) {
  gsize length = strlen (path);
  int limit = length > MOST_LETTERS ? 0 : MAX (2, (int)length / 4);
  const char *near[MOST_NEAR_MISSES] = {NULL};
  int far[MOST_NEAR_MISSES] = {0};
  int n = 0;

  for (int i = 0; paths[i] != NULL; i++) {
    int d = distance (path, paths[i], limit);
    int at = n;
    if (d > limit)
      continue;
    while (at > 0 && far[at - 1] > d)
      at--;
    for (int j = MIN (n, MOST_NEAR_MISSES - 1); j > at; j--) {
      near[j] = near[j - 1];
      far[j] = far[j - 1];
    }
    if (at < MOST_NEAR_MISSES) {
      near[at] = paths[i];
      far[at] = d;
      n = MIN (n + 1, MOST_NEAR_MISSES);
    }
  }
  if (n == 0)
    return NULL;
  GString *text = g_string_new (NULL);
  for (int i = 0; i < n; i++) {
    g_string_append (text, i == 0 ? "" : i == n - 1 ? _ (" or ") : ", ");
    g_string_append_printf (text, _ ("‘%s’"), near[i]);
  }
  return g_string_free (text, FALSE);
}
