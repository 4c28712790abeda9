/* SPDX-License-Identifier: MIT */
/* The job of the runner's second worker: one answer to a request for a locus. */
#pragma once

#include "ui/bench/hl-runner.h"

/* Everything that it needs is copied or a reference is taken. Owned by the caller; its post is an
 * HlLocusPost. */
HlJob *hl_locus_job_new (const HlLocusRequest *request);
