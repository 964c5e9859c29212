//===- Presburger.cpp - integer sets of linear constraints ----------------===//
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"

using namespace mlir;
using namespace mlir::presburger;

namespace {
/// The set of a matrix with `variables` coefficients and a constant in each row: first the equalities (row
/// is 0), then the inequalities (row is 0 or more).
IntegerPolyhedron setOf(const int64_t *rows, size_t equalities, size_t inequalities, size_t variables) {
  IntegerPolyhedron set(PresburgerSpace::getSetSpace(variables));
  size_t width = variables + 1;
  for (size_t i = 0; i < equalities + inequalities; ++i) {
    ArrayRef<int64_t> row(rows + i * width, width);
    i < equalities ? set.addEquality(row) : set.addInequality(row);
  }
  return set;
}

/// The most inequalities during elimination. Eliminating a variable may produce up to half the square of
/// their number: beyond this limit it takes minutes.
constexpr size_t mostRows = 64;

/// The variable from `first` on whose elimination adds the fewest inequalities, and their number.
std::pair<unsigned, size_t> cheapest(const IntegerPolyhedron &set, unsigned first) {
  std::pair<unsigned, size_t> best(first, SIZE_MAX);
  for (unsigned variable = first; variable < set.getNumVars(); ++variable) {
    size_t lower = 0, upper = 0, equal = 0;
    for (unsigned i = 0; i < set.getNumEqualities(); ++i)
      equal += set.atEq(i, variable) != 0;
    for (unsigned i = 0; i < set.getNumInequalities(); ++i) {
      lower += set.atIneq(i, variable) > 0;
      upper += set.atIneq(i, variable) < 0;
    }
    size_t more = equal ? 0 : lower * upper;
    if (more < best.second)
      best = {variable, more};
  }
  return best;
}

/// Passes a row to `each`, if its numbers fit.
bool give(ArrayRef<DynamicAPInt> row, bool isEquality, void (*each)(void *, bool, const int64_t *),
          void *user) {
  SmallVector<int64_t> numbers;
  for (const DynamicAPInt &number : row) {
    if (number > DynamicAPInt(INT64_MAX) || number < DynamicAPInt(INT64_MIN))
      return false;
    numbers.push_back(int64fromDynamicAPInt(number));
  }
  each(user, isEquality, numbers.data());
  return true;
}
} // namespace

extern "C" {
/// True if the set has no point, not even a rational one.
bool lwPresburgerIsRationallyEmpty(const int64_t *rows, size_t equalities, size_t inequalities,
                                   size_t variables) {
  IntegerPolyhedron set = setOf(rows, equalities, inequalities, variables);
  return set.isEmptyByGCDTest() || Simplex(set).isEmpty();
}

/// Searches an integer point and writes it to `point`. Returns 1 if there is one, 0 if there is none, and
/// -1 if its coordinates do not fit.
int32_t lwPresburgerSample(const int64_t *rows, size_t equalities, size_t inequalities, size_t variables,
                           int64_t *point) {
  auto sample = setOf(rows, equalities, inequalities, variables).findIntegerSample();
  if (!sample)
    return 0;
  for (size_t i = 0; i < variables; ++i) {
    if ((*sample)[i] > DynamicAPInt(INT64_MAX) || (*sample)[i] < DynamicAPInt(INT64_MIN))
      return -1;
    point[i] = int64fromDynamicAPInt((*sample)[i]);
  }
  return 1;
}

/// Calls `each` with the constraints on the first `kept` variables that all constraints imply: a row, and
/// whether it is an equality. False if a number does not fit, or if the elimination makes too many rows.
bool lwPresburgerProject(const int64_t *rows, size_t equalities, size_t inequalities, size_t variables,
                         size_t kept, void (*each)(void *, bool, const int64_t *), void *user) {
  IntegerPolyhedron set = setOf(rows, equalities, inequalities, variables);
  while (set.getNumVars() > kept) {
    auto [variable, more] = cheapest(set, kept);
    if (set.getNumInequalities() + more > mostRows) {
      set.removeRedundantConstraints();
      std::tie(variable, more) = cheapest(set, kept);
      if (set.getNumInequalities() + more > mostRows)
        return false;
    }
    set.projectOut(variable);
  }
  set.removeRedundantConstraints();
  for (unsigned i = 0; i < set.getNumEqualities(); ++i)
    if (!give(set.getEquality(i), true, each, user))
      return false;
  for (unsigned i = 0; i < set.getNumInequalities(); ++i)
    if (!give(set.getInequality(i), false, each, user))
      return false;
  return true;
}
}
