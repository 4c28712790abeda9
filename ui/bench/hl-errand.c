/* SPDX-License-Identifier: MIT */
/* The thread is made for the errand and what it found is published by one C11 atomic: both are
 * seen by a thread sanitizer, which GLib's own pool is not, as its locks are not instrumented. The
 * thread leaves everything behind for the sender's thread to free. */
#include "ui/bench/hl-errand.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
  HlErrand errand;
  gpointer job, answer;
  GError *error;
  GMainContext *context;
  atomic_bool is_done;
} Trip;

static void free_trip (gpointer data) {
  Trip *trip = data;

  if (trip->answer != NULL && trip->errand.free_answer != NULL)
    trip->errand.free_answer (trip->answer);
  if (trip->errand.free_job != NULL)
    trip->errand.free_job (trip->job);
  g_clear_error (&trip->error);
  g_clear_object (&trip->errand.life);
  g_clear_object (&trip->errand.keep);
  g_main_context_unref (trip->context);
  g_free (trip);
}

static gboolean return_cb (gpointer data) {
  Trip *trip = data;

  if (!atomic_load_explicit (&trip->is_done, memory_order_acquire))
    return G_SOURCE_CONTINUE;
  if (trip->errand.life == NULL || !g_cancellable_is_cancelled (trip->errand.life))
    trip->errand.done (trip->errand.sender, trip->job, g_steal_pointer (&trip->answer), trip->error);
  return G_SOURCE_REMOVE;
}

static gpointer go (gpointer data) {
  Trip *trip = data;
  g_autoptr (GSource) source = g_idle_source_new ();
  g_autoptr (GMainContext) context = g_main_context_ref (trip->context);

  trip->answer = trip->errand.work (trip->job, trip->errand.life, &trip->error);
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, return_cb, trip, free_trip);
  atomic_store_explicit (&trip->is_done, true, memory_order_release);
  g_source_attach (source, context); /* from here on it is the sender's */
  return NULL;
}

void hl_errand_send (const HlErrand *errand, gpointer job) {
  Trip *trip = g_new0 (Trip, 1);

  trip->errand = *errand;
  trip->job = job;
  if (errand->life != NULL)
    g_object_ref (errand->life);
  if (errand->keep != NULL)
    g_object_ref (errand->keep);
  trip->context = g_main_context_ref_thread_default ();
  g_thread_unref (g_thread_new ("errand", go, trip));
}
