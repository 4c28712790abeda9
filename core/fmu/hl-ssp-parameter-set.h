/* SPDX-License-Identifier: MIT */
/* SSP 2.0: parameter sets (.ssv), read for any command and written beside an FMU, and a system of one
 * component around it. */
#pragma once

#include "core/fmu/hl-fmu-export.h"

#define HL_SSD_STEM "SystemStructure" /* of the file in an archive that is read first */

/* Returns the document with every parameter of a .ssv at its value, each in its unit. HL_ERROR_FILE when
 * it cannot be read, HL_ERROR_SYNTAX when it is no parameter set, HL_ERROR_USAGE with the parameter that
 * the model does not have or that cannot take its value. A new reference. */
HlDocument *hl_ssv_apply (const HlDocument *document, const char *path, GError **error);
/* Returns the same with the text of a .ssv; `name` of the file begins each message. */
HlDocument *hl_ssv_parse (const HlDocument *document, const char *text, gsize length, const char *name,
                          GError **error);

/* Returns one parameter set of the document as a .ssv. `table`: of the FMU that it is for, whose
 * parameters and inputs it sets, NULL: of no FMU, all of the set. Paths that the FMU does not take are
 * left out and, where `left_out` is not NULL, added to it. Owned by the caller; NULL with the path that is
 * none. */
char *hl_ssv_write (const HlDocument *document, int set, const HlFmuTable *table, GPtrArray *left_out,
                    GError **error);
/* Returns a file name for each set, without its extension: "Overdamped". No two names, and no name and SystemStructure (the
 * description of the system in the same archive), differ by letter case alone. NULL-terminated; free with
 * g_strfreev (). */
char **hl_ssv_file_stems (const HlDocument *document);

/* Returns a .ssd around the FMU resources/IDENTIFIER.fmu with its inputs and outputs outside; `set` is the
 * file name of the parameter set in resources/ that it binds, NULL: none, the FMU has its own numbers. Owned
 * by the caller. */
char *hl_ssd_write (const HlFmuDescription *d, const char *set);
