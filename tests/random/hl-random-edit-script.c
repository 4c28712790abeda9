/* SPDX-License-Identifier: MIT */
/* Numbers, drags, undo, redo, elements, copies, places on the sheet, parameter sets, oils and drives. Between two edits
 * there are no frames, one frame, or enough frames for the answers to all requests. An edit that leaves no system is
 * mostly taken back, as a person does. */
#include "tests/random/hl-random-edit-script.h"

#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/random/hl-random-model-all-classes.h"
#include "tests/random/hl-random-hydraulic-machine.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-model-slider.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"

#include <math.h>
#include <string.h>

#define MOST_SECONDS 0.1 /* of a run of the base: there are thousands of them */
#define MOST_STEPS 14

/* Those whose start takes a moment; drawn more often than the random machines, for their oil is trapped in more ways. */
static const char *const examples[] = {"accumulator-launch",
                                       "articulated-vehicle-tyre",
                                       "crane-counterbalance",
                                       "crank-rocker",
                                       "double-pilot-check",
                                       "excavator-arm",
                                       "four-bar",
                                       "hybrid-two-cylinders",
                                       "hydrostatic-wheel",
                                       "load-sensing-loader",
                                       "metering-arm",
                                       "position-servo",
                                       "press-cushions",
                                       "regenerative-extension",
                                       "scissor-lift-plunger",
                                       "slider-crank",
                                       "stick-slip",
                                       "two-arms-1",
                                       "watt-six-bar",
                                       "ackermann-steering"};

static HlDocument *load (const char *folder, const char *name) {
  g_autofree char *file = g_strconcat (name, ".hydrolink", NULL);
  g_autofree char *path = g_build_filename (g_getenv (folder), file, NULL);
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_load (path, &error);

  g_assert_no_error (error);
  return document;
}

static HlDocument *parse_drawn (json_t *drawn) {
  g_autofree char *text = json_dumps (drawn, JSON_REAL_PRECISION (17));

  json_decref (drawn);
  return hl_document_parse (text, strlen (text), "drawn", NULL);
}

static HlDocument *new_base (HlEditScript *self, guint32 seed, guint32 index) {
  int kind = g_rand_int_range (self->dice, 0, 10);

  if (kind < 2) {
    self->name = g_strdup ("tipping-trailer");
    return load ("HL_GOLDEN_DIR", "found/tipping-trailer");
  }
  if (kind < 6) {
    self->name = g_strdup (examples[g_rand_int_range (self->dice, 0, (gint32)G_N_ELEMENTS (examples))]);
    return load ("HL_EXAMPLES_DIR", self->name);
  }
  self->name = g_strdup (kind < 7 ? "machine" : kind < 8 ? "classes" : "oils");
  return parse_drawn (kind < 7   ? hl_draw_machine (seed, index)
                      : kind < 8 ? hl_draw_classes (seed, index)
                                 : hl_draw_oils (seed, index));
}

HlEditScript *hl_edit_script_new (guint32 seed, guint32 index) {
  HlEditScript *self = g_new0 (HlEditScript, 1);
  const guint32 numbers[] = {seed, index};
  double t_end = 1.0;

  self->dice = g_rand_new_with_seed_array (numbers, G_N_ELEMENTS (numbers));
  self->log = g_string_new (NULL);
  HlDocument *base = new_base (self, seed, index);
  if (base == NULL) {
    hl_edit_script_free (self);
    return NULL;
  }
  hl_document_get_number (base, "simulation.t_end", &t_end, NULL, NULL);
  self->base = hl_document_with_number (base, "simulation.t_end", fmin (t_end, MOST_SECONDS), NULL);
  hl_document_unref (base);
  return self;
}

void hl_edit_script_free (HlEditScript *self) {
  g_rand_free (self->dice);
  g_free (self->name);
  g_clear_pointer (&self->base, hl_document_unref);
  g_string_free (self->log, TRUE);
  g_free (self);
}

/* --- what there is to choose from --- */

static HlEditing *editing_of (HlEditScript *self) {
  return hl_workbench_editing (self->workbench);
}

static const HlDocument *document_of (HlEditScript *self) {
  return hl_editing_document (editing_of (self));
}

static int pick (HlEditScript *self, int n) {
  return g_rand_int_range (self->dice, 0, n);
}

static gboolean chance (HlEditScript *self, double part) {
  return g_rand_double (self->dice) < part;
}

static void frame (HlEditScript *self) {
  self->frame (self->frame_data);
}

/* Returns the id of a random element, borrowed; NULL: there is none. */
static const char *pick_id (HlEditScript *self) {
  const HlDocument *document = document_of (self);

  for (int tries = 0; tries < 20; tries++) {
    HlSection section = (HlSection)pick (self, HL_SECTION_PROBES);
    int n = hl_document_n_elements (document, section);
    if (n > 0)
      return hl_document_element_id (document, section, pick (self, n));
  }
  return NULL;
}

/* Returns the path of a number that is not a choice of the method, owned; NULL: none was found. */
static char *pick_path (HlEditScript *self, double *value) {
  g_auto (GStrv) paths = hl_document_list_paths (document_of (self), TRUE);
  int n = (int)g_strv_length (paths);

  for (int tries = 0; tries < 40 && n > 0; tries++) {
    const char *path = paths[pick (self, n)];
    if (!g_str_has_prefix (path, "simulation.") &&
        hl_document_get_number (document_of (self), path, value, NULL, NULL) && isfinite (*value))
      return g_strdup (path);
  }
  return NULL;
}

static double other_value (HlEditScript *self, double value) {
  if (value == 0)
    return g_rand_double_range (self->dice, -1, 1);
  return value * exp (g_rand_double_range (self->dice, -1, 1) * (chance (self, 0.3) ? 3 : 0.5));
}

static void commit (HlEditScript *self, HlDocument *document, const char *key) {
  if (document != NULL)
    hl_editing_commit (editing_of (self), document, "edit", key);
}

/* --- the edits --- */

static void set_number (HlEditScript *self) {
  double value;
  g_autofree char *path = pick_path (self, &value);

  if (path != NULL)
    hl_editing_set_numbers (editing_of (self), (const char *const[]){path, NULL}, other_value (self, value),
                            NULL, NULL);
}

/* Changes a number and restores it, as a user tries something. */
static void set_and_set_back (HlEditScript *self) {
  double value;
  g_autofree char *path = pick_path (self, &value);

  if (path == NULL)
    return;
  const char *paths[] = {path, NULL};
  if (!hl_editing_set_numbers (editing_of (self), paths, other_value (self, value), NULL, NULL))
    return;
  frame (self);
  hl_editing_set_numbers (editing_of (self), paths, value, NULL, NULL);
}

static void drag_model_slider (HlEditScript *self) {
  HlEditing *editing = editing_of (self);
  g_autoptr (GPtrArray) model_sliders = hl_model_sliders_of_document (document_of (self));
  g_auto (GStrv) paths = NULL;
  double value;

  if (model_sliders->len > 0 && chance (self, 0.7)) {
    const HlModelSlider *model_slider = model_sliders->pdata[pick (self, (int)model_sliders->len)];
    paths = g_strdupv (model_slider->paths);
    value = hl_model_slider_value (model_slider, document_of (self));
  } else {
    g_autofree char *path = pick_path (self, &value);
    if (path == NULL)
      return;
    paths = g_strsplit (path, "\n", -1);
  }
  double to = other_value (self, value);
  int n = 2 + pick (self, 5);
  for (int k = 1; k <= n; k++) {
    hl_editing_set_numbers (editing, (const char *const *)paths, value + (to - value) * k / n, "drag", NULL);
    if (chance (self, 0.8))
      frame (self);
  }
  if (chance (self, 0.3))
    hl_editing_set_numbers (editing, (const char *const *)paths, value, "drag", NULL);
  if (chance (self, 0.15)) /* Ctrl+Z with the button down */
    hl_editing_undo (editing);
  hl_editing_end_gesture (editing);
}

static void drag_body (HlEditScript *self) {
  int n = hl_document_n_elements (document_of (self), HL_SECTION_BODIES);
  static const char *const fields[] = {"x", "y", "angle"};

  if (n == 0)
    return;
  g_autofree char *path = g_strdup_printf (
      "%s.%s", hl_document_element_id (document_of (self), HL_SECTION_BODIES, pick (self, n)),
      fields[pick (self, 3)]);
  double from = 0, by = g_rand_double_range (self->dice, -0.05, 0.05);
  hl_document_get_number (document_of (self), path, &from, NULL, NULL);
  for (int k = 1; k <= 3; k++) {
    commit (self, hl_document_with_number (document_of (self), path, from + by * k / 3, NULL), "move");
    frame (self);
  }
  hl_editing_end_gesture (editing_of (self));
}

static void move_symbol (HlEditScript *self) {
  const char *id = pick_id (self);
  const double at[] = {2.0 * pick (self, 20), 2.0 * pick (self, 20)};

  if (id == NULL)
    return;
  HlValue *numbers = hl_value_new_numbers (at, 2);
  HlValue *place = hl_value_new_object_take ((const char *const[]){"at"}, &numbers, 1);
  commit (self, hl_edit_set_layout (document_of (self), "circuit", id, place, NULL), NULL);
}

static void paste (HlEditScript *self) {
  const char *ids[] = {pick_id (self), pick_id (self), pick_id (self), NULL};

  if (ids[0] == NULL || ids[1] == NULL || ids[2] == NULL)
    return;
  HlValue *fragment = hl_edit_copy (document_of (self), ids);
  commit (self, hl_edit_paste (document_of (self), fragment, NULL, NULL), NULL);
  hl_value_unref (fragment);
}

static void remove_one (HlEditScript *self) {
  const char *ids[] = {pick_id (self), NULL};

  if (ids[0] != NULL)
    commit (self, hl_edit_remove (document_of (self), ids, NULL), NULL);
}

static void rename_one (HlEditScript *self) {
  const char *id = pick_id (self);

  if (id == NULL)
    return;
  g_autofree char *name = hl_edit_fresh_id (document_of (self), "other");
  commit (self, hl_edit_rename (document_of (self), id, name, NULL), NULL);
}

static void add_volume (HlEditScript *self) {
  HlDocument *document = hl_edit_add (document_of (self), HL_SECTION_COMPONENTS, "tank", NULL, NULL, NULL);
  commit (self, document, NULL);
}

static void toggle_hold (HlEditScript *self) {
  double value;
  g_autofree char *path = pick_path (self, &value);

  for (int tries = 0; tries < 20 && path != NULL && !hl_edit_can_hold (document_of (self), path); tries++) {
    g_free (path);
    path = pick_path (self, &value);
  }
  if (path != NULL && hl_edit_can_hold (document_of (self), path))
    commit (self, hl_edit_toggle_hold (document_of (self), path, NULL), NULL);
}

static void change_oil (HlEditScript *self) {
  static const char *const oils[] = {"lumped", "hybrid", "quasistatic"};

  commit (self, hl_edit_set_oil (document_of (self), oils[pick (self, 3)], NULL), NULL);
  if (chance (self, 0.5)) { /* quasistatic oil finds another rest than the others */
    HlValue *start = hl_value_new_string (chance (self, 0.5) ? "equilibrium" : "as-given");
    commit (self, hl_edit_set (document_of (self), "simulation", "start", start, NULL), NULL);
  }
}

static void use_set (HlEditScript *self) {
  const HlDocument *document = document_of (self);
  int n = hl_document_n_sets (document);

  if (n > 0 && chance (self, 0.7))
    hl_editing_apply_set (editing_of (self), hl_document_set_name (document, pick (self, n)), NULL);
  else
    hl_editing_save_set (editing_of (self), "mine", NULL);
}

static void step_through_history (HlEditScript *self) {
  HlEditing *editing = editing_of (self);
  int n = 1 + pick (self, 4);

  for (int k = 0; k < n; k++) {
    if (chance (self, 0.55))
      hl_editing_undo (editing);
    else
      hl_editing_redo (editing);
    if (chance (self, 0.5))
      frame (self);
  }
  if (chance (self, 0.2))
    hl_editing_go_to_step (editing, pick (self, hl_editing_n_steps (editing)));
}

static void drive (HlEditScript *self) {
  HlManualRun *driving = hl_workbench_manual_run (self->workbench);

  self->has_driven = TRUE;
  hl_manual_run_set_speed (driving, 0.5);
  hl_manual_run_begin (driving);
  for (int k = 0; k < 4; k++) {
    const GPtrArray *levers = hl_manual_run_levers (driving); /* others with every edit */
    if (levers->len > 0) {
      const HlLever *lever = levers->pdata[0];
      hl_manual_run_move_lever (driving, 0, lever->from + (lever->to - lever->from) * 0.25 * k);
    }
    frame (self);
    if (k == 1)
      set_number (self);
  }
  hl_runs_stop (hl_workbench_runs (self->workbench));
}

static void choose_model_slider (HlEditScript *self) {
  HlLocusStudy *locus = hl_workbench_locus (self->workbench);
  guint n = hl_locus_study_model_sliders (locus)->len;

  if (n > 0)
    hl_locus_study_set_model_slider (locus, pick (self, (int)n));
}

/* `weight`: how often it is done, of all of them. */
static const struct {
  const char *name;
  void (*edit) (HlEditScript *self);
  int weight;
} edits[] = {{"number", set_number, 6},
             {"number-back", set_and_set_back, 6},
             {"drag", drag_model_slider, 6},
             {"body", drag_body, 3},
             {"symbol", move_symbol, 2},
             {"paste", paste, 2},
             {"remove", remove_one, 2},
             {"rename", rename_one, 1},
             {"add", add_volume, 1},
             {"hold", toggle_hold, 1},
             {"oil", change_oil, 1},
             {"set", use_set, 3},
             {"history", step_through_history, 6},
             {"drive", drive, 1},
             {"knob", choose_model_slider, 1}};

static void do_one (HlEditScript *self) {
  int sum = 0, at;

  for (gsize k = 0; k < G_N_ELEMENTS (edits); k++)
    sum += edits[k].weight;
  int drawn = pick (self, sum);
  for (at = 0; drawn >= edits[at].weight; at++)
    drawn -= edits[at].weight;
  g_string_append_printf (self->log, " %s", edits[at].name);
  edits[at].edit (self);
}

void hl_edit_script_play (HlEditScript *self) {
  HlEditing *editing = editing_of (self);
  int n = 3 + pick (self, MOST_STEPS - 2);

  hl_editing_set_document (editing, hl_document_ref (self->base));
  frame (self);
  for (int step = 0; step < n; step++) {
    do_one (self);
    int n_frames = pick (self, 3);
    for (int k = 0; k < n_frames; k++)
      frame (self);
    if (n_frames > 0 && !hl_editing_has_system (editing) && chance (self, 0.8)) {
      g_string_append (self->log, " (undone)");
      hl_editing_undo (editing);
    }
  }
}
