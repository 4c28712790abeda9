/* SPDX-License-Identifier: MIT */
#include "ui/edit/tool/hl-tool-sheets.h"

#include <string.h>

#define KEPT 8        /* steps that are undone without laying out anew */
#define MOST_LINES 60 /* that are routed while a window waits */

typedef struct
{
  HlToolSheets *owner; /* NULL: it is gone */
  HlDocument *document;
  HlCircuitSheet *sheet;
} Order;

struct HlToolSheets
{
  HlTool *tool;
  HlCircuitSheet *now;        /* NULL: none yet */
  HlCircuitSheet *kept[KEPT]; /* the latest first */
  Order *order;               /* NULL: none is under way */
};

HlToolSheets *
hl_tool_sheets_new (HlTool *tool)
{
  HlToolSheets *sheets = g_new0 (HlToolSheets, 1);

  sheets->tool = tool;
  return sheets;
}

void
hl_tool_sheets_free (HlToolSheets *sheets)
{
  if (sheets == NULL)
    return;
  if (sheets->order != NULL)
    sheets->order->owner = NULL;
  hl_circuit_sheet_free (sheets->now);
  for (int k = 0; k < KEPT; k++)
    hl_circuit_sheet_free (sheets->kept[k]);
  g_free (sheets);
}

/* Takes the sheet. */
static void
push (HlToolSheets *sheets, HlCircuitSheet *sheet)
{
  hl_circuit_sheet_free (sheets->kept[KEPT - 1]);
  memmove (&sheets->kept[1], &sheets->kept[0], (KEPT - 1) * sizeof sheets->kept[0]);
  sheets->kept[0] = sheet;
}

void
hl_tool_sheets_keep (HlToolSheets *sheets)
{
  if (sheets->now == NULL || sheets->now->fits != hl_tool_base (sheets->tool))
    return;
  for (int k = 0; k < KEPT; k++)
    if (sheets->kept[k] == sheets->now)
      return;
  push (sheets, hl_circuit_sheet_ref (sheets->now));
}

/* Takes the sheet. */
static void
set_now (HlToolSheets *sheets, HlCircuitSheet *sheet)
{
  hl_tool_sheets_keep (sheets);
  hl_circuit_sheet_free (sheets->now);
  sheets->now = sheet;
}

/* --- made elsewhere --- */

/* Routes are what takes long: lines that the file does not draw. */
static gboolean
is_long (const HlDocument *document)
{
  const HlValue *places = hl_value_at (hl_document_root (document), "layout.circuit");
  int n = 0;

  for (int line = 0; line < hl_document_n_elements (document, HL_SECTION_LINES); line++)
    n +=
        hl_value_member (places, hl_document_element_id (document, HL_SECTION_LINES, line)) == NULL;
  return n > MOST_LINES;
}

static void
work (gpointer job)
{
  Order *order = job;
  order->sheet = hl_circuit_sheet_new (order->document);
}

static void
free_order (gpointer job)
{
  Order *order = job;

  if (order->owner != NULL)
    order->owner->order = NULL;
  hl_circuit_sheet_free (order->sheet);
  hl_document_unref (order->document);
  g_free (order);
}

/* Who asks finds it among those that are kept; of another document by now, it is not found. */
static void
done (gpointer job)
{
  Order *order = job;
  HlToolSheets *sheets = order->owner;

  if (sheets != NULL)
    push (sheets, g_steal_pointer (&order->sheet));
  free_order (job);
  if (sheets != NULL)
    hl_tool_announce (sheets->tool);
}

static void
send (HlToolSheets *sheets, const HlDocument *document)
{
  Order *order = g_new0 (Order, 1);

  order->owner = sheets;
  order->document = hl_document_ref (document);
  sheets->order = order;
  hl_tool_send (sheets->tool, &(HlToolErrand){work, done, free_order, order});
}

HlCircuitSheet *
hl_tool_sheets_get (HlToolSheets *sheets, const HlDocument *document, gboolean may_wait)
{
  if (sheets->now != NULL && hl_circuit_sheet_fits (sheets->now, document))
    return sheets->now;
  for (int k = 0; k < KEPT; k++)
    if (sheets->kept[k] != NULL && hl_circuit_sheet_fits (sheets->kept[k], document)) {
      set_now (sheets, hl_circuit_sheet_ref (sheets->kept[k]));
      return sheets->now;
    }
  if (may_wait && is_long (document)) {
    if (sheets->order == NULL)
      send (sheets, document);
    return NULL;
  }
  set_now (sheets, hl_circuit_sheet_new (document));
  return sheets->now;
}
