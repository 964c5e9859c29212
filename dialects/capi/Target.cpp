//===- Target.cpp - target functions that LLVM's C API lacks --------------===//
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

static const MCSubtargetInfo &subtarget(void *machine) {
  return *reinterpret_cast<TargetMachine *>(machine)->getMCSubtargetInfo();
}

extern "C" {
/// True if `cpu` is the name of a processor of this target. For an unknown name, LLVM prints a warning and
/// continues.
bool lwKnowsProcessor(void *machine, const char *cpu) {
  return subtarget(machine).isCPUStringValid(cpu);
}

/// True if `feature`, without a sign, is the name of a feature of this target.
bool lwKnowsFeature(void *machine, const char *feature) {
  return any_of(subtarget(machine).getAllProcessorFeatures(),
                [&](const SubtargetFeatureKV &known) { return StringRef(known.Key) == feature; });
}

/// True if the processor has the feature, given as `+name`.
bool lwHasFeature(void *machine, const char *feature) {
  return subtarget(machine).checkFeatures(feature);
}
}
