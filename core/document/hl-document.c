/* SPDX-License-Identifier: MIT */
/* The snapshot and its index. The index maps ids to places and ports to lines; it borrows its
 * strings from the tree it was made from and keeps that tree alive, so documents that differ only
 * in numbers share one index. */
#include "core/document/hl-document.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-document-private.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/schema/hl-element-schema.h"

#include <math.h>
#include <string.h>

typedef struct {
  gatomicrefcount ref_count;
  HlValue *root;       /* owner of the strings */
  GHashTable *places;  /* id -> section and element index, packed by pack_place */
  GHashTable *line_of; /* "COMPONENT.PORT" -> line index + 1 */
  GPtrArray *usual;    /* paths that stand for the probes of a file that has none */
} Index;

struct _HlDocument {
  gatomicrefcount ref_count;
  HlValue *root;
  Index *index;
  HlNamed *named;     /* its parameters; NULL: none */
  gboolean has_texts; /* numbers that are kept as typed, or would be */
};

/* Packs a place into a pointer of the hash table: the section in the low bits, never zero. */
static gpointer pack_place (HlSection section, gsize element) {
  return GSIZE_TO_POINTER (element * 16 + (gsize)section + 1);
}

static HlSection place_section (gpointer place) {
  return (HlSection)((GPOINTER_TO_SIZE (place) - 1) % 16);
}

static int place_element (gpointer place) {
  return (int)((GPOINTER_TO_SIZE (place) - 1) / 16);
}

static void index_ports (Index *index, const HlValue *lines) {
  for (gsize line = 0; line < hl_value_length (lines); line++) {
    const HlValue *ports = hl_value_member (hl_value_item (lines, line), "ports");
    for (gsize i = 0; hl_value_is_array (ports) && i < hl_value_length (ports); i++) {
      const char *port = hl_value_string (hl_value_item (ports, i));
      if (port != NULL && !g_hash_table_contains (index->line_of, port))
        g_hash_table_insert (index->line_of, (gpointer)port, GSIZE_TO_POINTER (line + 1));
    }
  }
}

/* Takes the path; seen borrows those of index->usual. */
static void add_usual (Index *index, GHashTable *seen, char *path) {
  if (g_hash_table_contains (seen, path)) { /* adding would put this one in the place of the one that stays */
    g_free (path);
    return;
  }
  g_ptr_array_add (index->usual, path);
  g_hash_table_add (seen, path);
}

/* Adds the traces of all plots. Returns whether there are any. */
static gboolean index_plotted (Index *index, GHashTable *seen, const HlValue *plots) {
  static const char *const energies[] = {"kinetic", "potential", "oil", "dissipated", "supplied"};

  for (gsize plot = 0; hl_value_is_array (plots) && plot < hl_value_length (plots); plot++) {
    const HlValue *panel = hl_value_item (plots, plot), *traces = hl_value_member (panel, "traces");
    gboolean energy = g_strcmp0 (hl_value_string (hl_value_member (panel, "kind")), "energy") == 0;
    for (gsize i = 0; energy && i < G_N_ELEMENTS (energies); i++)
      add_usual (index, seen, g_strconcat ("energy.", energies[i], NULL));
    for (gsize i = 0; hl_value_is_array (traces) && i < hl_value_length (traces); i++)
      if (hl_value_string (hl_value_item (traces, i)) != NULL)
        add_usual (index, seen, g_strdup (hl_value_string (hl_value_item (traces, i))));
  }
  return index->usual->len > 0;
}

/* Returns the bodies that joints hold, by id: TRUE for those that slide along an axis. */
static GHashTable *joined_bodies (const HlValue *joints) {
  GHashTable *slides = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (gsize i = 0; hl_value_is_array (joints) && i < hl_value_length (joints); i++) {
    const HlValue *joint = hl_value_item (joints, i);
    const HlKind *kind = hl_schema_kind_of (HL_SECTION_JOINTS, joint);
    gboolean has_axis = kind != NULL && hl_kind_find_field (kind, "axis") != NULL;
    for (const char *const *end = (const char *const[]){"a", "b", NULL}; *end != NULL; end++) {
      const char *point = hl_value_string (hl_value_member (joint, *end));
      const char *dot = point != NULL ? strchr (point, '.') : NULL;
      if (dot == NULL)
        continue;
      g_autofree char *body = g_strndup (point, (gsize)(dot - point));
      if (has_axis || !g_hash_table_contains (slides, body))
        g_hash_table_insert (slides, g_steal_pointer (&body), GINT_TO_POINTER (has_axis));
    }
  }
  return slides;
}

/* Returns whether the angle alone does not determine the pose of a body: it slides along an axis, or has
 * no joint. */
static gboolean is_shifted (GHashTable *joined, const char *body) {
  gpointer slides;

  return !g_hash_table_lookup_extended (joined, body, NULL, &slides) || GPOINTER_TO_INT (slides);
}

/* Returns the name of the output force or torque of a cylinder or vane, else NULL. */
static const char *effort_of (const HlKind *kind) {
  static const char *const efforts[] = {"force", "torque"};

  for (gsize i = 0; kind != NULL && i < G_N_ELEMENTS (efforts); i++) {
    const HlOutput *output = hl_kind_find_output (kind, efforts[i]);
    if (output != NULL && output->reads == HL_READS_CYLINDER)
      return efforts[i];
  }
  return NULL;
}

/* Adds poses of bodies, pressures of lines, and forces of cylinders. */
static void index_moving (Index *index, GHashTable *seen, const HlValue *root) {
  const HlValue *bodies = hl_value_member (root, hl_section_key (HL_SECTION_BODIES));
  g_autoptr (GHashTable) joined = joined_bodies (hl_value_member (root, hl_section_key (HL_SECTION_JOINTS)));
  const HlValue *lines = hl_value_member (root, hl_section_key (HL_SECTION_LINES));
  const HlValue *components = hl_value_member (root, hl_section_key (HL_SECTION_COMPONENTS));

  for (gsize i = 0; hl_value_is_array (bodies) && i < hl_value_length (bodies); i++) {
    const char *id = hl_value_string (hl_value_member (hl_value_item (bodies, i), "id"));
    if (id == NULL)
      continue;
    if (is_shifted (joined, id)) {
      add_usual (index, seen, g_strconcat (id, ".x", NULL));
      add_usual (index, seen, g_strconcat (id, ".y", NULL));
    }
    add_usual (index, seen, g_strconcat (id, ".angle", NULL));
  }
  for (gsize i = 0; hl_value_is_array (lines) && i < hl_value_length (lines); i++) {
    const char *id = hl_value_string (hl_value_member (hl_value_item (lines, i), "id"));
    if (id != NULL)
      add_usual (index, seen, g_strconcat (id, ".pressure", NULL));
  }
  for (gsize i = 0; hl_value_is_array (components) && i < hl_value_length (components); i++) {
    const HlValue *component = hl_value_item (components, i);
    const char *id = hl_value_string (hl_value_member (component, "id"));
    const char *effort = effort_of (hl_schema_kind_of (HL_SECTION_COMPONENTS, component));
    if (id != NULL && effort != NULL)
      add_usual (index, seen, g_strconcat (id, ".", effort, NULL));
  }
}

static void index_usual (Index *index, const HlValue *root) {
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  const HlValue *probes = hl_value_member (root, hl_section_key (HL_SECTION_PROBES));

  index->usual = g_ptr_array_new_with_free_func (g_free);
  if (hl_value_is_array (probes) && hl_value_length (probes) > 0)
    return;
  if (!index_plotted (index, seen, hl_value_member (root, hl_section_key (HL_SECTION_PLOTS))))
    index_moving (index, seen, root);
}

static Index *index_new (const HlValue *root) {
  Index *index = g_new0 (Index, 1);

  g_atomic_ref_count_init (&index->ref_count);
  index->root = hl_value_ref (root);
  index->places = g_hash_table_new (g_str_hash, g_str_equal);
  index->line_of = g_hash_table_new (g_str_hash, g_str_equal);
  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++) {
    const HlValue *list = hl_value_member (root, hl_section_key (section));
    for (gsize i = 0; hl_value_is_array (list) && i < hl_value_length (list); i++) {
      const char *id = hl_value_string (hl_value_member (hl_value_item (list, i), "id"));
      if (id != NULL && !g_hash_table_contains (index->places, id))
        g_hash_table_insert (index->places, (gpointer)id, pack_place (section, i));
    }
  }
  index_ports (index, hl_value_member (root, hl_section_key (HL_SECTION_LINES)));
  index_usual (index, root);
  return index;
}

static void index_unref (Index *index) {
  if (!g_atomic_ref_count_dec (&index->ref_count))
    return;
  g_hash_table_unref (index->places);
  g_hash_table_unref (index->line_of);
  g_ptr_array_unref (index->usual);
  hl_value_unref (index->root);
  g_free (index);
}

/* Parameters and formulas of the root that a document was just made of. */
static void evaluate (HlDocument *document) {
  document->named = hl_named_new (document->root);
  HlValue *root = hl_named_renew (document->named, document, &document->has_texts);
  hl_value_unref (document->root);
  document->root = root;
}

HlDocument *hl_document_new (HlValue *root) {
  HlDocument *document = g_new0 (HlDocument, 1);

  if (!hl_value_is_object (root)) {
    hl_value_unref (root);
    root = hl_value_new_object ();
  }
  g_atomic_ref_count_init (&document->ref_count);
  document->root = root;
  document->index = index_new (root);
  evaluate (document);
  return document;
}

HlDocument *hl_document_new_same_ids (const HlDocument *other, HlValue *root) {
  HlDocument *document = g_new0 (HlDocument, 1);

  g_atomic_ref_count_init (&document->ref_count);
  document->root = root;
  document->index = other->index;
  g_atomic_ref_count_inc (&document->index->ref_count);
  document->named = hl_named_ref (other->named);
  document->has_texts = other->has_texts;
  return document;
}

HlDocument *hl_document_new_renewed (const HlDocument *other, HlValue *root) {
  HlDocument *document = hl_document_new_same_ids (other, root);

  hl_named_unref (document->named);
  evaluate (document);
  return document;
}

HlNamed *hl_document_named (const HlDocument *document) {
  return document->named;
}

HlDocument *hl_document_new_empty (void) {
  static const char *const lists[] = {"bodies", "joints", "loads",          "components",
                                      "lines",  "probes", "parameter_sets", "sliders"};
  HlValue *root = hl_value_new_object ();

#define PUT(key, value)                                                                                      \
  G_STMT_START {                                                                                             \
    HlValue *with = hl_value_with_member (root, key, value);                                                 \
    hl_value_unref (root);                                                                                   \
    root = with;                                                                                             \
  }                                                                                                          \
  G_STMT_END
  PUT ("format", hl_value_new_string ("hydrolink"));
  PUT ("version", hl_value_new_number (1));
  PUT ("name", hl_value_new_string (""));
  PUT ("ground", hl_value_with_member (NULL, "points", hl_value_new_object ()));
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    PUT (lists[i], hl_value_new_array ());
  PUT ("layout", hl_value_new_object ());
#undef PUT
  return hl_document_new (root);
}

HlDocument *hl_document_ref (const HlDocument *document) {
  HlDocument *shared = (HlDocument *)document;

  if (shared != NULL)
    g_atomic_ref_count_inc (&shared->ref_count);
  return shared;
}

void hl_document_unref (HlDocument *document) {
  if (document == NULL || !g_atomic_ref_count_dec (&document->ref_count))
    return;
  index_unref (document->index);
  hl_named_unref (document->named);
  hl_value_unref (document->root);
  g_free (document);
}

const HlValue *hl_document_root (const HlDocument *document) {
  return document->root;
}

gboolean hl_document_equal (const HlDocument *a, const HlDocument *b) {
  return a == b || hl_value_equal (a->root, b->root);
}

const char *hl_document_name (const HlDocument *document) {
  const char *name = hl_value_string (hl_value_member (document->root, "name"));
  return name != NULL ? name : "";
}

const char *hl_document_shown_text (const char *text) {
  return text != NULL && text[0] != '\0' ? g_dpgettext2 (GETTEXT_PACKAGE, "example", text) : text;
}

static const HlValue *list_of (const HlDocument *document, HlSection section) {
  const char *key = hl_section_key (section);
  const HlValue *list = key != NULL ? hl_value_member (document->root, key) : NULL;
  return hl_value_is_array (list) ? list : NULL;
}

int hl_document_n_elements (const HlDocument *document, HlSection section) {
  return (int)hl_value_length (list_of (document, section));
}

const HlValue *hl_document_element (const HlDocument *document, HlSection section, int index) {
  return index >= 0 ? hl_value_item (list_of (document, section), (gsize)index) : NULL;
}

const char *hl_document_element_id (const HlDocument *document, HlSection section, int index) {
  const char *id = hl_value_string (hl_value_member (hl_document_element (document, section, index), "id"));
  return id != NULL ? id : "";
}

const char *hl_document_element_kind_name (const HlDocument *document, HlSection section, int index) {
  return hl_value_string (hl_value_member (hl_document_element (document, section, index), "kind"));
}

const HlKind *hl_document_element_kind (const HlDocument *document, HlSection section, int index) {
  return hl_schema_kind_of (section, hl_document_element (document, section, index));
}

const HlValue *hl_document_find (const HlDocument *document, const char *id, HlSection *section, int *index) {
  gpointer place = id != NULL ? g_hash_table_lookup (document->index->places, id) : NULL;

  if (place == NULL)
    return NULL;
  if (section != NULL)
    *section = place_section (place);
  if (index != NULL)
    *index = place_element (place);
  return hl_document_element (document, place_section (place), place_element (place));
}

const HlValue *hl_document_object (const HlDocument *document, HlSection section) {
  const char *key = hl_section_key (section);

  if (section == HL_SECTION_MODEL)
    return document->root;
  return key != NULL ? hl_value_member (document->root, key) : NULL;
}

double hl_document_object_number (const HlDocument *document, HlSection section, const char *field) {
  return hl_kind_number (hl_schema_find_kind (section, NULL), hl_document_object (document, section), field,
                         NULL);
}

const char *hl_document_object_text (const HlDocument *document, HlSection section, const char *field) {
  return hl_kind_text (hl_schema_find_kind (section, NULL), hl_document_object (document, section), field);
}

static double number_of_oil (const HlDocument *document, const char *name) {
  return document != NULL ? hl_document_object_number (document, HL_SECTION_FLUID, name)
                          : hl_kind_number (hl_schema_find_kind (HL_SECTION_FLUID, NULL), NULL, name, NULL);
}

HlFluid hl_fluid_read (const HlDocument *document) {
  return (HlFluid){
      .bulk_modulus = number_of_oil (document, "bulk_modulus"),
      .density = number_of_oil (document, "density"),
      .viscosity = number_of_oil (document, "viscosity"),
      .vapour_pressure = number_of_oil (document, "vapour_pressure"),
      .air_fraction = number_of_oil (document, "air_fraction"),
      .ambient_pressure = number_of_oil (document, "ambient_pressure"),
  };
}

/* Reads [x, y]; FALSE when it is anything else. */
static gboolean read_vec2 (const HlValue *value, double xy[2]) {
  if (!hl_value_is_array (value) || hl_value_length (value) != 2)
    return FALSE;
  xy[0] = hl_value_number (hl_value_item (value, 0));
  xy[1] = hl_value_number (hl_value_item (value, 1));
  return isfinite (xy[0]) && isfinite (xy[1]);
}

void hl_document_gravity (const HlDocument *document, double gravity[2]) {
  if (read_vec2 (hl_value_member (document->root, "gravity"), gravity))
    return;
  gravity[0] = 0;
  gravity[1] = -9.81;
}

static const HlValue *points_of (const HlDocument *document, int body) {
  const HlValue *owner = body < 0 ? hl_document_object (document, HL_SECTION_GROUND)
                                  : hl_document_element (document, HL_SECTION_BODIES, body);
  const HlValue *points = hl_value_member (owner, "points");
  return hl_value_is_object (points) ? points : NULL;
}

int hl_document_n_points (const HlDocument *document, int body) {
  return (int)hl_value_length (points_of (document, body));
}

const char *hl_document_point_name (const HlDocument *document, int body, int point) {
  return hl_value_key (points_of (document, body), (gsize)point);
}

gboolean hl_document_point_xy (const HlDocument *document, int body, int point, double xy[2]) {
  return read_vec2 (hl_value_member_at (points_of (document, body), (gsize)point), xy);
}

gboolean hl_document_resolve_body (const HlDocument *document, const char *text, int *body, GError **error) {
  HlSection section;

  if (g_strcmp0 (text, "ground") == 0) {
    *body = -1;
    return TRUE;
  }
  if (hl_document_find (document, text, &section, body) != NULL && section == HL_SECTION_BODIES)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("there is no body ‘%s’"), text != NULL ? text : "");
  return FALSE;
}

gboolean hl_document_resolve_point (const HlDocument *document, const char *text, int *body, double xy[2],
                                    GError **error) {
  const char *dot = text != NULL ? strchr (text, '.') : NULL;

  if (dot == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                 _ ("‘%s’ is not a point; write BODY.POINT, such as boom.tip"), text != NULL ? text : "");
    return FALSE;
  }
  g_autofree char *id = g_strndup (text, (gsize)(dot - text));
  if (!hl_document_resolve_body (document, id, body, error))
    return FALSE;
  const HlValue *point = hl_value_member (points_of (document, *body), dot + 1);
  if (point == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("‘%s’ has no point ‘%s’"), id, dot + 1);
    return FALSE;
  }
  if (!read_vec2 (point, xy)) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("the coordinates of point ‘%s’ are not [x, y]"), text);
    return FALSE;
  }
  return TRUE;
}

gboolean hl_document_resolve_port (const HlDocument *document, const char *text, int *component, int *port,
                                   GError **error) {
  const char *dot = text != NULL ? strchr (text, '.') : NULL;
  HlSection section;

  if (dot == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                 _ ("‘%s’ is not a port; write COMPONENT.PORT, such as cyl.A"), text != NULL ? text : "");
    return FALSE;
  }
  g_autofree char *id = g_strndup (text, (gsize)(dot - text));
  if (hl_document_find (document, id, &section, component) == NULL || section != HL_SECTION_COMPONENTS) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("there is no component ‘%s’"), id);
    return FALSE;
  }
  const HlKind *kind = hl_document_element_kind (document, section, *component);
  *port = hl_kind_find_port (kind, dot + 1);
  if (*port < 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("‘%s’ has no port ‘%s’"), id, dot + 1);
    return FALSE;
  }
  return TRUE;
}

int hl_document_line_of_port (const HlDocument *document, const char *port) {
  return (int)GPOINTER_TO_SIZE (g_hash_table_lookup (document->index->line_of, port)) - 1;
}

int hl_document_n_sliders (const HlDocument *document) {
  return hl_document_n_elements (document, HL_SECTION_SLIDERS);
}

gboolean hl_document_slider (const HlDocument *document, int index, HlSlider *slider) {
  const HlValue *element = hl_document_element (document, HL_SECTION_SLIDERS, index);

  slider->path = hl_value_string (hl_value_member (element, "path"));
  slider->from = hl_value_number (hl_value_member (element, "from"));
  slider->to = hl_value_number (hl_value_member (element, "to"));
  slider->log = g_strcmp0 (hl_value_string (hl_value_member (element, "scale")), "log") == 0;
  return slider->path != NULL && isfinite (slider->from) && isfinite (slider->to) &&
         (!slider->log || (slider->from > 0 && slider->to > 0));
}

int hl_document_n_probes (const HlDocument *document) {
  return hl_document_n_elements (document, HL_SECTION_PROBES);
}

gboolean hl_document_probe (const HlDocument *document, int index, HlProbe *probe) {
  const HlValue *element = hl_document_element (document, HL_SECTION_PROBES, index);

  probe->id = hl_value_string (hl_value_member (element, "id"));
  probe->of = hl_value_string (hl_value_member (element, "of"));
  probe->label = hl_value_string (hl_value_member (element, "label"));
  probe->label = probe->label != NULL ? probe->label : probe->id;
  probe->relative = hl_value_boolean (hl_value_member (element, "relative"));
  return probe->id != NULL && probe->of != NULL;
}

int hl_document_n_recorded (const HlDocument *document) {
  int n_probes = hl_document_n_probes (document);

  return n_probes > 0 ? n_probes : (int)document->index->usual->len;
}

gboolean hl_document_recorded (const HlDocument *document, int index, HlProbe *probe) {
  if (hl_document_n_probes (document) > 0)
    return hl_document_probe (document, index, probe);
  const char *path = document->index->usual->pdata[index];
  *probe = (HlProbe){.id = path, .of = path, .label = path};
  return hl_path_find (document, path, &(HlPathInfo){0}, NULL);
}

static const HlValue *held_paths (const HlDocument *document) {
  const HlValue *hold = hl_value_member (hl_document_object (document, HL_SECTION_EQUILIBRIUM), "hold");
  return hl_value_is_array (hold) ? hold : NULL;
}

int hl_document_n_held (const HlDocument *document) {
  return (int)hl_value_length (held_paths (document));
}

const char *hl_document_held (const HlDocument *document, int index) {
  return hl_value_string (hl_value_item (held_paths (document), (gsize)index));
}
