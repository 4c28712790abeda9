/* SPDX-License-Identifier: MIT */
/* Documents for the tests; what cannot be read fails the test. Owned by the caller
 * (hl_document_unref). */
#pragma once

#include "core/document/hl-document.h"

/* Returns data/examples/NAME; the next function tests/golden/NAME. */
HlDocument *hl_test_example (const char *name);
HlDocument *hl_test_golden (const char *name);
/* Returns a document from JSON text; the next function with apostrophes for quotation marks. */
HlDocument *hl_test_parsed (const char *text);
HlDocument *hl_test_quoted (const char *text);
