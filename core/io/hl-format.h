/* SPDX-License-Identifier: MIT */
/* The file format, told by the tables that the program reads files with: as a JSON Schema for other
 * programs and as a page for people. */
#pragma once

/* JSON Schema (draft 2020-12) of a model file; English; owned by the caller (g_free). It is never
 * stricter than the program: what it refuses, `validate` finds an error in. */
char *hl_format_schema (void);

/* The page in Markdown; English; owned by the caller (g_free). */
char *hl_format_page (void);
