//===- Target.cpp - what LLVM's C API does not tell about processors ------===//
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

static const MCSubtargetInfo &subtarget(void *machine) {
  return *reinterpret_cast<TargetMachine *>(machine)->getMCSubtargetInfo();
}

extern "C" {
/// Is `cpu` the name of a processor of this target? With a name it does not know, LLVM prints a
/// warning and goes on.
bool lwKnowsProcessor(void *machine, const char *cpu) {
  return subtarget(machine).isCPUStringValid(cpu);
}

/// Is `feature`, without sign, the name of a feature of this target?
bool lwKnowsFeature(void *machine, const char *feature) {
  return any_of(subtarget(machine).getAllProcessorFeatures(),
                [&](const SubtargetFeatureKV &known) { return StringRef(known.Key) == feature; });
}

/// Does the processor have the feature, given as `+name`?
bool lwHasFeature(void *machine, const char *feature) {
  return subtarget(machine).checkFeatures(feature);
}
}
