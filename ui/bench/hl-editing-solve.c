/* SPDX-License-Identifier: MIT */
/* What follows from the document, once a frame: compile (or a re-parameterised copy) and the start
 * state with its eigenvalues in the frame itself where that is short, as it is for most models, or
 * else in a worker; the run and the locus always in the workers.
 *
 * While the worker is at it the document is newer than the system, the findings and the working
 * point. These stay, as those of a moment ago, as long as the document has the same elements;
 * otherwise they are gone until the answer comes, so that indices always mean the same elements. */
#include "ui/bench/hl-editing-private.h"

#include "core/edit/hl-check.h"
#include "core/base/hl-i18n.h"
#include "ui/bench/hl-driving-peer.h"
#include "ui/bench/hl-large.h"
#include "ui/bench/hl-locus-study-peer.h"
#include "ui/bench/hl-runs-peer.h"
#include "ui/edit/linkage/hl-linkage-plan.h"

#include <math.h>

#define MOST_SECONDS 0.03 /* of processor time that it took the last time */

void
hl_editing_invalidate (HlEditing *self, HlStale stale)
{
  self->stale = MAX (self->stale, stale);
  hl_workbench_wake (self->hub, 0);
}

/* --- system --- */

gboolean
hl_editing_reparameterise (HlEditing *self, const char *const *paths, double value)
{
  HlParameter parameter;

  if (self->system == NULL || self->stale == HL_STALE_SYSTEM || self->solve_compiles)
    return FALSE;
  for (const char *const *path = paths; *path != NULL; path++)
    if (!hl_system_find_parameter (self->system, *path, &parameter))
      return FALSE;
  if (!hl_locus_study_is_knob (hl_workbench_locus (self->hub), paths))
    hl_locus_study_branches_changed (hl_workbench_locus (self->hub));

  HlSystem *system = hl_system_copy (self->system);
  for (const char *const *path = paths; *path != NULL; path++)
    if (hl_system_find_parameter (system, *path, &parameter))
      hl_system_set_parameter (system, parameter, value);
  if (hl_system_check_shape (system, NULL) != HL_OK) {
    hl_system_unref (system);
    return FALSE;
  }
  hl_system_unref (self->system);
  self->system = system;
  return TRUE;
}

/* Whether compiling and finding the working point would hold up the window's thread. */
static gboolean
is_long (HlEditing *self)
{
  return hl_is_large (hl_editing_document (self)) || self->solve_seconds > MOST_SECONDS;
}

/* Takes the text. */
static void
set_freedom (HlEditing *self, const HlDocument *document, char *text)
{
  g_clear_pointer (&self->freedom_of, hl_document_unref);
  g_free (self->freedom);
  self->freedom = text;
  self->freedom_of = document != NULL ? hl_document_ref (document) : NULL;
}

static gboolean
same_linkage (const HlDocument *a, const HlDocument *b)
{
  static const char *const keys[] = {"ground", "bodies", "joints"};

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (hl_value_member (hl_document_root (a), keys[i]) !=
        hl_value_member (hl_document_root (b), keys[i]))
      return FALSE;
  return TRUE;
}

const char *
hl_editing_freedom_text (HlEditing *self)
{
  const HlDocument *document = hl_editing_document (self);

  if (self->freedom == NULL || !same_linkage (self->freedom_of, document)) {
    if (is_long (self))
      return ""; /* the worker brings them */
    g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
    set_freedom (self, document,
                 plan->n_bodies > 0 ? hl_linkage_plan_freedom_text (plan) : g_strdup (""));
  }
  return self->freedom;
}

static void
forget_findings (HlEditing *self)
{
  g_clear_pointer (&self->findings, hl_findings_free);
  g_ptr_array_set_size (self->doubts, 0);
  self->point_failure = self->run_failure = NULL;
}

/* Takes what the post holds. */
static void
take_system (HlEditing *self, HlSolvePost *post)
{
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
  hl_locus_study_branches_changed (hl_workbench_locus (self->hub));
  hl_locus_study_follow_system (hl_workbench_locus (self->hub));
  hl_driving_follow_system (hl_workbench_driving (self->hub));
  hl_workbench_note (self->hub, HL_CHANGED_FINDINGS);
}

/* --- start state and eigenvalues --- */

static void
note_failure (HlEditing *self)
{
  const HlWorkingPoint *at = self->point;
  if (at == NULL || at->message == NULL)
    return;
  HlFinding *finding = hl_findings_add (self->findings, HL_SEVERITY_ERROR, at->entity_id,
                                        at->entity_id, NULL, "%s", at->message);
  self->point_failure = finding;
  const char *start =
      hl_document_object_text (hl_editing_document (self), HL_SECTION_SIMULATION, "start");
  if (g_strcmp0 (start, "as-given") != 0)
    hl_finding_set_place_fix (finding, _ ("Start the run as given"), "simulation.start",
                              hl_value_new_string ("as-given"));
  hl_workbench_note (self->hub, HL_CHANGED_FINDINGS);
}

static gboolean
forget_old_failure (HlEditing *self)
{
  /* Findings of the start state stand last in the list; a new list comes with the next compile, so
   * while a slider is dragged a failure that went away is forgotten by compiling. */
  return self->point != NULL && self->point->message != NULL;
}

static void
drop_finding (HlEditing *self, HlFinding **finding)
{
  if (*finding == NULL)
    return;
  hl_findings_remove (self->findings, *finding);
  *finding = NULL;
  hl_workbench_note (self->hub, HL_CHANGED_FINDINGS);
}

void
hl_editing_forget_run_failure (HlEditing *self)
{
  drop_finding (self, &self->run_failure);
}

/* Those of the run that is shown, if it is a run of this document, else those of the start state. */
static void
tell_doubts (HlEditing *self)
{
  if (!hl_runs_tell_doubts (hl_workbench_runs (self->hub)))
    hl_editing_doubt_point (self);
}

static void
take_point (HlEditing *self, HlSolvePost *post)
{
  HlWorkingPoint *before = self->point;

  self->point = g_steal_pointer (&post->point);
  g_clear_pointer (&self->solved, hl_document_unref);
  self->solved = hl_document_ref (post->document);
  hl_locus_study_follow_point (hl_workbench_locus (self->hub),
                               before != NULL ? before->linearization : NULL,
                               self->point != NULL ? self->point->linearization : NULL);
  hl_working_point_free (before);
  hl_workbench_note (self->hub, HL_CHANGED_POINT);
  tell_doubts (self);
  /* they may quote numbers that have changed since */
  drop_finding (self, &self->point_failure);
  if (self->point != NULL && self->point->message != NULL)
    hl_editing_forget_run_failure (self);
  note_failure (self);
}

/* --- at once, or in the worker --- */

/* Same elements in the same places. */
static gboolean
same_elements (const HlDocument *a, const HlDocument *b)
{
  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++) {
    int n = hl_document_n_elements (a, section);
    if (n != hl_document_n_elements (b, section))
      return FALSE;
    for (int k = 0; k < n; k++)
      if (hl_document_element (a, section, k) != hl_document_element (b, section, k) &&
          (g_strcmp0 (hl_document_element_id (a, section, k),
                      hl_document_element_id (b, section, k)) != 0 ||
           g_strcmp0 (hl_document_element_kind_name (a, section, k),
                      hl_document_element_kind_name (b, section, k)) != 0))
        return FALSE;
  }
  return TRUE;
}

/* What is known is of other elements. The levers stay: they are found by their paths, and the next
 * ones inherit their ranges. */
static void
forget_system (HlEditing *self)
{
  g_clear_pointer (&self->system, hl_system_unref);
  g_clear_pointer (&self->recording, hl_recording_unref);
  g_clear_pointer (&self->compiled, hl_document_unref);
  g_clear_pointer (&self->point, hl_working_point_free);
  forget_findings (self);
  self->findings = hl_findings_new ();
  hl_locus_study_follow_point (hl_workbench_locus (self->hub), NULL, NULL);
  hl_locus_study_follow_system (hl_workbench_locus (self->hub));
  hl_workbench_note (self->hub, HL_CHANGED_FINDINGS | HL_CHANGED_POINT);
}

/* Whatever the worker answers is of no use. */
static void
forget_solving (HlEditing *self)
{
  self->solving = HL_STALE_NOTHING;
  self->solve_compiles = self->run_due = FALSE;
  self->aside = NULL;
}

/* The answer to the newest request, which nothing that came since makes useless. */
static void
take_answer (HlEditing *self, HlSolvePost *post, HlStale level, gboolean runs)
{
  gboolean has_findings = post->findings != NULL;

  self->solve_seconds = has_findings ? post->seconds : fmax (post->seconds, self->solve_seconds);
  if (has_findings)
    take_system (self, post);
  if (level == HL_STALE_FINDINGS) {
    note_failure (self);
    tell_doubts (self);
    hl_runs_tell_failure (hl_workbench_runs (self->hub));
    return;
  }
  take_point (self, post);
  hl_locus_study_set_due (hl_workbench_locus (self->hub));
  if (!runs)
    return;
  if (self->system == NULL) {
    hl_runner_stop (hl_workbench_runner (self->hub));
    hl_runs_drop_asked (hl_workbench_runs (self->hub));
  }
  hl_runs_ask (hl_workbench_runs (self->hub), (HlRunQuality)GPOINTER_TO_UINT (post->tag));
}

static void
take_aside (HlEditing *self, HlSolvePost *post)
{
  const char *name = g_steal_pointer (&self->aside);

  hl_runs_take_aside (hl_workbench_runs (self->hub), name, post);
}

void
hl_editing_take_solved (HlEditing *self, HlSolvePost *post)
{
  HlStale level = self->solving;

  if (self->aside != NULL && post->base.serial == self->solve_serial) {
    take_aside (self, post);
    return;
  }
  if (post->base.serial == self->solve_serial && level != HL_STALE_NOTHING &&
      self->stale == HL_STALE_NOTHING && !self->tuned) {
    gboolean runs = self->run_due;
    forget_solving (self);
    take_answer (self, post, level, runs);
  } else if (self->in_gesture && self->run_due && !self->solve_compiles && post->findings == NULL &&
             post->point != NULL) {
    /* the hand has moved on; what it did a moment ago is shown meanwhile */
    take_point (self, post);
    hl_runs_ask (hl_workbench_runs (self->hub), (HlRunQuality)GPOINTER_TO_UINT (post->tag));
  }
}

/* `stale`: what is due since the last request; what that asked for and did not get is due as well.
 */
static void
solve (HlEditing *self, HlStale stale, gboolean runs)
{
  HlStale level = MAX (stale, self->solving);
  gboolean compiles =
      stale != HL_STALE_NUMBERS || self->solve_compiles ||
      (!hl_driving_is_under_way (hl_workbench_driving (self->hub)) && forget_old_failure (self));
  HlRunQuality quality =
      self->in_gesture ? hl_runs_quality_of_drag (hl_workbench_runs (self->hub)) : HL_RUN_AS_STATED;
  HlSolveRequest request = {.document = (HlDocument *)hl_editing_document (self),
                            .system = compiles ? NULL : self->system,
                            .wants_point = level > HL_STALE_FINDINGS,
                            .tag = GUINT_TO_POINTER (quality)};

  runs = runs || self->run_due;
  if (compiles && self->compiled != NULL && is_long (self) &&
      !same_elements (self->compiled, request.document))
    forget_system (self);
  if (is_long (self)) {
    self->solve_serial = hl_runner_solve (hl_workbench_runner (self->hub), &request, compiles);
    self->solving = level;
    self->solve_compiles = compiles;
    self->run_due = runs;
    if (!compiles) /* the system is known already */
      hl_locus_study_set_due (hl_workbench_locus (self->hub));
    self->aside = NULL;
    return;
  }
  if (self->solving != HL_STALE_NOTHING || self->aside != NULL)
    hl_runner_forget_solving (hl_workbench_runner (self->hub));
  forget_solving (self);
  HlSolvePost *post = hl_solve (&request);
  take_answer (self, post, level, runs);
  post->base.free (&post->base);
}

void
hl_editing_solve_aside (HlEditing *self, const HlDocument *document, const char *name)
{
  HlSolveRequest request = {.document = (HlDocument *)document, .wants_point = TRUE};

  self->aside = name;
  if (is_long (self)) {
    self->solve_serial = hl_runner_solve (hl_workbench_runner (self->hub), &request, FALSE);
    return;
  }
  HlSolvePost *post = hl_solve (&request);
  take_aside (self, post);
  post->base.free (&post->base);
}

/* --- what the hub and the other objects ask for --- */

void
hl_editing_frame (HlEditing *self)
{
  HlStale stale = self->stale;

  self->stale = HL_STALE_NOTHING;
  if (stale != HL_STALE_NOTHING)
    solve (self, stale, stale > HL_STALE_FINDINGS);
  if (self->tuned) {
    self->tuned = FALSE;
    solve (self, HL_STALE_NUMBERS, FALSE);
  }
  if (self->settle_due) {
    self->settle_due = FALSE;
    solve (self, HL_STALE_SYSTEM, FALSE);
  }
}

void
hl_editing_settle (HlEditing *self)
{
  self->settle_due = TRUE;
  hl_workbench_wake (self->hub, 0);
}

void
hl_editing_solve_anew (HlEditing *self)
{
  self->in_gesture = FALSE;
  hl_editing_invalidate (self, HL_STALE_SYSTEM);
}

void
hl_editing_give_up_run (HlEditing *self)
{
  self->run_due = FALSE;
  if (self->aside != NULL)
    forget_solving (self);
}

void
hl_editing_forget_results (HlEditing *self)
{
  hl_runner_forget_solving (hl_workbench_runner (self->hub));
  forget_solving (self);
  self->solve_seconds = 0;
  g_clear_pointer (&self->point, hl_working_point_free);
}

void
hl_editing_tune (HlEditing *self, HlSystem *system)
{
  hl_system_unref (self->system);
  self->system = system;
  self->tuned = TRUE;
}

void
hl_editing_solve_free (HlEditing *self)
{
  set_freedom (self, NULL, NULL);
  g_clear_pointer (&self->compiled, hl_document_unref);
  g_clear_pointer (&self->solved, hl_document_unref);
  g_clear_pointer (&self->system, hl_system_unref);
  g_clear_pointer (&self->recording, hl_recording_unref);
  g_clear_pointer (&self->point, hl_working_point_free);
  g_clear_pointer (&self->findings, hl_findings_free);
  g_clear_pointer (&self->doubts, g_ptr_array_unref);
}
