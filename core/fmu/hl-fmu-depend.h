/* SPDX-License-Identifier: MIT */
/* On what the unknowns of an FMU depend: the structure of the equations, never a zero at one point. */
#pragma once

#include "core/fmu/hl-fmu.h"

typedef struct _HlFmuDepend HlFmuDepend;

/* Of a compiled system and its table, which it borrows; owned by the caller. */
HlFmuDepend *hl_fmu_depend_new (const HlSystem *sys, const HlWork *work, const HlFmuTable *table);
void hl_fmu_depend_free (HlFmuDepend *depend);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFmuDepend, hl_fmu_depend_free)
/* References of what a derivative or output depends on, rising; *n of them, borrowed until the next call.
 * NULL: perhaps on everything. *is_constant: each factor is a constant. */
const guint32 *hl_fmu_depend_of (HlFmuDepend *depend,
                                 const HlFmuVariable *unknown,
                                 gsize *n,
                                 gboolean *is_constant);
