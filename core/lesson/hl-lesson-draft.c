/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-draft.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-named.h"
#include "core/document/hl-path.h"
#include "core/edit/hl-compare.h"
#include "core/edit/hl-edit.h"
#include "core/lesson/hl-lesson-draft-private.h"
#include "core/lesson/hl-lesson-propose.h"

#include <math.h>
#include <string.h>

#define MOST_UNDONE 200

static void
step_free (gpointer data)
{
  HlDraftStep *step = data;

  g_free (step->title);
  g_free (step->text);
  g_free (step->until);
  g_free (step->ask);
  hl_document_unref (step->before);
  hl_document_unref (step->after);
  g_free (step);
}

static GPtrArray *
copy_steps (const GPtrArray *steps)
{
  GPtrArray *copies = g_ptr_array_new_with_free_func (step_free);

  for (guint k = 0; k < steps->len; k++) {
    HlDraftStep *copy = g_new (HlDraftStep, 1);
    *copy = *(const HlDraftStep *)steps->pdata[k];
    copy->title = g_strdup (copy->title);
    copy->text = g_strdup (copy->text);
    copy->until = g_strdup (copy->until);
    copy->ask = g_strdup (copy->ask);
    hl_document_ref (copy->before);
    hl_document_ref (copy->after);
    g_ptr_array_add (copies, copy);
  }
  return copies;
}

/* Before a change: what it was can be had again. Changes of one key that follow each other are one. */
static void
remember (HlLessonDraft *draft, const char *key)
{
  if (key != NULL && g_strcmp0 (key, draft->key) == 0)
    return;
  g_free (draft->key);
  draft->key = g_strdup (key);
  g_ptr_array_add (draft->past, copy_steps (draft->steps));
  if (draft->past->len > MOST_UNDONE)
    g_ptr_array_remove_index (draft->past, 0);
}

static HlDraftStep *
step_at (const HlLessonDraft *draft, int step)
{
  return step >= 0 && step < (int)draft->steps->len ? draft->steps->pdata[step] : NULL;
}

static HlDraftStep *
last_step (const HlLessonDraft *draft)
{
  return step_at (draft, (int)draft->steps->len - 1);
}

/* Of the model as it is now. */
static HlDraftStep *
append (HlLessonDraft *draft, HlDraftKind kind, const char *title)
{
  HlDraftStep *step = g_new0 (HlDraftStep, 1);

  *step = (HlDraftStep){.kind = kind,
                        .serial = ++draft->serial,
                        .title = g_strdup (title),
                        .text = g_strdup (""),
                        .before = hl_document_ref (draft->current),
                        .after = hl_document_ref (draft->current),
                        .pairs = {draft->n_pairs, draft->n_pairs},
                        .unstable = {draft->n_unstable, draft->n_unstable}};
  g_ptr_array_add (draft->steps, step);
  return step;
}

HlLessonDraft *
hl_lesson_draft_new (const HlDocument *document)
{
  HlLessonDraft *draft = g_new0 (HlLessonDraft, 1);

  draft->steps = g_ptr_array_new_with_free_func (step_free);
  draft->past = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  draft->start = hl_document_ref (document);
  draft->current = hl_document_ref (document);
  draft->n_pairs = draft->n_unstable = -1;
  append (draft, HL_DRAFT_TEXT, _ ("What this is about"));
  return draft;
}

void
hl_lesson_draft_free (HlLessonDraft *draft)
{
  if (draft == NULL)
    return;
  g_ptr_array_unref (draft->steps);
  g_ptr_array_unref (draft->past);
  g_free (draft->key);
  hl_document_unref (draft->start);
  hl_document_unref (draft->current);
  g_free (draft);
}

/* --- what is done --- */

/* The document with one difference by the acts of a lesson; NULL: there is no such act. */
static HlDocument *
apply (const HlDocument *document, const HlDocument *after, const HlDifference *difference)
{
  const char *typed = hl_document_typed (after, difference->path);

  if (hl_draft_oil_of (difference) != NULL)
    return hl_edit_set_oil (document, hl_draft_oil_of (difference), NULL);
  if (!difference->is_number || !isfinite (difference->after))
    return NULL;
  return typed != NULL
             ? hl_document_with_text (document, difference->path, typed, NULL)
             : hl_document_with_number (document, difference->path, difference->after, NULL);
}

/* Whether acts lead from one model to the other. */
static gboolean
can_go (const HlDocument *from, const HlDocument *to, const GPtrArray *differences, GError **error)
{
  g_autoptr (HlDocument) at = hl_document_ref (from);

  for (guint k = 0; k < differences->len; k++) {
    const HlDifference *difference = differences->pdata[k];
    HlDocument *next = apply (at, to, difference);
    if (next == NULL) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   _ ("A lesson sets numbers and the oil, but cannot change %s: take that back, or "
                      "save the model and begin the lesson anew"),
                   difference->path);
      return FALSE;
    }
    hl_document_unref (at);
    at = next;
  }
  return TRUE;
}

static gboolean
has_path (const GPtrArray *differences, const char *path)
{
  for (guint k = 0; k < differences->len; k++)
    if (strcmp (((const HlDifference *)differences->pdata[k])->path, path) == 0)
      return TRUE;
  return FALSE;
}

/* A number that is stated is no other than the same one left to its default. */
static gboolean
is_same (const HlDocument *a, const HlDocument *b)
{
  g_autoptr (GPtrArray) differences = hl_document_differences (a, b);
  return differences->len == 0;
}

/* Whether the last step goes on: nothing new is changed, or all of it is taken back. */
static gboolean
goes_on (const HlDraftStep *last, const HlDocument *document, const GPtrArray *differences)
{
  if (last == NULL || last->kind != HL_DRAFT_DO)
    return FALSE;
  g_autoptr (GPtrArray) of_step = hl_document_differences (last->before, last->after);
  gboolean all = TRUE;
  for (guint k = 0; k < differences->len && all; k++)
    all = has_path (of_step, ((const HlDifference *)differences->pdata[k])->path);
  return all || is_same (last->before, document);
}

char *
hl_draft_number_words (const HlDocument *document, const char *path)
{
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, NULL) || info.field == NULL ||
      info.field->label == NULL)
    return g_strdup (path);
  return g_strdup_printf (C_ ("number of a part", "%s of %s"), _ (info.field->label), info.id);
}

/* What a student reads of a step until the author has words for it. */
static char *
proposed_title (const HlDocument *document, const GPtrArray *differences)
{
  const HlDifference *first = differences->pdata[0];
  g_autofree char *words = hl_draft_number_words (document, first->path);

  return hl_draft_oil_of (first) != NULL ? g_strdup (_ ("Take another model of the oil"))
                                         : g_strdup_printf (_ ("Change %s"), words);
}

static void
take (HlLessonDraft *draft, const HlDocument *document)
{
  hl_document_ref (document);
  hl_document_unref (draft->current);
  draft->current = (HlDocument *)document;
}

gboolean
hl_lesson_draft_follow (HlLessonDraft *draft, const HlDocument *document, GError **error)
{
  g_autoptr (GPtrArray) differences = hl_document_differences (draft->current, document);
  HlDraftStep *last = last_step (draft);

  if (differences->len == 0)
    return TRUE;
  if (!can_go (draft->current, document, differences, error))
    return FALSE;
  if (goes_on (last, document, differences)) {
    g_autofree char *key = g_strdup_printf ("follow %u", last->serial);
    remember (draft, key);
    hl_document_unref (last->after);
    last->after = hl_document_ref (document);
    take (draft, document);
    if (is_same (last->before, last->after)) {
      draft->n_pairs = last->pairs[0];
      draft->n_unstable = last->unstable[0];
      g_ptr_array_remove_index (draft->steps, draft->steps->len - 1);
      g_clear_pointer (&draft->key, g_free);
    }
    return TRUE;
  }
  g_autofree char *title = proposed_title (document, differences);
  g_autofree char *key = g_strdup_printf ("follow %u", draft->serial + 1);
  remember (draft, key);
  HlDraftStep *step = append (draft, HL_DRAFT_DO, title);
  hl_document_unref (step->after);
  step->after = hl_document_ref (document);
  take (draft, document);
  return TRUE;
}

void
hl_lesson_draft_note_spectrum (HlLessonDraft *draft, int n_pairs, int n_unstable)
{
  HlDraftStep *last = last_step (draft);

  draft->n_pairs = n_pairs;
  draft->n_unstable = n_unstable;
  if (last == NULL || last->after != draft->current)
    return;
  gboolean is_first = last->pairs[0] < 0 && last->kind != HL_DRAFT_DO;
  last->pairs[1] = n_pairs;
  last->unstable[1] = n_unstable;
  if (is_first || last->kind != HL_DRAFT_DO) {
    last->pairs[0] = n_pairs;
    last->unstable[0] = n_unstable;
  }
}

void
hl_lesson_draft_note_run (HlLessonDraft *draft)
{
  HlDraftStep *last = last_step (draft);

  if (last != NULL && last->kind == HL_DRAFT_RUN && last->after == draft->current)
    return; /* once more is no other step */
  remember (draft, NULL);
  append (draft, HL_DRAFT_RUN, _ ("Run it"));
}

void
hl_lesson_draft_add_text (HlLessonDraft *draft)
{
  remember (draft, NULL);
  append (draft, HL_DRAFT_TEXT, _ ("To be read"));
}

void
hl_lesson_draft_add_question (HlLessonDraft *draft, const char *ask)
{
  g_autofree char *words = hl_lesson_propose_words (draft->current, ask);
  const char *mark = strchr (words, '?');
  g_autofree char *question = mark != NULL ? g_strndup (words, (gsize)(mark + 1 - words)) : NULL;

  remember (draft, NULL);
  HlDraftStep *step =
      append (draft, HL_DRAFT_ASK, question != NULL ? question : _ ("What do you expect?"));
  step->ask = g_strdup (ask);
  g_free (step->text);
  step->text = g_strstrip (g_strdup (mark != NULL ? mark + 1 : words));
}

/* --- what is typed --- */

int
hl_lesson_draft_n_steps (const HlLessonDraft *draft)
{
  return (int)draft->steps->len;
}

const HlDraftStep *
hl_lesson_draft_step (const HlLessonDraft *draft, int step)
{
  return step_at (draft, step);
}

/* Of one step into the place, what is typed there being one change. */
static void
type (HlLessonDraft *draft, int step, const char *what, gsize place, const char *text)
{
  HlDraftStep *at = step_at (draft, step);

  if (at == NULL || g_strcmp0 (G_STRUCT_MEMBER (char *, at, place), text) == 0)
    return;
  g_autofree char *key = g_strdup_printf ("%s %u", what, at->serial);
  remember (draft, key);
  g_free (G_STRUCT_MEMBER (char *, at, place));
  G_STRUCT_MEMBER (char *, at, place) = g_strdup (text);
}

void
hl_lesson_draft_set_title (HlLessonDraft *draft, int step, const char *title)
{
  type (draft, step, "title", G_STRUCT_OFFSET (HlDraftStep, title), title);
}

void
hl_lesson_draft_set_text (HlLessonDraft *draft, int step, const char *text)
{
  type (draft, step, "text", G_STRUCT_OFFSET (HlDraftStep, text), text);
}

void
hl_lesson_draft_set_until (HlLessonDraft *draft, int step, const char *until)
{
  const HlDraftStep *at = step_at (draft, step);

  if (at != NULL && at->kind == HL_DRAFT_DO)
    type (draft, step, "until", G_STRUCT_OFFSET (HlDraftStep, until),
          until != NULL && *until != '\0' ? until : NULL);
}

void
hl_lesson_draft_set_ask (HlLessonDraft *draft, int step, const char *ask)
{
  const HlDraftStep *at = step_at (draft, step);

  if (at != NULL && at->kind == HL_DRAFT_ASK)
    type (draft, step, "ask", G_STRUCT_OFFSET (HlDraftStep, ask), ask);
}

void
hl_lesson_draft_set_role (HlLessonDraft *draft, int step, HlDraftRole role)
{
  HlDraftStep *at = step_at (draft, step);

  if (at == NULL || at->kind != HL_DRAFT_DO || at->role == role)
    return;
  remember (draft, NULL);
  at = step_at (draft, step);
  at->role = role;
}

void
hl_lesson_draft_remove (HlLessonDraft *draft, int step)
{
  if (step_at (draft, step) == NULL)
    return;
  remember (draft, NULL);
  g_ptr_array_remove_index (draft->steps, (guint)step);
}

gboolean
hl_lesson_draft_can_undo (const HlLessonDraft *draft)
{
  return draft->past->len > 0;
}

void
hl_lesson_draft_undo (HlLessonDraft *draft)
{
  if (draft->past->len == 0)
    return;
  g_clear_pointer (&draft->key, g_free);
  g_ptr_array_unref (draft->steps);
  draft->steps = g_ptr_array_steal_index (draft->past, draft->past->len - 1);
}
