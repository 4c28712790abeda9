/* SPDX-License-Identifier: MIT */
/* The texts under sources/ of an FMU: the floor of the program as it is, the tables of this model,
 * and all.c, which includes one after the other. */
#include "core/fmu/hl-fmu.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/fmu/hl-fmu-texts.h"
#include "core/fmu/hl-fmu-write.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-edges.h"
#include "core/system/hl-observable-eval.h"
#include "core/system/hl-oil-model.h"
#include "core/system/hl-error-scale.h"
#include "core/system/hl-system-private.h"

#define HEAD                                                                                       \
  "/* SPDX-License-Identifier: MIT */\n/* Made by Hydrolink. One translation unit: all.c "         \
  "includes "                                                                                      \
  "everything else. */\n"

static void
put (GHashTable *files, const char *name, GString *text)
{
  gsize length = text->len;

  g_hash_table_insert (files, g_strdup (name),
                       g_bytes_new_take (g_string_free (text, FALSE), length));
}

/* ---- indicators and states ---- */

const struct HlSimForm *
hl_fmu_form (const HlSystem *sys)
{
  HlSimOptions how = hl_sim_options_from_model (sys);
  const HlSimForm *form = hl_oil_form (how.model, how.formulation)->form;

  return form == &hl_sim_form_relaxed || form == &hl_sim_form_discrete ||
                 form == &hl_sim_form_hybrid
             ? form
             : NULL;
}

int
hl_fmu_n_indicators (const HlSystem *sys)
{
  return hl_fmu_form (sys) == NULL ? 1 + hl_edges_count (sys) : 0;
}

char *
hl_fmu_indicator_name (const HlSystem *sys, int indicator)
{
  static const char *const words[] = {[HL_EDGE_SHUTS] = "edge",
                                      [HL_EDGE_OPENS_FULL] = "full",
                                      [HL_EDGE_LOWER_STOP] = "stop_lower",
                                      [HL_EDGE_UPPER_STOP] = "stop_upper",
                                      [HL_EDGE_TURNS] = "turn",
                                      [HL_EDGE_STORE] = "store"};

  if (indicator == 0)
    return g_strdup ("partition");
  HlBend edge = hl_edges_get (sys, indicator - 1);
  const char *id = hl_system_entity_id (sys, HL_ENTITY_COMPONENT, edge.component);
  bool is_one = edge.kind == HL_EDGE_LOWER_STOP || edge.kind == HL_EDGE_UPPER_STOP ||
                edge.kind == HL_EDGE_TURNS;
  return is_one ? g_strdup_printf ("%s.%s", id, words[edge.kind])
                : g_strdup_printf ("%s.%s_%d", id, words[edge.kind], edge.number + 1);
}

/* A work with the partition that the code inside chooses; NULL where there is none. */
static HlWork *
work_at_start (const HlSystem *sys, const HlPoint *start)
{
  HlWork *work = hl_work_new (sys);

  hl_work_enter_segment (sys, work, 0.0);
  if (hl_partition_choose (sys, work, start->x, HL_PARTITION_WISHED, NULL, 0, NULL) == HL_OK)
    return work;
  hl_work_free (work);
  return NULL;
}

int
hl_fmu_n_states (const HlSystem *sys, const HlPoint *start)
{
  HlWork *work = work_at_start (sys, start);
  int n = work != NULL ? hl_work_n_states (work) : 0;

  hl_work_free (work);
  return n;
}

gboolean
hl_fmu_start_states (
    const HlSystem *sys, const HlPoint *start, double y[], double nominals[], GError **error)
{
  HlWork *work = work_at_start (sys, start);

  if (work == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, "%s",
                 _ ("the linkage has no independent coordinates where it starts"));
    return FALSE;
  }
  hl_state_pack (sys, work, start, y);
  if (nominals != NULL)
    hl_error_nominals (sys, work, nominals);
  hl_work_free (work);
  return TRUE;
}

/* ---- the table of variables ---- */

static int
by_reference (const void *a, const void *b)
{
  const HlFmuVariable *const *x = a, *const *y = b;

  return (*x)->reference < (*y)->reference ? -1 : (*x)->reference > (*y)->reference;
}

static int
find_input (const HlSystem *sys, const char *path)
{
  for (int k = 0; k < hl_system_n_inputs (sys); k++)
    if (sys->topology->input_order[k] == 0 && strcmp (hl_system_input_name (sys, k), path) == 0)
      return k;
  return -1;
}

/* What the role needs besides; FALSE with the variable's name. */
static gboolean
write_slot (GString *out, const HlFmuVariable *v, const HlSystem *sys, GError **error)
{
  HlObservable of = {0};
  HlParameter parameter = {0};
  const char *path = v->path != NULL ? v->path : v->name, *why = NULL;
  bool relative = false;
  int input = -1;

  if (v->role == HL_FMU_OUTPUT || v->role == HL_FMU_LOCAL) {
    if (!hl_observable_find (sys, path, &of))
      why = _ ("this cannot be observed");
    else if (hl_observable_needs_energy (of))
      why = _ ("an energy that adds up over time cannot be exported yet; leave it out, or export a "
               "power and add it up outside");
    for (int k = 0; k < sys->n_probes && v->role == HL_FMU_OUTPUT; k++)
      if ((guint32)k == v->index)
        relative = sys->probes[k].relative;
  } else if (v->role == HL_FMU_INPUT) {
    input = find_input (sys, path);
    if (input < 0 || !hl_system_find_parameter (sys, path, &parameter))
      why = _ ("no signal is called so");
    else if (input + 1 < hl_system_n_inputs (sys) && sys->topology->input_order[input + 1] != 0)
      why =
          _ ("the signal of a driven joint cannot be an input yet, since its rate and acceleration "
             "are needed too; leave it inside");
  } else if ((v->role == HL_FMU_PARAMETER && !hl_system_find_parameter (sys, path, &parameter)) ||
             (v->role == HL_FMU_CALCULATED && !hl_system_find_derived (sys, path, &parameter)))
    why = _ ("changing this number needs a new export");
  if (why != NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, "%s: %s", path != NULL ? path : "?", why);
    return FALSE;
  }
  g_string_append_printf (out, "{%u, %d, %u, ", v->reference, (int)v->role, v->index);
  hl_fmu_write_text (out, v->name);
  g_string_append_printf (out, ", {%d, %d, %d, ", of.kind, of.index, of.part);
  hl_fmu_write_text (out, of.unit);
  g_string_append_printf (out, "}, %s, {%d, %d, %d}, %d, %s, ", relative ? "true" : "false",
                          parameter.table, parameter.index, parameter.field, input,
                          v->tunable ? "true" : "false");
  hl_fmu_write_number (out, v->least);
  g_string_append (out, ", ");
  hl_fmu_write_number (out, v->most);
  g_string_append (out, "},\n");
  return TRUE;
}

static gboolean
write_slots (GString *out, const HlFmuTable *table, const HlSystem *sys, GError **error)
{
  g_autofree const HlFmuVariable **sorted = g_new0 (const HlFmuVariable *, table->n + 1);

  for (gsize k = 0; k < table->n; k++)
    sorted[k] = &table->items[k];
  qsort (sorted, table->n, sizeof *sorted, by_reference);
  g_string_append_printf (out, "static const HlSlot hl_model_slots[%d] = {\n",
                          MAX ((int)table->n, 1));
  for (gsize k = 0; k < table->n; k++)
    if (!write_slot (out, sorted[k], sys, error))
      return FALSE;
  g_string_append_printf (out,
                          "};\n#define hl_model_n_slots %d\n#define hl_model_n_indicators %d\n",
                          (int)table->n, (int)table->n_indicators);
  return TRUE;
}

/* ---- the files ---- */

static char *
file_of_kind (const HlComponentClass *klass, const char *behind)
{
  return g_strdup_printf ("hl-%s%s", klass->kind.name, behind);
}

/* Whether the file is that of one kind of component, and which. */
static const HlComponentClass *
kind_of_file (const char *name)
{
  for (int k = 0; k < hl_n_components; k++) {
    g_autofree char *law = file_of_kind (hl_components[k], ".c");
    g_autofree char *help = file_of_kind (hl_components[k], "-help.c");
    if (strcmp (name, law) == 0 || strcmp (name, help) == 0)
      return hl_components[k];
  }
  return NULL;
}

static bool
is_used (const HlSystem *sys, const HlComponentClass *klass)
{
  for (int k = 0; k < sys->n_components; k++)
    if (sys->components[k].klass == klass)
      return true;
  return false;
}

static void
write_kinds (GHashTable *files, const HlSystem *sys)
{
  GString *out = g_string_new (HEAD "#include \"hl-component.h\"\n\n");
  GString *table = g_string_new ("static const HlComponentClass *const hl_components[] = {");
  int n = 0;

  for (int k = 0; k < hl_n_components; k++)
    if (is_used (sys, hl_components[k])) {
      g_autofree char *word = g_strdelimit (g_strdup (hl_components[k]->kind.name), "-", '_');
      g_string_append_printf (out, "static const HlComponentClass hl_%s_class;\n", word);
      g_string_append_printf (table, "&hl_%s_class, ", word);
      n++;
    }
  g_string_append_printf (out, "%sNULL};\nstatic const int hl_n_components = %d;\n", table->str, n);
  g_string_free (table, TRUE);
  put (files, "kinds.h", out);
}

static int
find_text (const char *name)
{
  for (int k = 0; k < hl_n_fmu_texts; k++)
    if (strcmp (hl_fmu_texts[k].name, name) == 0)
      return k;
  return -1;
}

/* What a text includes is wanted, and of a header the .c beside it. */
static bool
want_what_it_includes (const char *text, bool wanted[])
{
  static const char mark[] = "#include \"";
  bool any = false;

  for (const char *at = strstr (text, mark); at != NULL; at = strstr (at, mark)) {
    at += strlen (mark);
    g_autofree char *name = g_strndup (at, strcspn (at, "\""));
    g_autofree char *beside = g_strndup (name, strlen (name) - 1);
    g_autofree char *law = g_strconcat (beside, "c", NULL);
    const char *names[] = {name, law};
    for (int k = 0; k < 2; k++) {
      int found = find_text (names[k]);
      if (found >= 0 && !wanted[found])
        wanted[found] = any = true;
    }
  }
  return any;
}

/* Texts of another oil than the model's, or of a formulation that it has not. */
static bool
is_foreign (const HlFmuText *text, const HlSimForm *form)
{
  bool is_hybrid = form == &hl_sim_form_hybrid;

  if (strcmp (text->name, "hl-inside-discrete.c") == 0)
    return form != &hl_sim_form_discrete;
  if (strcmp (text->name, "hl-inside-modes.c") == 0)
    return !is_hybrid;
  return text->wing == 'h' ? !is_hybrid : text->wing == 'q' && (form == NULL || is_hybrid);
}

/* Files of kinds of components that the model has, everything else, and what these include. */
static bool *
choose_texts (const HlSystem *sys)
{
  bool *wanted = g_new0 (bool, hl_n_fmu_texts), again = true;

  for (int k = 0; k < hl_n_fmu_texts; k++) {
    const HlComponentClass *klass = kind_of_file (hl_fmu_texts[k].name);
    wanted[k] =
        g_str_has_suffix (hl_fmu_texts[k].name, ".h") || klass == NULL || is_used (sys, klass);
    if (is_foreign (&hl_fmu_texts[k], hl_fmu_form (sys)))
      wanted[k] = false;
  }
  while (again) {
    again = false;
    for (int k = 0; k < hl_n_fmu_texts; k++)
      if (wanted[k] && g_str_has_suffix (hl_fmu_texts[k].name, ".c"))
        again = want_what_it_includes (hl_fmu_texts[k].text, wanted) || again;
  }
  return wanted;
}

static void
write_all (GHashTable *files, const HlSystem *sys, const char *identifier)
{
  GString *out = g_string_new (HEAD);
  g_autofree bool *wanted = choose_texts (sys);
  static const char *const own[] = {"room",  "model", "event",  "derivative", "step",  "form",
                                    "modes", "fmi",   "values", "states",     "absent"};

  g_string_append_printf (
      out,
      "#ifndef FMI3_FUNCTION_PREFIX\n#define FMI3_FUNCTION_PREFIX %s_\n#endif\n"
      "#include \"fmi3Functions.h\"\n\n#include \"hl-inside-prelude.h\"\n"
      "#include \"kinds.h\"\n#include \"hl-blocks.c\"\n#include \"hl-loads.c\"\n",
      identifier);
  for (int k = 0; k < hl_n_fmu_texts; k++) {
    const char *name = hl_fmu_texts[k].name;
    if (!wanted[k])
      continue;
    put (files, name, g_string_new (hl_fmu_texts[k].text));
    if (g_str_has_suffix (name, ".c") && !g_str_has_prefix (name, "hl-inside-") &&
        strcmp (name, "hl-blocks.c") != 0 && strcmp (name, "hl-loads.c") != 0)
      g_string_append_printf (out, "#include \"%s\"\n", name);
  }
  g_string_append (out, "\n#include \"model.c\"\n");
  for (gsize k = 0; k < G_N_ELEMENTS (own); k++)
    if (strcmp (own[k], "modes") != 0 || hl_fmu_form (sys) == &hl_sim_form_hybrid)
      g_string_append_printf (out, "#include \"hl-inside-%s.c\"\n", own[k]);
  put (files, "all.c", out);
}

static gboolean
is_identifier (const char *text)
{
  if (text == NULL || !(g_ascii_isalpha (*text) || *text == '_'))
    return FALSE;
  for (; *text != '\0'; text++)
    if (!(g_ascii_isalnum (*text) || *text == '_'))
      return FALSE;
  return TRUE;
}

gboolean
hl_fmu_sources (const HlFmuTable *table,
                const HlSystem *sys,
                const HlPoint *start,
                const char *identifier,
                const char *token,
                GHashTable **files,
                GError **error)
{
  g_return_val_if_fail (is_identifier (identifier) && token != NULL, FALSE);

  GString *model = g_string_new (HEAD "#include \"hl-inside-model.h\"\n#include "
                                      "\"hl-radau-tableau.h\"\n\n#define HL_MODEL_TOKEN ");
  hl_fmu_write_text (model, token);
  g_string_append (model, "\n");
  hl_fmu_write_system (model, sys, start);
  const HlSimForm *form = hl_fmu_form (sys);
  if (form == &hl_sim_form_discrete)
    g_string_append (model, "#include \"hl-inside-discrete.c\"\n");
  if (form == &hl_sim_form_hybrid)
    g_string_append (model, "static const HlSimForm hl_inside_form_hybrid;\n");
  g_string_append_printf (model, "static const HlSimForm *const hl_model_form = %s;\n",
                          form == NULL                    ? "NULL"
                          : form == &hl_sim_form_discrete ? "&hl_inside_form_discrete"
                          : form == &hl_sim_form_hybrid   ? "&hl_inside_form_hybrid"
                                                          : "&hl_sim_form_relaxed");
  if (!write_slots (model, table, sys, error)) {
    g_string_free (model, TRUE);
    return FALSE;
  }
  *files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
  put (*files, "model.c", model);
  write_kinds (*files, sys);
  write_all (*files, sys, identifier);
  return TRUE;
}
