/* SPDX-License-Identifier: MIT */
/* Document, file and history. An edit only commits a snapshot and marks the results that are out of date,
 * which are computed again in the next frame. */
#include "ui/workbench/hl-document-editing.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-file-reference.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-property-label.h"
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-document-difference.h"
#include "core/edit/hl-edit.h"
#include "core/edit/hl-undo-history.h"
#include "core/io/hl-json-text.h"
#include "core/oil/hl-run-failure.h"
#include "core/system/hl-observable.h"
#include "ui/workbench/hl-workbench-private.h"
#include "ui/workbench/hl-workbench-hub.h"
#include "ui/workbench/hl-model-slider.h"
#include "ui/edit/linkage/hl-linkage-geometry.h"

#include <math.h>

struct _HlEditing {
  HlHub *hub;

  HlHistory *history;
  char *path;
  char *title;
  char *lost_path, *lost_text; /* the last formula that a gesture replaced; NULL: none */

  /* results derived from the document */
  HlStale stale;
  gint64 edited_us;    /* first change since the last request, 0 = none */
  gboolean in_gesture; /* numbers changed by a drag that has not ended */
  HlFindings *findings;
  GPtrArray *doubts;        /* those of the findings that a start state or a run gave; borrowed */
  HlFinding *point_failure; /* the finding that says why there is no start state; borrowed, NULL: none */
  HlFinding *run_failure;   /* likewise of the run */
  HlSystem *system;         /* NULL: the findings say why */
  HlRecording *recording;   /* of runs of the system, re-parameterised or not; NULL: none yet */
  HlDocument *compiled;     /* document of the system and the findings; NULL: none yet */
  HlWorkingPoint *point;
  HlDocument *solved;  /* document of the working point; NULL: none yet */
  gboolean tuned;      /* numbers changed that a drive followed: the working point is due */
  gboolean settle_due; /* such a drive has ended: all that follows from the document is due */
  /* of a large model, in the worker */
  HlStale solving; /* the values of the newest request that are still missing */
  gboolean solve_compiles;
  guint solve_serial;     /* of the newest request */
  gboolean run_due;       /* with the answer */
  const char *aside;      /* name of a document requested in addition to this one; NULL: none */
  double solve_seconds;   /* processor time of the last one; 0: none yet */
  char *freedom;          /* degrees of freedom in words; NULL: not counted yet */
  HlDocument *freedom_of; /* of whose linkage */
  const char *set;        /* parameter set whose numbers the document has; borrowed from `set_of`, or NULL */
  HlDocument *set_of;     /* computed once a frame; NULL: not yet */
};

/* Results of the document for all readers, and the warnings and errors of a start state or a run, which are
 * listed with the findings of the model. */

HlStale hl_editing_stale (HlEditing *self) {
  return self->stale;
}

HlStale hl_editing_solving (HlEditing *self) {
  return self->solving;
}

gboolean hl_editing_is_compiling (HlEditing *self) {
  return self->solve_compiles;
}

gboolean hl_editing_is_run_due (HlEditing *self) {
  return self->run_due || self->aside != NULL;
}

gboolean hl_editing_is_in_gesture (HlEditing *self) {
  return self->in_gesture;
}

HlSystem *hl_editing_system (HlEditing *self) {
  return self->system;
}

HlRecording *hl_editing_recording (HlEditing *self) {
  if (self->recording == NULL)
    self->recording = hl_recording_new (self->compiled, self->system, HL_RECORD_ALL, NULL, NULL);
  /* a drag may move a number that a probe shows */
  HlRecording *recording = hl_recording_of_numbers (self->recording, self->solved);
  hl_recording_unref (self->recording);
  self->recording = recording;
  return recording;
}

const HlDocument *hl_editing_solved (HlEditing *self) {
  return self->solved;
}

gint64 hl_editing_take_edited_us (HlEditing *self) {
  gint64 edited_us = self->edited_us;

  self->edited_us = 0;
  return edited_us;
}

const HlFindings *hl_editing_findings (HlEditing *self) {
  return self->findings;
}

gboolean hl_editing_has_system (HlEditing *self) {
  return self->system != NULL;
}

gboolean hl_editing_can_record (HlEditing *self, const char *path) {
  HlObservable observable;
  return self->system != NULL && hl_observable_find (self->system, path, &observable);
}

const HlWorkingPoint *hl_editing_point (HlEditing *self) {
  return self->point;
}

/* --- findings of a start state or a run: lines whose oil would be under tension, and failures --- */

static void forget_doubts (HlEditing *self) {
  if (self->doubts == NULL || self->doubts->len == 0)
    return;
  for (guint i = 0; i < self->doubts->len; i++)
    hl_findings_remove (self->findings, self->doubts->pdata[i]);
  g_ptr_array_set_size (self->doubts, 0);
  hl_hub_note (self->hub, HL_CHANGED_FINDINGS);
}

/* Reports that the run continued with compressible lines, unlike an incompressible model. */
static void report_soft (HlEditing *self, const HlSystem *system,
                         const HlCompressibleLines *compressible_lines) {
  g_autofree char *what = hl_compressible_lines_text (system, compressible_lines);

  if (what == NULL)
    return;
  const char *id = hl_system_entity_id (system, HL_ENTITY_LINE, compressible_lines->line);
  HlFinding *finding = hl_findings_add (self->findings, HL_SEVERITY_WARNING, id, id, NULL, "%s", what);
  hl_finding_offer_lumped (finding);
  g_ptr_array_add (self->doubts, finding);
  hl_hub_note (self->hub, HL_CHANGED_FINDINGS);
}

void hl_editing_report_doubts (HlEditing *self, const HlSystem *system, const HlCavitations *cavitations,
                               const HlCompressibleLines *compressible_lines) {
  forget_doubts (self);
  if (compressible_lines != NULL)
    report_soft (self, system, compressible_lines);
  for (int k = 0; k < hl_cavitations_n (cavitations); k++) {
    const HlCavitation *one = hl_cavitations_get (cavitations, k);
    const char *id = hl_system_entity_id (system, HL_ENTITY_LINE, one->line);
    g_autofree char *what = hl_cavitation_what (system, one);
    HlFinding *finding = hl_findings_add (self->findings, HL_SEVERITY_WARNING, id, id,
                                          hl_cavitation_advice (system, one), "%s", what);
    if (one->kind == HL_DOUBT_BURSTS)
      hl_finding_set_fix (finding, HL_FIX_RELIEVE, _ ("Add a relief valve with a tank"), id, NULL, 0);
    g_ptr_array_add (self->doubts, finding);
    hl_hub_note (self->hub, HL_CHANGED_FINDINGS);
  }
}

/* Warnings of lines that cavitate in the start state. */
static void doubt_point (HlEditing *self) {
  g_autoptr (HlCavitations) cavitations = hl_working_point_cavitations (self->point);

  forget_doubts (self);
  if (cavitations != NULL)
    hl_editing_report_doubts (self, self->point->system, cavitations, NULL);
}

guint hl_editing_n_doubts (HlEditing *self) {
  return self->doubts->len;
}

void hl_editing_add_failure (HlEditing *self, const HlFinding *failure) {
  hl_editing_forget_run_failure (self);
  const HlFinding *known = hl_findings_first_error (self->findings);

  if (known != NULL && known->bars != HL_BARS_ALL)
    return; /* the finding that the oil model cannot run it is there already */
  HlFinding *finding = hl_findings_add (self->findings, HL_SEVERITY_ERROR, failure->id, failure->path, NULL,
                                        "%s", failure->message);
  self->run_failure = finding;
  const HlFix *fix = &failure->fix;
  if (fix->json != NULL)
    hl_finding_set_place_fix (finding, fix->label, fix->path, hl_value_ref (fix->json));
  else if (fix->type != HL_FIX_NONE)
    hl_finding_set_fix (finding, fix->type, fix->label, fix->path, fix->target, fix->value);
  hl_hub_note (self->hub, HL_CHANGED_FINDINGS);
}

/* Notes a lost formula at a path (taken); NULL: nothing was lost so far. */
static void note_lost (HlEditing *self, char *path, const char *formula) {
  g_free (self->lost_path);
  g_free (self->lost_text);
  self->lost_path = path;
  self->lost_text =
      path != NULL ? g_strdup_printf (_ ("The formula ‘%s’ of %s was replaced by a number; Undo restores it"),
                                      formula, path)
                   : NULL;
}

const char *hl_editing_lost_formula (HlEditing *self) {
  return self->lost_path != NULL && hl_document_typed (hl_editing_document (self), self->lost_path) == NULL
             ? self->lost_text
             : NULL;
}

/* Updates everything that follows from the document, once a frame: the compiled system (or a re-parameterised
 * copy) and the start state with its eigenvalues are computed in the frame itself if that is short, as for
 * most models, else in a worker; the run and the locus always in workers.
 *
 * While the worker computes, the document is newer than the system, the findings and the working point. The
 * old ones are kept as long as the document has the same elements; otherwise they are dropped until the
 * result arrives, so that indices always refer to the same elements. */

#define MOST_SECONDS 0.03 /* of processor time that it took the last time */

/* Marks all results as out of date, because the document was replaced. */
static void invalidate (HlEditing *self, HlStale stale) {
  self->stale = MAX (self->stale, stale);
  hl_hub_wake (self->hub, 0);
}

/* --- system --- */

/* Replaces the system by one with new parameter values; returns FALSE when the paths need a new compile.
 */
static gboolean reparameterise (HlEditing *self, const char *const *paths, double value) {
  HlParameter parameter;

  if (self->system == NULL || self->stale == HL_STALE_SYSTEM || self->solve_compiles)
    return FALSE;
  for (const char *const *path = paths; *path != NULL; path++)
    if (!hl_system_find_parameter (self->system, *path, &parameter))
      return FALSE;
  hl_hub_notify_numbers (self->hub, paths);

  HlSystem *system = hl_system_copy (self->system);
  for (const char *const *path = paths; *path != NULL; path++)
    if (hl_system_find_parameter (system, *path, &parameter))
      hl_system_set_parameter (system, parameter, value);
  if (hl_system_check_numbers (system, NULL) != HL_OK) {
    hl_system_unref (system);
    return FALSE;
  }
  hl_system_unref (self->system);
  self->system = system;
  return TRUE;
}

/* Returns whether compiling and finding the working point would hold up the window's thread. */
static gboolean is_long (HlEditing *self) {
  return hl_is_large (hl_editing_document (self)) || self->solve_seconds > MOST_SECONDS;
}

/* Takes the text. */
static void set_freedom (HlEditing *self, const HlDocument *document, char *text) {
  g_clear_pointer (&self->freedom_of, hl_document_unref);
  g_free (self->freedom);
  self->freedom = text;
  self->freedom_of = document != NULL ? hl_document_ref (document) : NULL;
}

static gboolean same_linkage (const HlDocument *a, const HlDocument *b) {
  static const char *const keys[] = {"ground", "bodies", "joints"};

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (hl_value_member (hl_document_root (a), keys[i]) != hl_value_member (hl_document_root (b), keys[i]))
      return FALSE;
  return TRUE;
}

const char *hl_editing_freedom_text (HlEditing *self) {
  const HlDocument *document = hl_editing_document (self);

  if (self->freedom == NULL || !same_linkage (self->freedom_of, document)) {
    if (is_long (self))
      return ""; /* the worker brings them */
    g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
    set_freedom (self, document, plan->n_bodies > 0 ? hl_linkage_plan_freedom_text (plan) : g_strdup (""));
  }
  return self->freedom;
}

static void forget_findings (HlEditing *self) {
  g_clear_pointer (&self->findings, hl_findings_free);
  g_ptr_array_set_size (self->doubts, 0);
  self->point_failure = self->run_failure = NULL;
}

/* Takes what the post holds. */
static void set_system (HlEditing *self, HlSolvePost *post) {
  g_clear_pointer (&self->system, hl_system_unref);
  g_clear_pointer (&self->recording, hl_recording_unref);
  forget_findings (self);
  g_clear_pointer (&self->compiled, hl_document_unref);
  self->system = g_steal_pointer (&post->system);
  self->recording = g_steal_pointer (&post->recording);
  self->findings = g_steal_pointer (&post->findings);
  self->compiled = hl_document_ref (post->document);
  if (post->freedom != NULL)
    set_freedom (self, post->document, g_steal_pointer (&post->freedom));
  hl_hub_notify_numbers (self->hub, NULL);
  hl_hub_notify_system (self->hub);
  hl_manual_run_follow_system (hl_hub_manual_run (self->hub));
  hl_hub_note (self->hub, HL_CHANGED_FINDINGS);
}

/* --- start state and eigenvalues --- */

static void note_failure (HlEditing *self) {
  const HlWorkingPoint *at = self->point;
  if (at == NULL || at->message == NULL)
    return;
  HlFinding *finding = hl_findings_add (self->findings, HL_SEVERITY_ERROR, at->entity_id, at->entity_id, NULL,
                                        "%s", at->message);
  self->point_failure = finding;
  const char *start = hl_document_object_text (hl_editing_document (self), HL_SECTION_SIMULATION, "start");
  if (g_strcmp0 (start, "as-given") != 0)
    hl_finding_set_place_fix (finding, _ ("Start the run from the values of the file"), "simulation.start",
                              hl_value_new_string ("as-given"));
  hl_hub_note (self->hub, HL_CHANGED_FINDINGS);
}

static gboolean forget_old_failure (HlEditing *self) {
  /* Findings of the start state stand last in the list; a new list comes with the next compile, so while a
   * slider is dragged the next compile removes a failure that no longer exists. */
  return self->point != NULL && self->point->message != NULL;
}

static void drop_finding (HlEditing *self, HlFinding **finding) {
  if (*finding == NULL)
    return;
  hl_findings_remove (self->findings, *finding);
  *finding = NULL;
  hl_hub_note (self->hub, HL_CHANGED_FINDINGS);
}

void hl_editing_forget_run_failure (HlEditing *self) {
  drop_finding (self, &self->run_failure);
}

/* Reports the doubts of the displayed run, if it is a run of this document, otherwise of the start state. */
static void report_doubts (HlEditing *self) {
  if (!hl_runs_report_doubts (hl_hub_runs (self->hub)))
    doubt_point (self);
}

static void set_point (HlEditing *self, HlSolvePost *post) {
  HlWorkingPoint *before = self->point;

  self->point = g_steal_pointer (&post->point);
  g_clear_pointer (&self->solved, hl_document_unref);
  self->solved = hl_document_ref (post->document);
  hl_hub_notify_point (self->hub, before != NULL ? before->linearization : NULL,
                       self->point != NULL ? self->point->linearization : NULL);
  hl_working_point_free (before);
  hl_hub_note (self->hub, HL_CHANGED_POINT);
  report_doubts (self);
  /* they may quote numbers that have changed since */
  drop_finding (self, &self->point_failure);
  if (self->point != NULL && self->point->message != NULL)
    hl_editing_forget_run_failure (self);
  note_failure (self);
}

/* --- at once, or in the worker --- */

/* Returns whether both documents have the same elements at the same places. */
static gboolean same_elements (const HlDocument *a, const HlDocument *b) {
  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++) {
    int n = hl_document_n_elements (a, section);
    if (n != hl_document_n_elements (b, section))
      return FALSE;
    for (int k = 0; k < n; k++)
      if (hl_document_element (a, section, k) != hl_document_element (b, section, k) &&
          (g_strcmp0 (hl_document_element_id (a, section, k), hl_document_element_id (b, section, k)) != 0 ||
           g_strcmp0 (hl_document_element_kind_name (a, section, k),
                      hl_document_element_kind_name (b, section, k)) != 0))
        return FALSE;
  }
  return TRUE;
}

/* Clears the data that belong to the elements of the present system. The levers stay: they are found by their
 * paths, and the next ones inherit their ranges. */
static void forget_system (HlEditing *self) {
  g_clear_pointer (&self->system, hl_system_unref);
  g_clear_pointer (&self->recording, hl_recording_unref);
  g_clear_pointer (&self->compiled, hl_document_unref);
  g_clear_pointer (&self->point, hl_working_point_free);
  forget_findings (self);
  self->findings = hl_findings_new ();
  hl_hub_notify_point (self->hub, NULL, NULL);
  hl_hub_notify_system (self->hub);
  hl_hub_note (self->hub, HL_CHANGED_FINDINGS | HL_CHANGED_POINT);
}

/* Discards the pending results of the worker. */
static void forget_solving (HlEditing *self) {
  self->solving = HL_STALE_NOTHING;
  self->solve_compiles = self->run_due = FALSE;
  self->aside = NULL;
}

/* Stores the answer to the newest request, unless a later change has made it useless. */
static void set_answer (HlEditing *self, HlSolvePost *post, HlStale level, gboolean runs) {
  gboolean has_findings = post->findings != NULL;

  self->solve_seconds = has_findings ? post->seconds : fmax (post->seconds, self->solve_seconds);
  if (has_findings)
    set_system (self, post);
  if (level == HL_STALE_FINDINGS) {
    note_failure (self);
    report_doubts (self);
    hl_runs_report_failure (hl_hub_runs (self->hub));
    return;
  }
  set_point (self, post);
  hl_hub_notify_stale (self->hub);
  if (!runs)
    return;
  if (self->system == NULL) {
    hl_runner_stop (hl_hub_runner (self->hub));
    hl_runs_drop_requested (hl_hub_runs (self->hub));
  }
  hl_runs_request (hl_hub_runs (self->hub), (HlRunQuality)GPOINTER_TO_UINT (post->tag));
}

static void set_old_answer (HlEditing *self, HlSolvePost *post) {
  const char *name = g_steal_pointer (&self->aside);

  hl_runs_take_aside (hl_hub_runs (self->hub), name, post);
}

void hl_editing_take_solved (HlEditing *self, HlSolvePost *post) {
  HlStale level = self->solving;

  if (self->aside != NULL && post->base.serial == self->solve_serial) {
    set_old_answer (self, post);
    return;
  }
  if (post->base.serial == self->solve_serial && level != HL_STALE_NOTHING &&
      self->stale == HL_STALE_NOTHING && !self->tuned) {
    gboolean runs = self->run_due;
    forget_solving (self);
    set_answer (self, post, level, runs);
  } else if (self->in_gesture && self->run_due && !self->solve_compiles && post->findings == NULL &&
             post->point != NULL) {
    /* the drag continues; the result of an earlier position is shown meanwhile */
    set_point (self, post);
    hl_runs_request (hl_hub_runs (self->hub), (HlRunQuality)GPOINTER_TO_UINT (post->tag));
  }
}

/* Requests a solution. `stale`: the data that must be updated since the last request, including those that
 * request did not deliver. */
static void request_solve (HlEditing *self, HlStale stale, gboolean runs) {
  HlStale level = MAX (stale, self->solving);
  gboolean compiles =
      stale != HL_STALE_NUMBERS || self->solve_compiles ||
      (!hl_manual_run_is_under_way (hl_hub_manual_run (self->hub)) && forget_old_failure (self));
  HlRunQuality quality =
      self->in_gesture ? hl_runs_quality_of_drag (hl_hub_runs (self->hub)) : HL_RUN_AS_STATED;
  HlSolveRequest request = {.document = (HlDocument *)hl_editing_document (self),
                            .system = compiles ? NULL : self->system,
                            .wants_point = level > HL_STALE_FINDINGS,
                            .tag = GUINT_TO_POINTER (quality)};

  runs = runs || self->run_due;
  if (compiles && self->compiled != NULL && is_long (self) &&
      !same_elements (self->compiled, request.document))
    forget_system (self);
  if (is_long (self)) {
    self->solve_serial = hl_runner_solve (hl_hub_runner (self->hub), &request, compiles);
    self->solving = level;
    self->solve_compiles = compiles;
    self->run_due = runs;
    if (!compiles) /* the system is known already */
      hl_hub_notify_stale (self->hub);
    self->aside = NULL;
    return;
  }
  if (self->solving != HL_STALE_NOTHING || self->aside != NULL)
    hl_runner_forget_solving (hl_hub_runner (self->hub));
  forget_solving (self);
  HlSolvePost *post = hl_solve (&request);
  set_answer (self, post, level, runs);
  post->base.free (&post->base);
}

void hl_editing_solve_aside (HlEditing *self, const HlDocument *document, const char *name) {
  HlSolveRequest request = {.document = (HlDocument *)document, .wants_point = TRUE};

  self->aside = name;
  if (is_long (self)) {
    self->solve_serial = hl_runner_solve (hl_hub_runner (self->hub), &request, FALSE);
    return;
  }
  HlSolvePost *post = hl_solve (&request);
  set_old_answer (self, post);
  post->base.free (&post->base);
}

/* --- functions for the hub and the other objects --- */

void hl_editing_frame (HlEditing *self) {
  HlStale stale = self->stale;

  self->stale = HL_STALE_NOTHING;
  if (stale != HL_STALE_NOTHING)
    request_solve (self, stale, stale > HL_STALE_FINDINGS);
  if (self->tuned) {
    self->tuned = FALSE;
    request_solve (self, HL_STALE_NUMBERS, FALSE);
  }
  if (self->settle_due) {
    self->settle_due = FALSE;
    request_solve (self, HL_STALE_SYSTEM, FALSE);
  }
}

void hl_editing_settle (HlEditing *self) {
  self->settle_due = TRUE;
  hl_hub_wake (self->hub, 0);
}

void hl_editing_solve_anew (HlEditing *self) {
  self->in_gesture = FALSE;
  invalidate (self, HL_STALE_SYSTEM);
}

void hl_editing_give_up_run (HlEditing *self) {
  self->run_due = FALSE;
  if (self->aside != NULL)
    forget_solving (self);
}

void hl_editing_forget_results (HlEditing *self) {
  hl_runner_forget_solving (hl_hub_runner (self->hub));
  forget_solving (self);
  self->solve_seconds = 0;
  g_clear_pointer (&self->point, hl_working_point_free);
}

void hl_editing_tune (HlEditing *self, HlSystem *system) {
  hl_system_unref (self->system);
  self->system = system;
  self->tuned = TRUE;
}

static void solve_free (HlEditing *self) {
  set_freedom (self, NULL, NULL);
  g_clear_pointer (&self->compiled, hl_document_unref);
  g_clear_pointer (&self->solved, hl_document_unref);
  g_clear_pointer (&self->system, hl_system_unref);
  g_clear_pointer (&self->recording, hl_recording_unref);
  g_clear_pointer (&self->point, hl_working_point_free);
  g_clear_pointer (&self->findings, hl_findings_free);
  g_clear_pointer (&self->doubts, g_ptr_array_unref);
}

HlEditing *hl_editing_new (HlHub *hub) {
  HlEditing *self = g_new0 (HlEditing, 1);
  g_autoptr (HlDocument) empty = hl_document_new_empty ();

  self->hub = hub;
  self->history = hl_history_new (empty);
  self->findings = hl_findings_new ();
  self->doubts = g_ptr_array_new ();
  return self;
}

void hl_editing_free (HlEditing *self) {
  solve_free (self);
  g_clear_pointer (&self->set_of, hl_document_unref);
  hl_history_free (self->history);
  g_free (self->path);
  g_free (self->title);
  g_free (self->lost_path);
  g_free (self->lost_text);
  g_free (self);
}

/* --- what is due after an edit --- */

/* Returns whether two documents have the same settings of runs, sliders and root loci. */
static gboolean same_questions (const HlDocument *a, const HlDocument *b) {
  static const char *const keys[] = {"probes", "sliders", "parameter_sets"};

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++) {
    const HlValue *x = hl_value_member (hl_document_root (a), keys[i]);
    const HlValue *y = hl_value_member (hl_document_root (b), keys[i]);
    if (x != y && (x == NULL || y == NULL || !hl_value_equal (x, y)))
      return FALSE;
  }
  return TRUE;
}

/* Marks the results that differ from those of the previous document as out of date. */
static void invalidate_after (HlEditing *self, const HlDocument *before) {
  const HlDocument *now = hl_editing_document (self);
  gboolean picture_only = self->stale <= HL_STALE_FINDINGS && self->solving <= HL_STALE_FINDINGS &&
                          !self->in_gesture && self->point != NULL && hl_document_same_model (before, now) &&
                          same_questions (before, now) && hl_runs_is_recorded (hl_hub_runs (self->hub));

  /* a drive continues as long as it can; a trace that it does not record waits for the next run */
  if (!picture_only && hl_manual_run_is_under_way (hl_hub_manual_run (self->hub)) &&
      self->stale <= HL_STALE_FINDINGS)
    picture_only =
        hl_document_same_model (before, now) || hl_manual_run_tune (hl_hub_manual_run (self->hub), before);
  invalidate (self, picture_only ? HL_STALE_FINDINGS : HL_STALE_SYSTEM);
}

static void commit (HlEditing *self, HlDocument *document, const char *step, const char *key);

/* --- the file --- */

static void set_path (HlEditing *self, const char *path) {
  g_autofree char *kept = g_strdup (path);

  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->title, g_free);
  if (kept != NULL)
    self->title = g_path_get_basename (kept);
  self->path = g_steal_pointer (&kept);
}

static void replace_document (HlEditing *self, HlDocument *document, const char *path) {
  hl_history_free (self->history);
  self->history = hl_history_new (document);
  set_path (self, path);
  note_lost (self, NULL, NULL);
  hl_hub_start_over (self->hub);
  invalidate (self, HL_STALE_SYSTEM);
  hl_hub_announce (self->hub, HL_CHANGED_EVERYTHING & ~(guint)HL_CHANGED_LOCUS);
  hl_hub_notify_document (self->hub);
}

gboolean hl_editing_load (HlEditing *self, const char *path, GError **error) {
  g_autoptr (HlDocument) document = hl_document_load (path, error);
  if (document == NULL)
    return FALSE;
  replace_document (self, document, path);
  return TRUE;
}

void hl_editing_open (HlEditing *self, HlDocument *document, const char *path) {
  replace_document (self, document, path);
  hl_document_unref (document);
}

void hl_editing_set_document (HlEditing *self, HlDocument *document) {
  hl_editing_open (self, document, NULL);
}

gboolean hl_editing_reload (HlEditing *self, GError **error) {
  HlDocument *document = hl_document_load (self->path, error);

  if (document == NULL)
    return FALSE;
  commit (self, document, _ ("Reload the file"), NULL);
  hl_history_mark_clean (self->history);
  hl_hub_announce (self->hub, HL_CHANGED_FILE);
  return TRUE;
}

void hl_editing_restore (HlEditing *self, HlDocument *document, const char *path) {
  g_autoptr (HlDocument) base = path != NULL ? hl_document_load (path, NULL) : NULL;

  if (base == NULL)
    base = hl_document_new_empty ();
  replace_document (self, base, path);
  commit (self, document, _ ("Restore unsaved changes"), NULL);
}

gboolean hl_editing_save (HlEditing *self, const char *path, GError **error) {
  g_autoptr (HlDocument) moved = hl_file_references_moved (hl_editing_document (self), self->path, path);

  if (!hl_document_save (moved != NULL ? moved : hl_editing_document (self), path, error))
    return FALSE;
  if (moved != NULL)
    hl_history_commit (self->history, moved, _ ("Save in another place"), NULL);
  hl_history_mark_clean (self->history);
  set_path (self, path);
  hl_hub_notify_document (self->hub);
  hl_hub_announce (self->hub, HL_CHANGED_FILE | (moved != NULL ? HL_CHANGED_HISTORY : 0u));
  return TRUE;
}

const char *hl_editing_path (HlEditing *self) {
  return self->path;
}

const char *hl_editing_title (HlEditing *self) {
  return self->title != NULL ? self->title : _ ("Untitled");
}

gboolean hl_editing_is_modified (HlEditing *self) {
  return !hl_history_is_clean (self->history);
}

/* --- the document --- */

const HlDocument *hl_editing_document (HlEditing *self) {
  return hl_history_current (self->history);
}

static void commit (HlEditing *self, HlDocument *document, const char *step, const char *key) {
  g_autoptr (HlDocument) before = hl_document_ref (hl_editing_document (self));

  char *lost = hl_document_lost_formula (before, document);
  if (lost != NULL)
    note_lost (self, lost, hl_document_typed (before, lost));
  hl_history_commit (self->history, document, step, key);
  hl_document_unref (document);
  invalidate_after (self, before);
  hl_hub_announce (self->hub,
                   HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_FILE | HL_CHANGED_HISTORY);
  hl_hub_notify_document (self->hub);
}

void hl_editing_commit (HlEditing *self, HlDocument *document, const char *step, const char *key) {
  commit (self, hl_edit_drop_sliders (hl_editing_document (self), document), step, key);
}

/* Commits a document in which only the numbers at the paths differ; all get the value. */
static void commit_numbers (HlEditing *self, HlDocument *document, const char *const *paths, double value,
                            const char *key) {
  if (hl_document_equal (document, hl_editing_document (self)))
    return;

  guint n = g_strv_length ((char **)paths);
  g_autofree char *label = hl_path_label (document, paths[0]);
  g_autofree char *step = n == 1 ? g_strdup_printf (_ ("Set %s"), label)
                                 : g_strdup_printf (_ ("Set %s and %u more"), label, n - 1);
  g_autoptr (HlDocument) before = hl_document_ref (hl_editing_document (self));
  for (const char *const *path = paths; key != NULL && *path != NULL; path++)
    if (hl_document_lost_formula_at (before, document, *path))
      note_lost (self, g_strdup (*path), hl_document_typed (before, *path));
  hl_history_commit (self->history, document, step, key);
  gboolean goes_on = hl_manual_run_tune (hl_hub_manual_run (self->hub), before);
  self->in_gesture = key != NULL && !goes_on;
  if (self->edited_us == 0 && !goes_on)
    self->edited_us = g_get_monotonic_time ();
  if (goes_on)
    ; /* the interactive run takes the system over */
  else if (reparameterise (self, paths, value))
    invalidate (self, key != NULL ? HL_STALE_NUMBERS : HL_STALE_SYSTEM);
  else
    invalidate (self, HL_STALE_SYSTEM);
  hl_hub_wake (self->hub, HL_CHANGED_NUMBERS | HL_CHANGED_FILE | HL_CHANGED_HISTORY);
}

gboolean hl_editing_set_numbers (HlEditing *self, const char *const *paths, double value, const char *key,
                                 GError **error) {
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (self));

  for (const char *const *path = paths; *path != NULL; path++) {
    HlDocument *next = hl_document_with_number (document, *path, value, error);
    if (next == NULL)
      return FALSE;
    hl_document_unref (document);
    document = next;
  }
  commit_numbers (self, document, paths, value, key);
  return TRUE;
}

gboolean hl_editing_set_text (HlEditing *self, const char *const *paths, const char *text, GError **error) {
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (self));

  for (const char *const *path = paths; *path != NULL; path++) {
    HlDocument *next = hl_document_with_text (document, *path, text, error);
    if (next == NULL)
      return FALSE;
    hl_document_unref (document);
    document = next;
  }
  /* a number with a unit of its own rests on nothing, and is taken over as any other */
  double value;
  if (hl_document_own_unit (document, paths[0]) != NULL &&
      hl_document_get_number (document, paths[0], &value, NULL, NULL)) {
    commit_numbers (self, document, paths, value, NULL);
    return TRUE;
  }
  g_autofree char *label = hl_path_label (document, paths[0]);
  g_autofree char *step = g_strdup_printf (_ ("Set %s"), label);
  if (!hl_document_equal (document, hl_editing_document (self)))
    hl_editing_commit (self, hl_document_ref (document), step, NULL);
  return TRUE;
}

gboolean hl_editing_mend (HlEditing *self, const HlFinding *finding) {
  g_autofree char *step = g_strdup (finding->fix.label); /* the findings go with the document */
  HlDocument *document = hl_edit_apply_fix (hl_editing_document (self), &finding->fix, NULL);

  if (document == NULL)
    return FALSE;
  hl_editing_commit (self, document, step, NULL);
  return TRUE;
}

void hl_editing_end_gesture (HlEditing *self) {
  hl_history_seal (self->history);
  if (!self->in_gesture)
    return;
  self->in_gesture = FALSE;
  invalidate (self, HL_STALE_SYSTEM);
}

static void restored (HlEditing *self, const HlDocument *before) {
  invalidate_after (self, before); /* a preview of the drag is no answer to what comes back */
  self->in_gesture = FALSE;
  hl_hub_announce (self->hub,
                   HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_FILE | HL_CHANGED_HISTORY);
  hl_hub_notify_document (self->hub);
}

void hl_editing_undo (HlEditing *self) {
  g_autoptr (HlDocument) before = hl_document_ref (hl_editing_document (self));
  if (hl_history_undo (self->history))
    restored (self, before);
}

void hl_editing_redo (HlEditing *self) {
  g_autoptr (HlDocument) before = hl_document_ref (hl_editing_document (self));
  if (hl_history_redo (self->history))
    restored (self, before);
}

void hl_editing_go_to_step (HlEditing *self, int step) {
  g_autoptr (HlDocument) before = hl_document_ref (hl_editing_document (self));

  if (step < 0 || step >= hl_history_n_steps (self->history) || step == hl_history_position (self->history))
    return;
  hl_history_go_to (self->history, step);
  restored (self, before);
}

int hl_editing_n_steps (HlEditing *self) {
  return hl_history_n_steps (self->history);
}

int hl_editing_step (HlEditing *self) {
  return hl_history_position (self->history);
}

const char *hl_editing_step_name (HlEditing *self, int step) {
  return hl_history_step_name (self->history, step);
}

const char *hl_editing_undo_name (HlEditing *self) {
  return hl_history_undo_name (self->history);
}

const char *hl_editing_redo_name (HlEditing *self) {
  return hl_history_redo_name (self->history);
}

#define MOST_LEFT 3 /* names in a sentence */

gboolean hl_editing_apply_set (HlEditing *self, const char *name, GError **error) {
  HlDocument *document = hl_document_apply_set (hl_editing_document (self), name, error);
  if (document == NULL)
    return FALSE;
  g_autofree char *step = g_strdup_printf (_ ("Apply “%s”"), name);
  hl_editing_commit (self, document, step, NULL);
  return TRUE;
}

static const HlValue *values_of_set (const HlDocument *document, int set) {
  return hl_value_member (hl_document_element (document, HL_SECTION_PARAMETER_SETS, set), "values");
}

static void note_left (GPtrArray *left, const HlValue *values, const char *path) {
  if (hl_value_member (values, path) != NULL)
    return;
  for (guint i = 0; i < left->len; i++)
    if (strcmp (left->pdata[i], path) == 0)
      return;
  g_ptr_array_add (left, g_strdup (path));
}

char *hl_editing_left_by_set (HlEditing *self, const char *name) {
  const HlDocument *document = hl_editing_document (self);
  g_autoptr (GPtrArray) left = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) model_sliders = hl_model_sliders_of_document (document);
  const HlValue *values = NULL;

  for (int set = 0; set < hl_document_n_sets (document) && values == NULL; set++) {
    const HlValue *element = hl_document_element (document, HL_SECTION_PARAMETER_SETS, set);
    if (g_strcmp0 (hl_value_string (hl_value_member (element, "name")), name) == 0)
      values = values_of_set (document, set);
  }
  for (int set = 0; set < hl_document_n_sets (document) && values != NULL; set++)
    for (gsize i = 0; i < hl_value_length (values_of_set (document, set)); i++)
      note_left (left, values, hl_value_key (values_of_set (document, set), i));
  for (guint model_slider = 0; model_slider < model_sliders->len && values != NULL; model_slider++)
    for (char **path = ((HlModelSlider *)model_sliders->pdata[model_slider])->paths; *path != NULL; path++)
      note_left (left, values, *path);
  if (left->len == 0)
    return NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < MIN (left->len, MOST_LEFT); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *)left->pdata[i]);
  if (left->len > MOST_LEFT)
    g_string_append_printf (text, " + %u", left->len - MOST_LEFT);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean hl_editing_save_set (HlEditing *self, const char *name, GError **error) {
  g_autoptr (GPtrArray) model_sliders = hl_model_sliders_of_document (hl_editing_document (self));
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();

  for (guint model_slider = 0; model_slider < model_sliders->len; model_slider++)
    for (char **path = ((HlModelSlider *)model_sliders->pdata[model_slider])->paths; *path != NULL; path++)
      g_ptr_array_add (paths, *path);
  g_ptr_array_add (paths, NULL);
  HlDocument *document =
      hl_document_with_set (hl_editing_document (self), name, (const char *const *)paths->pdata, error);
  if (document == NULL)
    return FALSE;
  g_autofree char *step = g_strdup_printf (_ ("Save “%s”"), name);
  hl_editing_commit (self, document, step, NULL);
  return TRUE;
}

/* Returns whether the document has these values; an absent value counts as its default. */
static gboolean has_values (const HlDocument *document, const HlValue *values) {
  for (gsize i = 0; i < hl_value_length (values); i++) {
    double present;
    if (!hl_document_get_number (document, hl_value_key (values, i), &present, NULL, NULL) ||
        present != hl_value_number (hl_value_member_at (values, i)))
      return FALSE;
  }
  return hl_value_length (values) > 0;
}

/* Returns whether the common friction slider applies, which takes precedence over the single values of a set. */
static gboolean is_scaled (const HlDocument *document, const HlValue *values) {
  g_autoptr (GPtrArray) model_sliders = hl_model_sliders_of_document (document);

  for (guint i = 0; i < model_sliders->len; i++) {
    const HlModelSlider *model_slider = model_sliders->pdata[i];
    if (g_str_has_suffix (model_slider->paths[0], ".scale") &&
        hl_value_member (values, model_slider->paths[0]) == NULL &&
        hl_model_slider_value (model_slider, document) != 1)
      return TRUE;
  }
  return FALSE;
}

static const char *find_set (const HlDocument *document) {
  for (int set = 0; set < hl_document_n_sets (document); set++) {
    const HlValue *values =
        hl_value_member (hl_document_element (document, HL_SECTION_PARAMETER_SETS, set), "values");
    if (has_values (document, values) && !is_scaled (document, values))
      return hl_document_set_name (document, set);
  }
  return NULL;
}

const char *hl_editing_current_set (HlEditing *self) {
  const HlDocument *document = hl_editing_document (self);

  if (self->set_of != document) {
    g_clear_pointer (&self->set_of, hl_document_unref);
    self->set_of = hl_document_ref (document);
    self->set = find_set (document);
  }
  return self->set;
}
