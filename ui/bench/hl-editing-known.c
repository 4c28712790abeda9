/* SPDX-License-Identifier: MIT */
/* What is known of the document at the moment, for all who ask; and warnings and errors that stand
 * beside the findings of the model, because a start state or a run gave them. */
#include "ui/bench/hl-editing-private.h"

#include "core/base/hl-i18n.h"
#include "core/oil/hl-run-failure.h"
#include "core/system/hl-observable.h"

HlStale
hl_editing_stale (HlEditing *self)
{
  return self->stale;
}

HlStale
hl_editing_solving (HlEditing *self)
{
  return self->solving;
}

gboolean
hl_editing_is_compiling (HlEditing *self)
{
  return self->solve_compiles;
}

gboolean
hl_editing_is_run_due (HlEditing *self)
{
  return self->run_due || self->aside != NULL;
}

gboolean
hl_editing_is_in_gesture (HlEditing *self)
{
  return self->in_gesture;
}

HlSystem *
hl_editing_system (HlEditing *self)
{
  return self->system;
}

HlRecording *
hl_editing_recording (HlEditing *self)
{
  if (self->recording == NULL)
    self->recording = hl_recording_new (self->compiled, self->system, HL_RECORD_ALL, NULL, NULL);
  /* a drag may move a number that a probe shows */
  HlRecording *recording = hl_recording_of_numbers (self->recording, self->solved);
  hl_recording_unref (self->recording);
  self->recording = recording;
  return recording;
}

const HlDocument *
hl_editing_solved (HlEditing *self)
{
  return self->solved;
}

gint64
hl_editing_take_edited_us (HlEditing *self)
{
  gint64 edited_us = self->edited_us;

  self->edited_us = 0;
  return edited_us;
}

const HlFindings *
hl_editing_findings (HlEditing *self)
{
  return self->findings;
}

gboolean
hl_editing_has_system (HlEditing *self)
{
  return self->system != NULL;
}

gboolean
hl_editing_can_record (HlEditing *self, const char *path)
{
  HlObservable observable;
  return self->system != NULL && hl_observable_find (self->system, path, &observable);
}

const HlWorkingPoint *
hl_editing_point (HlEditing *self)
{
  return self->point;
}

/* --- findings of a start state or a run: lines whose oil would have to pull, and failures --- */

static void
forget_doubts (HlEditing *self)
{
  if (self->doubts == NULL || self->doubts->len == 0)
    return;
  for (guint i = 0; i < self->doubts->len; i++)
    hl_findings_remove (self->findings, self->doubts->pdata[i]);
  g_ptr_array_set_size (self->doubts, 0);
  hl_workbench_note (self->hub, HL_CHANGED_FINDINGS);
}

/* The run went on, but not as incompressible oil does. */
static void
tell_soft (HlEditing *self, const HlSystem *system, const HlGivesWay *gives_way)
{
  g_autofree char *what = hl_gives_way_text (system, gives_way);

  if (what == NULL)
    return;
  const char *id = hl_system_entity_id (system, HL_ENTITY_LINE, gives_way->line);
  HlFinding *finding =
      hl_findings_add (self->findings, HL_SEVERITY_WARNING, id, id, NULL, "%s", what);
  hl_finding_offer_lumped (finding);
  g_ptr_array_add (self->doubts, finding);
  hl_workbench_note (self->hub, HL_CHANGED_FINDINGS);
}

void
hl_editing_tell_doubts (HlEditing *self,
                        const HlSystem *system,
                        const HlCavitations *cavitations,
                        const HlGivesWay *gives_way)
{
  forget_doubts (self);
  if (gives_way != NULL)
    tell_soft (self, system, gives_way);
  for (int k = 0; k < hl_cavitations_n (cavitations); k++) {
    const HlCavitation *one = hl_cavitations_get (cavitations, k);
    const char *id = hl_system_entity_id (system, HL_ENTITY_LINE, one->line);
    g_autofree char *what = hl_cavitation_what (system, one);
    HlFinding *finding = hl_findings_add (self->findings, HL_SEVERITY_WARNING, id, id,
                                          hl_cavitation_advice (system, one), "%s", what);
    if (one->kind == HL_DOUBT_BURSTS)
      hl_finding_set_fix (finding, HL_FIX_RELIEVE, _ ("Add a relief valve with a tank"), id, NULL,
                          0);
    g_ptr_array_add (self->doubts, finding);
    hl_workbench_note (self->hub, HL_CHANGED_FINDINGS);
  }
}

void
hl_editing_doubt_point (HlEditing *self)
{
  g_autoptr (HlCavitations) cavitations = hl_working_point_cavitations (self->point);

  forget_doubts (self);
  if (cavitations != NULL)
    hl_editing_tell_doubts (self, self->point->system, cavitations, NULL);
}

guint
hl_editing_n_doubts (HlEditing *self)
{
  return self->doubts->len;
}

void
hl_editing_add_failure (HlEditing *self, const HlFinding *failure)
{
  hl_editing_forget_run_failure (self);
  const HlFinding *known = hl_findings_first_error (self->findings);

  if (known != NULL && known->bars != HL_BARS_ALL)
    return; /* it is told already: the oil cannot run it */
  HlFinding *finding = hl_findings_add (self->findings, HL_SEVERITY_ERROR, failure->id,
                                        failure->path, NULL, "%s", failure->message);
  self->run_failure = finding;
  const HlFix *fix = &failure->fix;
  if (fix->json != NULL)
    hl_finding_set_place_fix (finding, fix->label, fix->path, hl_value_ref (fix->json));
  else if (fix->type != HL_FIX_NONE)
    hl_finding_set_fix (finding, fix->type, fix->label, fix->path, fix->target, fix->value);
  hl_workbench_note (self->hub, HL_CHANGED_FINDINGS);
}
