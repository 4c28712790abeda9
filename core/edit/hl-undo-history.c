/* SPDX-License-Identifier: MIT */
/* Documents share what they have in common, so a step costs only what it changed. */
#include "core/edit/hl-undo-history.h"

typedef struct {
  HlDocument *document;
  char *name;
  char *key; /* NULL: takes no further commits */
} Step;

struct _HlHistory {
  GPtrArray *steps; /* Step */
  int position;
  HlDocument *clean;
};

static void step_free (gpointer data) {
  Step *step = data;

  hl_document_unref (step->document);
  g_free (step->name);
  g_free (step->key);
  g_free (step);
}

static void push_step (HlHistory *history, const HlDocument *document, const char *name, const char *key) {
  Step *step = g_new0 (Step, 1);

  step->document = hl_document_ref (document);
  step->name = g_strdup (name);
  step->key = g_strdup (key);
  g_ptr_array_add (history->steps, step);
}

HlHistory *hl_history_new (const HlDocument *document) {
  HlHistory *history = g_new0 (HlHistory, 1);

  history->steps = g_ptr_array_new_with_free_func (step_free);
  push_step (history, document, "", NULL);
  history->clean = hl_document_ref (document);
  return history;
}

void hl_history_free (HlHistory *history) {
  if (history == NULL)
    return;
  g_ptr_array_unref (history->steps);
  hl_document_unref (history->clean);
  g_free (history);
}

static Step *current (const HlHistory *history) {
  return g_ptr_array_index (history->steps, history->position);
}

const HlDocument *hl_history_current (const HlHistory *history) {
  return current (history)->document;
}

void hl_history_commit (HlHistory *history, const HlDocument *document, const char *name, const char *key) {
  Step *step = current (history);

  if (hl_document_equal (step->document, document))
    return;
  if ((int)history->steps->len > history->position + 1)
    g_ptr_array_set_size (history->steps, history->position + 1);
  if (key != NULL && g_strcmp0 (step->key, key) == 0) {
    HlDocument *old = step->document;
    step->document = hl_document_ref (document);
    hl_document_unref (old);
    return;
  }
  push_step (history, document, name, key);
  history->position++;
}

void hl_history_seal (HlHistory *history) {
  g_clear_pointer (&current (history)->key, g_free);
}

static gboolean can_undo (const HlHistory *history) {
  return history->position > 0;
}

static gboolean can_redo (const HlHistory *history) {
  return history->position + 1 < (int)history->steps->len;
}

const char *hl_history_undo_name (const HlHistory *history) {
  return can_undo (history) ? current (history)->name : NULL;
}

const char *hl_history_redo_name (const HlHistory *history) {
  return can_redo (history) ? hl_history_step_name (history, history->position + 1) : NULL;
}

gboolean hl_history_undo (HlHistory *history) {
  if (!can_undo (history))
    return FALSE;
  hl_history_go_to (history, history->position - 1);
  return TRUE;
}

gboolean hl_history_redo (HlHistory *history) {
  if (!can_redo (history))
    return FALSE;
  hl_history_go_to (history, history->position + 1);
  return TRUE;
}

int hl_history_n_steps (const HlHistory *history) {
  return (int)history->steps->len;
}

int hl_history_position (const HlHistory *history) {
  return history->position;
}

const char *hl_history_step_name (const HlHistory *history, int step) {
  g_return_val_if_fail (step >= 0 && step < (int)history->steps->len, NULL);
  return ((Step *)g_ptr_array_index (history->steps, step))->name;
}

void hl_history_go_to (HlHistory *history, int step) {
  g_return_if_fail (step >= 0 && step < (int)history->steps->len);
  /* A gesture does not continue across an undo. */
  hl_history_seal (history);
  history->position = step;
  hl_history_seal (history);
}

void hl_history_mark_clean (HlHistory *history) {
  HlDocument *old = history->clean;

  history->clean = hl_document_ref (hl_history_current (history));
  hl_document_unref (old);
  hl_history_seal (history);
}

gboolean hl_history_is_clean (const HlHistory *history) {
  return hl_document_equal (history->clean, hl_history_current (history));
}
