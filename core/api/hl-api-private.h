/* SPDX-License-Identifier: MIT */
/* What stands behind hydrolink.h. Only core/api includes it. */
#pragma once

#include <stdatomic.h>

#include "core/api/hydrolink.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-document.h"
#include "core/system/hl-observable.h"

struct HydrolinkModel
{
  HlDocument *document;
  HlSystem *system;       /* of the document; NULL: to be compiled */
  HlWork *work;           /* of the system; NULL: to be made */
  bool is_lent;           /* somebody else holds the system too: it must not change any more */
  char **paths;           /* every number that can be set; NULL: to be listed */
  atomic_bool is_stopped; /* somebody wants no more of the run that goes on */
};

struct HydrolinkState
{
  HlSystem *system;
  HlPoint *point;
};

/* Moves the error, which may be NULL, to who asked. Returns 0. */
int hl_api_fail (GError *why, char **error);
/* The compiled machine; NULL and *error when it has none. Borrowed. */
const HlSystem *hl_api_system (HydrolinkModel *model, char **error);
/* The work of the compiled machine. Borrowed. */
HlWork *hl_api_work (HydrolinkModel *model);
/* What begins here is wanted, whatever was stopped before; and the cancel callback of it. */
void hl_api_begin (HydrolinkModel *model);
bool hl_api_is_stopped (void *model);
/* As a fault of the compiled machine. Returns 0. */
int hl_api_fail_by_fault (const HydrolinkModel *model, const HlFault *fault, char **error);
/* Fills a point of the compiled machine. */
int hl_api_find_point (
    HydrolinkModel *model, HydrolinkPlace place, double time, HlPoint *point, char **error);
