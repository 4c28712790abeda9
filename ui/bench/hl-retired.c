/* SPDX-License-Identifier: MIT */
#include "ui/bench/hl-retired.h"

#include "ui/bench/hl-runner.h"

#define SWEEP_MS 100

struct _HlRetired {
  grefcount ref_count;
  GPtrArray *runners; /* HlRunner */
  guint sweep;
};

HlRetired *hl_retired_new (void) {
  HlRetired *retired = g_new0 (HlRetired, 1);

  g_ref_count_init (&retired->ref_count);
  retired->runners = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_runner_free);
  return retired;
}

HlRetired *hl_retired_ref (HlRetired *retired) {
  g_ref_count_inc (&retired->ref_count);
  return retired;
}

void hl_retired_unref (HlRetired *retired) {
  if (retired == NULL || !g_ref_count_dec (&retired->ref_count))
    return;
  g_clear_handle_id (&retired->sweep, g_source_remove);
  g_ptr_array_unref (retired->runners);
  g_free (retired);
}

static gboolean sweep_cb (gpointer data) {
  HlRetired *retired = data;

  for (guint i = retired->runners->len; i-- > 0;)
    if (hl_runner_retire (retired->runners->pdata[i]))
      g_ptr_array_remove_index_fast (retired->runners, i);
  if (retired->runners->len > 0)
    return G_SOURCE_CONTINUE;
  retired->sweep = 0;
  return G_SOURCE_REMOVE;
}

void hl_retired_take (HlRetired *retired, HlRunner *runner) {
  if (hl_runner_retire (runner)) {
    hl_runner_free (runner);
    return;
  }
  g_ptr_array_add (retired->runners, runner);
  if (retired->sweep == 0)
    retired->sweep = g_timeout_add (SWEEP_MS, sweep_cb, retired);
}

gboolean hl_retired_is_busy (const HlRetired *retired) {
  return retired->runners->len > 0;
}
