/* SPDX-License-Identifier: MIT */
#include "core/oil/hl-oil-feedback.h"

#include "core/base/hl-i18n.h"

#include <string.h>

char *
hl_oil_feedback_why_not (const HlSystem *sys, const char **path)
{
  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *signal = &sys->signals[k];
    if (signal->kind != HL_SIGNAL_BLOCK || (signal->klass->is_linear && !signal->listens))
      continue;
    if (signal->klass->is_linear) /* what it works on listens, and came before it */
      continue;
    *path = sys->topology->signal_paths[k];
    return g_strdup_printf (_ ("‘%s’ is a block ‘%s’, and this oil model knows no feedback: of "
                               "signals it has numbers, tables, sines, sums and gains of them"),
                            *path, signal->klass->kind.name);
  }
  return NULL;
}

gboolean
hl_oil_refuse_feedback (HlCompiler *c)
{
  const char *path;
  g_autofree char *why = hl_oil_feedback_why_not (c->sys, &path);

  if (why == NULL)
    return FALSE;
  g_autofree char *id = g_strndup (path, strcspn (path, "."));
  hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, path,
                   _ ("use the lumped model, or give it a signal over time"), "%s", why);
  hl_compile_offer_lumped (c);
  return TRUE;
}
