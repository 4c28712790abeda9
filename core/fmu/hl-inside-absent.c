/* SPDX-License-Identifier: MIT */
/* Functions of FMI 3.0 that a hydraulic linkage has no use for: other types than Float64, clocks,
 * model partitions. Without references they succeed, since importers ask every type for nothing. */
#include "core/fmu/hl-inside-model.h"

static fmi3Status no_such_type (fmi3Instance instance, const char *function, size_t n) {
  if (n == 0)
    return instance != NULL ? fmi3OK : fmi3Error;
  return instance != NULL ? fail (instance, function, "no variable has this type") : fmi3Error;
}

static fmi3Status not_offered (fmi3Instance instance, const char *function, const char *why) {
  return instance != NULL ? fail (instance, function, why) : fmi3Error;
}

/* clang-format off */
#define TYPE(name, type) \
  fmi3Status fmi3Get##name (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, type values[], size_t n) \
  { (void)vr; (void)values; return no_such_type (instance, "fmi3Get" #name, n_vr > n ? n_vr : n); } \
  fmi3Status fmi3Set##name (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const type values[], size_t n) \
  { (void)vr; (void)values; return no_such_type (instance, "fmi3Set" #name, n_vr > n ? n_vr : n); }
TYPE (Float32, fmi3Float32)
TYPE (Int8, fmi3Int8)
TYPE (UInt8, fmi3UInt8)
TYPE (Int16, fmi3Int16)
TYPE (UInt16, fmi3UInt16)
TYPE (Int32, fmi3Int32)
TYPE (UInt32, fmi3UInt32)
TYPE (Int64, fmi3Int64)
TYPE (UInt64, fmi3UInt64)
TYPE (Boolean, fmi3Boolean)
TYPE (String, fmi3String)

fmi3Status fmi3GetBinary (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, size_t sizes[], fmi3Binary values[], size_t n)
{ (void)vr; (void)sizes; (void)values; (void)n; return no_such_type (instance, "fmi3GetBinary", n_vr); }
fmi3Status fmi3GetClock (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, fmi3Clock values[])
{ (void)vr; (void)values; return no_such_type (instance, "fmi3GetClock", n_vr); }
fmi3Status fmi3SetBinary (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const size_t sizes[], const fmi3Binary values[], size_t n)
{ (void)vr; (void)sizes; (void)values; (void)n; return no_such_type (instance, "fmi3SetBinary", n_vr); }
fmi3Status fmi3SetClock (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3Clock values[])
{ (void)vr; (void)values; return no_such_type (instance, "fmi3SetClock", n_vr); }
fmi3Status fmi3GetNumberOfVariableDependencies (fmi3Instance instance, fmi3ValueReference vr, size_t *n)
{ (void)vr; (void)n; return not_offered (instance, "fmi3GetNumberOfVariableDependencies", "dependencies do not change: modelDescription.xml has them"); }
fmi3Status fmi3GetVariableDependencies (fmi3Instance instance, fmi3ValueReference dependent, size_t dependent_elements[], fmi3ValueReference independents[], size_t independent_elements[], fmi3DependencyKind kinds[], size_t n)
{ (void)dependent; (void)dependent_elements; (void)independents; (void)independent_elements; (void)kinds; (void)n; return not_offered (instance, "fmi3GetVariableDependencies", "dependencies do not change: modelDescription.xml has them"); }
fmi3Status fmi3EnterConfigurationMode (fmi3Instance instance)
{ return not_offered (instance, "fmi3EnterConfigurationMode", "there are no structural parameters"); }
fmi3Status fmi3ExitConfigurationMode (fmi3Instance instance)
{ return not_offered (instance, "fmi3ExitConfigurationMode", "there are no structural parameters"); }
fmi3Status fmi3GetIntervalDecimal (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
{ (void)vr; (void)intervals; (void)qualifiers; return no_such_type (instance, "fmi3GetIntervalDecimal", n_vr); }
fmi3Status fmi3GetIntervalFraction (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
{ (void)vr; (void)counters; (void)resolutions; (void)qualifiers; return no_such_type (instance, "fmi3GetIntervalFraction", n_vr); }
fmi3Status fmi3GetShiftDecimal (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, fmi3Float64 shifts[])
{ (void)vr; (void)shifts; return no_such_type (instance, "fmi3GetShiftDecimal", n_vr); }
fmi3Status fmi3GetShiftFraction (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{ (void)vr; (void)counters; (void)resolutions; return no_such_type (instance, "fmi3GetShiftFraction", n_vr); }
fmi3Status fmi3SetIntervalDecimal (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3Float64 intervals[])
{ (void)vr; (void)intervals; return no_such_type (instance, "fmi3SetIntervalDecimal", n_vr); }
fmi3Status fmi3SetIntervalFraction (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{ (void)vr; (void)counters; (void)resolutions; return no_such_type (instance, "fmi3SetIntervalFraction", n_vr); }
fmi3Status fmi3SetShiftDecimal (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3Float64 shifts[])
{ (void)vr; (void)shifts; return no_such_type (instance, "fmi3SetShiftDecimal", n_vr); }
fmi3Status fmi3SetShiftFraction (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{ (void)vr; (void)counters; (void)resolutions; return no_such_type (instance, "fmi3SetShiftFraction", n_vr); }
fmi3Status fmi3GetOutputDerivatives (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3Int32 orders[], fmi3Float64 values[], size_t n)
{ (void)vr; (void)n_vr; (void)orders; (void)values; (void)n; return not_offered (instance, "fmi3GetOutputDerivatives", "derivatives of outputs are not offered"); }
fmi3Status fmi3ActivateModelPartition (fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time)
{ (void)clock; (void)time; return not_offered (instance, "fmi3ActivateModelPartition", "Scheduled Execution is not offered"); }
/* clang-format on */
