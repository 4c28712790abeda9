/* SPDX-License-Identifier: MIT */
/* The values are kept as the list of calls that named them, which is their order in JSON: an object
 * or a list, what follows up to its close, a value. */
#include "core/io/hl-answer.h"

#include "core/io/hl-answer-private.h"

static void
clear_column (gpointer data)
{
  HlAnswerColumn *column = data;
  g_free (column->title);
  g_free (column->unit);
  g_strfreev (column->texts);
}

HlAnswer *
hl_answer_new (void)
{
  HlAnswer *self = g_new0 (HlAnswer, 1);

  self->nodes = g_array_new (FALSE, FALSE, sizeof (HlAnswerNode));
  self->columns = g_array_new (FALSE, FALSE, sizeof (HlAnswerColumn));
  g_array_set_clear_func (self->columns, clear_column);
  self->texts = g_string_chunk_new (1024);
  self->numbers = g_ptr_array_new_with_free_func (g_free);
  self->page = g_string_new (NULL);
  return self;
}

void
hl_answer_free (HlAnswer *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->nodes);
  g_array_unref (self->columns);
  g_string_chunk_free (self->texts);
  g_ptr_array_unref (self->numbers);
  g_string_free (self->page, TRUE);
  g_free (self);
}

/* --- named values --- */

static HlAnswerNode *
add (HlAnswer *self, HlAnswerNodeKind kind, const char *key)
{
  /* keys come again and again */
  HlAnswerNode node = {.kind = kind,
                       .key = key != NULL ? g_string_chunk_insert_const (self->texts, key) : NULL};

  g_array_append_val (self->nodes, node);
  return &g_array_index (self->nodes, HlAnswerNode, self->nodes->len - 1);
}

void
hl_answer_open_object (HlAnswer *self, const char *key)
{
  add (self, HL_ANSWER_NODE_OBJECT, key);
}

void
hl_answer_open_list (HlAnswer *self, const char *key)
{
  add (self, HL_ANSWER_NODE_LIST, key);
}

void
hl_answer_close (HlAnswer *self)
{
  add (self, HL_ANSWER_NODE_CLOSE, NULL);
}

void
hl_answer_number (HlAnswer *self, const char *key, double value)
{
  add (self, HL_ANSWER_NODE_NUMBER, key)->value.number = value;
}

void
hl_answer_integer (HlAnswer *self, const char *key, long value)
{
  add (self, HL_ANSWER_NODE_INTEGER, key)->value.integer = value;
}

void
hl_answer_bool (HlAnswer *self, const char *key, gboolean value)
{
  add (self, HL_ANSWER_NODE_BOOL, key)->value.integer = value;
}

void
hl_answer_string (HlAnswer *self, const char *key, const char *value)
{
  add (self, HL_ANSWER_NODE_TEXT, key)->value.text =
      value != NULL ? g_string_chunk_insert_const (self->texts, value) : NULL;
}

void
hl_answer_strings (HlAnswer *self, const char *key, const char *const values[], int n)
{
  hl_answer_open_list (self, key);
  for (int k = 0; n < 0 ? values[k] != NULL : k < n; k++)
    hl_answer_string (self, NULL, values[k]);
  hl_answer_close (self);
}

/* Returns a copy of n numbers that are `stride` apart, one behind the other; the answer's. */
static const double *
copy_numbers (HlAnswer *self, const double values[], int n, int stride)
{
  double *copy = g_new (double, MAX (n, 1));

  for (int k = 0; k < n; k++)
    copy[k] = values[(gsize)k * (gsize)stride];
  g_ptr_array_add (self->numbers, copy);
  return copy;
}

static void
add_numbers (HlAnswer *self, const char *key, const double own[], int n)
{
  HlAnswerNode *node = add (self, HL_ANSWER_NODE_NUMBERS, key);

  node->value.list.values = own;
  node->value.list.n = n;
}

void
hl_answer_numbers (HlAnswer *self, const char *key, const double values[], int n, int stride)
{
  add_numbers (self, key, copy_numbers (self, values, n, stride), n);
}

void
hl_answer_matrix (HlAnswer *self, const char *key, const double values[], int rows, int columns)
{
  hl_answer_open_list (self, key);
  for (int row = 0; row < rows; row++)
    hl_answer_numbers (self, NULL, values + row, columns, rows);
  hl_answer_close (self);
}

/* --- the table --- */

void
hl_answer_column (HlAnswer *self,
                  const char *key,
                  const char *title,
                  const char *unit,
                  const double values[],
                  int n,
                  int stride)
{
  const double *own = copy_numbers (self, values, n, stride);
  HlAnswerColumn column = {g_strdup (title), g_strdup (unit), own, NULL, n};

  if (key != NULL)
    add_numbers (self, key, own, n);
  if (title != NULL)
    g_array_append_val (self->columns, column);
  else
    clear_column (&column);
}

void
hl_answer_text_column (HlAnswer *self, const char *title, const char *const values[], int n)
{
  HlAnswerColumn column = {g_strdup (title), NULL, NULL, g_new0 (char *, n + 1), n};

  for (int k = 0; k < n; k++)
    column.texts[k] = g_strdup (values[k]);
  g_array_append_val (self->columns, column);
}

void
hl_answer_row_column (HlAnswer *self, const char *title, const char *unit)
{
  hl_answer_column (self, NULL, title, unit, NULL, 0, 1);
}

void
hl_answer_hide_units (HlAnswer *self)
{
  self->hides_units = TRUE;
}

GString *
hl_answer_page (HlAnswer *self)
{
  return self->page;
}
