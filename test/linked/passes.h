//===- passes.h - passes of another project -------------------------------===//
#ifndef LINKED_PASSES_H
#define LINKED_PASSES_H
void registerLinkedPasses();
#endif
