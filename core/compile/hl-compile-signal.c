/* SPDX-License-Identifier: MIT */
/* Signals of loads and components into the flat table of core/system. */
#include "core/compile/hl-compile-private.h"

#include <string.h>

static int
add_signal (HlCompiler *c, const HlSignal *signal, const char *path)
{
  int index = (int)c->signals->len;

  g_array_append_val (c->signals, *signal);
  if (path != NULL) {
    g_array_append_val (c->inputs, index);
    g_ptr_array_add (c->input_names, hl_compile_own_string (c, path));
  }
  return index;
}

static void
add_hand (HlCompiler *c, int signal, const char *path)
{
  g_array_append_val (c->hands, signal);
  g_ptr_array_add (c->hand_names, hl_compile_own_string (c, path));
}

/* What a hand takes hold of: the levers that are added to something else, or the whole signal. */
static void
add_hands (HlCompiler *c, int index, const HlValue *value, const char *path)
{
  const HlSignal signal = g_array_index (c->signals, HlSignal, index);
  gboolean has_levers = FALSE;

  for (int k = 0; signal.kind == HL_SIGNAL_SUM && k < signal.n_of; k++) {
    const HlValue *term = hl_value_item (hl_value_member (value, "of"), (gsize)k);
    if (g_strcmp0 (hl_value_string (hl_value_member (term, "kind")), "lever") != 0)
      continue;
    g_autofree char *name = g_strdup_printf ("%s.of.%d", path, k);
    add_hand (c, signal.of[k], name);
    has_levers = TRUE;
  }
  if (!has_levers)
    add_hand (c, index, path);
}

static const double *
numbers (HlCompiler *c, const HlValue *array)
{
  gsize n = hl_value_length (array);
  double *out = hl_topology_own (c->topology, calloc (n + 1, sizeof *out));

  for (gsize k = 0; k < n; k++)
    out[k] = hl_value_number (hl_value_item (array, k));
  return out;
}

static int
compile_signal (HlCompiler *c, const HlValue *value, const char *path, double fallback)
{
  HlSignal signal = {.kind = HL_SIGNAL_CONSTANT, .value = fallback};
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_SIGNAL, value);

  if (value == NULL || kind == NULL)
    return add_signal (c, &signal, path);
  if (hl_value_is_number (value))
    signal.value = hl_value_number (value);
  else if (strcmp (kind->name, "table") == 0) {
    signal.kind = HL_SIGNAL_TABLE;
    signal.n = (int)hl_value_length (hl_value_member (value, "t"));
    signal.t = numbers (c, hl_value_member (value, "t"));
    signal.y = numbers (c, hl_value_member (value, "y"));
    signal.hold = g_strcmp0 (hl_kind_text (kind, value, "between"), "hold") == 0;
  } else if (strcmp (kind->name, "sine") == 0) {
    signal.kind = HL_SIGNAL_SINE;
    signal.amplitude = hl_kind_number (kind, value, "amplitude", NULL);
    signal.frequency_hz = hl_kind_number (kind, value, "frequency_hz", NULL);
    signal.phase = hl_kind_number (kind, value, "phase", NULL);
    signal.offset = hl_kind_number (kind, value, "offset", NULL);
  } else if (strcmp (kind->name, "sum") == 0) {
    const HlValue *of = hl_value_member (value, "of");
    int n = (int)hl_value_length (of);
    int *terms = hl_topology_own (c->topology, calloc ((size_t)n + 1, sizeof *terms));

    for (int k = 0; k < n; k++)
      terms[k] = compile_signal (c, hl_value_item (of, (gsize)k), NULL, 0.0);
    signal.kind = HL_SIGNAL_SUM;
    signal.n_of = n;
    signal.of = terms;
  } else
    signal.value = hl_kind_number (kind, value, "value", NULL);
  return add_signal (c, &signal, path);
}

int
hl_compile_signal (HlCompiler *c, const HlValue *value, const char *path, double fallback)
{
  int index = compile_signal (c, value, path, fallback);

  if (path != NULL)
    add_hands (c, index, value, path);
  return index;
}
