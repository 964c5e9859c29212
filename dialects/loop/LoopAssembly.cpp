//===- LoopAssembly.cpp - the text form of the loop dialect ---------------===//
//
// In the text, affine expressions use the names of SSA values. Every op has its
// values in one or two operand lists without repetition ("sizes" are symbols,
// "binds" are dimensions), and its maps refer to positions in these lists.
//
//===----------------------------------------------------------------------===//
#include "Loop.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace loopwright::loop;
using Operand = OpAsmParser::UnresolvedOperand;

//===----------------------------------------------------------------------===//
// Parsing of expressions
//===----------------------------------------------------------------------===//

namespace {
/// The distinct operands that the expressions of an op have named so far.
struct OperandSet {
  SmallVector<Operand> list;
  unsigned position(const Operand &operand) {
    auto *it = llvm::find_if(list, [&](const Operand &other) {
      return other.name == operand.name && other.number == operand.number;
    });
    unsigned index = it - list.begin();
    if (index == list.size())
      list.push_back(operand);
    return index;
  }
};

/// Resolves the names in an expression. `%x` is a block iter if there is one of
/// that name, else a bind (if the op has binds here), else a size. `symbol(%x)` is
/// always a size.
struct Names {
  ArrayRef<OpAsmParser::Argument> iters;
  OperandSet *binds = nullptr;
  OperandSet &sizes;
};
} // namespace

static ParseResult parseExpression(OpAsmParser &parser, Names &names, AffineExpr &result) {
  SmallVector<Operand> dims, symbols;
  AffineExpr parsed;
  if (parser.parseAffineExprOfSSAIds(dims, symbols, parsed))
    return failure();
  MLIRContext *context = parser.getContext();
  auto size = [&](const Operand &operand) {
    return getAffineSymbolExpr(names.sizes.position(operand), context);
  };
  SmallVector<AffineExpr> dimExprs, symbolExprs;
  for (const Operand &operand : dims) {
    auto *iter = llvm::find_if(names.iters, [&](const OpAsmParser::Argument &argument) {
      return argument.ssaName.name == operand.name && argument.ssaName.number == operand.number;
    });
    if (iter != names.iters.end())
      dimExprs.push_back(getAffineDimExpr(iter - names.iters.begin(), context));
    else if (names.binds)
      dimExprs.push_back(getAffineDimExpr(names.binds->position(operand), context));
    else
      dimExprs.push_back(size(operand));
  }
  for (const Operand &operand : symbols)
    symbolExprs.push_back(size(operand));
  result = parsed.replaceDimsAndSymbols(dimExprs, symbolExprs);
  return success();
}

/// `expression` or `min(expression, ...)`.
static ParseResult parseMinimum(OpAsmParser &parser, Names &names,
                                SmallVectorImpl<AffineExpr> &results) {
  auto one = [&] { return parseExpression(parser, names, results.emplace_back()); };
  if (succeeded(parser.parseOptionalKeyword("min")))
    return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, one, " after 'min'");
  return one();
}

/// `(a >= b, c == d, ...)` with any of `<`, `<=`, `>`, `>=`, `==`.
static ParseResult parseConstraints(OpAsmParser &parser, Names &names,
                                    SmallVectorImpl<AffineExpr> &constraints,
                                    SmallVectorImpl<bool> &equalities) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    AffineExpr left, right;
    if (parseExpression(parser, names, left))
      return failure();
    SMLoc loc = parser.getCurrentLocation();
    bool less = succeeded(parser.parseOptionalLess());
    bool greater = !less && succeeded(parser.parseOptionalGreater());
    bool equal = succeeded(parser.parseOptionalEqual());
    if (!less && !greater && !(equal && succeeded(parser.parseOptionalEqual())))
      return parser.emitError(loc, "expected one of '<', '<=', '>', '>=', '=='");
    if (parseExpression(parser, names, right))
      return failure();
    AffineExpr difference = less ? right - left : left - right;
    constraints.push_back((less || greater) && !equal ? difference - 1 : difference);
    equalities.push_back(!less && !greater);
    return success();
  });
}

/// The type of a value that is defined earlier in the text. The parser has no
/// query for it. Its diagnostic about a wrong type has the right one as the last
/// type among its arguments, so this provokes that diagnostic.
static ParseResult typeOf(OpAsmParser &parser, const Operand &operand, Type &type) {
  type = {};
  {
    uint64_t thread = llvm::get_threadid();
    ScopedDiagnosticHandler handler(parser.getContext(), [&](Diagnostic &diagnostic) {
      if (llvm::get_threadid() != thread)
        return failure();
      for (DiagnosticArgument &argument : diagnostic.getArguments())
        if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Type)
          type = argument.getAsType();
      return success();
    });
    SmallVector<Value> ignored;
    (void)parser.resolveOperand(operand, NoneType::get(parser.getContext()), ignored);
  }
  if (!type)
    return parser.emitError(operand.location)
           << "'" << operand.name << "' is not defined before its use";
  return success();
}

//===----------------------------------------------------------------------===//
// Printing of expressions
//===----------------------------------------------------------------------===//

/// Prints sizes as plain `%n` if the text is then still affine, else as `symbol(%n)`.
static void printExpression(OpAsmPrinter &printer, AffineExpr expr, ValueRange dims,
                            ValueRange sizes) {
  SmallVector<AffineExpr> asDims;
  for (unsigned i = 0; i < sizes.size(); ++i)
    asDims.push_back(getAffineDimExpr(dims.size() + i, expr.getContext()));
  SmallVector<Value> all(dims);
  llvm::append_range(all, sizes);
  AffineExpr plain = expr.replaceSymbols(asDims);
  if (plain.isPureAffine())
    printer.printAffineExprOfSSAIds(plain, all, {});
  else
    printer.printAffineExprOfSSAIds(expr, dims, sizes);
}

static void printMinimum(OpAsmPrinter &printer, AffineMap map, ValueRange dims, ValueRange sizes) {
  if (map.getNumResults() == 1)
    return printExpression(printer, map.getResult(0), dims, sizes);
  printer << "min(";
  llvm::interleaveComma(map.getResults(), printer,
                        [&](AffineExpr expr) { printExpression(printer, expr, dims, sizes); });
  printer << ')';
}

/// Binds are dimensions here and sizes symbols, so sizes are written `symbol(%n)`.
static void printConstraints(OpAsmPrinter &printer, IntegerSet set, ValueRange dims,
                             ValueRange symbols) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(set.getConstraints(), set.getEqFlags()), printer, [&](auto each) {
    printer.printAffineExprOfSSAIds(std::get<0>(each), dims, symbols);
    printer << (std::get<1>(each) ? " == 0" : " >= 0");
  });
  printer << ')';
}

/// True if the printer shows `value` as `%name`.
static bool isShownAs(OpAsmPrinter &printer, Value value, StringRef name) {
  std::string shown;
  llvm::raw_string_ostream os(shown);
  printer.printOperand(value, os);
  return StringRef(shown).drop_front() == name;
}

/// The name derived from an SSA name; a number is prefixed with a letter.
static std::string nameOf(const Operand &ssaName, char letter) {
  std::string name = ssaName.name.drop_front().str();
  return llvm::isDigit(name.front()) ? letter + name : name;
}

//===----------------------------------------------------------------------===//
// loop.for
//===----------------------------------------------------------------------===//

/// `128`, `%n`, `#map(%i)[%n]` or `min #map(%i)[%n]`.
static ParseResult parseExtent(OpAsmParser &parser, AffineMap &extent,
                               SmallVectorImpl<Operand> &operands) {
  Builder &builder = parser.getBuilder();
  int64_t constant;
  if (OptionalParseResult result = parser.parseOptionalInteger(constant); result.has_value()) {
    extent = builder.getConstantAffineMap(constant);
    return *result;
  }
  Operand size;
  if (OptionalParseResult result = parser.parseOptionalOperand(size); result.has_value()) {
    operands.push_back(size);
    extent = builder.getSymbolIdentityMap();
    return *result;
  }
  SMLoc loc = parser.getCurrentLocation();
  bool minimum = succeeded(parser.parseOptionalKeyword("min"));
  AffineMapAttr map;
  if (parser.parseAttribute(map) ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren))
    return failure();
  size_t dims = operands.size();
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::OptionalSquare))
    return failure();
  extent = map.getValue();
  if (extent.getNumDims() != dims || extent.getNumSymbols() != operands.size() - dims)
    return parser.emitError(loc) << "the map takes " << extent.getNumDims() << " dimensions and "
                                 << extent.getNumSymbols() << " symbols, found " << dims << " and "
                                 << operands.size() - dims;
  if (!minimum && extent.getNumResults() != 1)
    return parser.emitError(loc, "an extent of several results is written 'min #map(..)[..]'");
  return success();
}

static void printExtent(OpAsmPrinter &printer, AffineMap extent, ValueRange operands) {
  if (extent.getNumInputs() == 0 && extent.isSingleConstant()) {
    printer << extent.getSingleConstantResult();
    return;
  }
  if (extent == Builder(extent.getContext()).getSymbolIdentityMap()) {
    printer << operands[0];
    return;
  }
  if (extent.getNumResults() != 1)
    printer << "min ";
  printer << AffineMapAttr::get(extent) << '(' << operands.take_front(extent.getNumDims()) << ')';
  if (extent.getNumSymbols())
    printer << '[' << operands.drop_front(extent.getNumDims()) << ']';
}

/// `axis(tile_outer from "i" pair "i.1")`
static ParseResult parseAxis(OpAsmParser &parser, ForOp::Properties &properties) {
  if (failed(parser.parseOptionalKeyword("axis")))
    return success();
  Builder &builder = parser.getBuilder();
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseLParen() || parser.parseKeyword(&word))
    return failure();
  std::optional<AxisType> type = symbolizeAxisType(word);
  if (!type)
    return parser.emitError(loc) << "unknown axis type '" << word << "'";
  properties.setAxisType(AxisTypeAttr::get(parser.getContext(), *type));
  SmallVector<Attribute> from;
  if (succeeded(parser.parseOptionalKeyword("from")) && parser.parseCommaSeparatedList([&] {
        StringAttr name;
        if (parser.parseAttribute(name))
          return failure();
        from.push_back(name);
        return success();
      }))
    return failure();
  if (!from.empty())
    properties.setAxisFrom(builder.getArrayAttr(from));
  StringAttr pair;
  if (succeeded(parser.parseOptionalKeyword("pair")) && parser.parseAttribute(pair))
    return failure();
  if (pair)
    properties.setAxisPair(pair);
  return parser.parseRParen();
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  MLIRContext *context = parser.getContext();
  Builder &builder = parser.getBuilder();
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<LoopKind> kind = symbolizeLoopKind(word);
  if (!kind)
    return parser.emitError(loc) << "unknown loop kind '" << word
                                 << "', expected serial, parallel, vectorize, unroll or thread_bind";
  properties.setKind(LoopKindAttr::get(context, *kind));
  if (succeeded(parser.parseOptionalLSquare())) {
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<ThreadAxis> thread = symbolizeThreadAxis(word);
    if (!thread)
      return parser.emitError(loc) << "unknown thread axis '" << word
                                   << "', expected blockIdx.x/y/z, threadIdx.x/y/z or vthread";
    properties.setThread(ThreadAxisAttr::get(context, *thread));
    if (parser.parseRSquare())
      return failure();
  }
  OpAsmParser::Argument variable;
  variable.type = builder.getIndexType();
  if (parser.parseArgument(variable))
    return failure();
  StringAttr name = builder.getStringAttr(nameOf(variable.ssaName, 'i'));
  AffineMap extent;
  SmallVector<Operand> operands;
  if ((succeeded(parser.parseOptionalKeyword("name")) &&
       (parser.parseLParen() || parser.parseAttribute(name) || parser.parseRParen())) ||
      parser.parseKeyword("in") || parseExtent(parser, extent, operands) ||
      parser.resolveOperands(operands, builder.getIndexType(), result.operands) ||
      parseAxis(parser, properties) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  properties.setName(name);
  properties.setExtent(AffineMapAttr::get(extent));
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, variable))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyLoopKind(getKind());
  if (auto thread = getThread())
    printer << '[' << stringifyThreadAxis(*thread) << ']';
  printer << ' ' << getInductionVar();
  if (!isShownAs(printer, getInductionVar(), getName()))
    printer << " name(" << getNameAttr() << ')';
  printer << " in ";
  printExtent(printer, getExtent(), getExtentOperands());
  if (auto type = getAxisType()) {
    printer << " axis(" << stringifyAxisType(*type);
    if (auto from = getAxisFrom()) {
      printer << " from ";
      llvm::interleaveComma(*from, printer);
    }
    if (auto pair = getAxisPairAttr())
      printer << " pair " << pair;
    printer << ')';
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"kind", "thread", "name", "extent", "axis_type", "axis_from", "axis_pair"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

//===----------------------------------------------------------------------===//
// loop.block
//===----------------------------------------------------------------------===//

namespace {
/// `reads(...)` or `writes(...)` while it is parsed.
struct Boxes {
  SmallVector<Value> buffers;
  SmallVector<SmallVector<AffineExpr>> offsets, extents;

  std::pair<ArrayAttr, ArrayAttr> maps(Builder &builder, unsigned dims, unsigned symbols) {
    auto make = [&](ArrayRef<SmallVector<AffineExpr>> lists, unsigned numDims) {
      return builder.getArrayAttr(llvm::map_to_vector(lists, [&](auto &list) -> Attribute {
        return AffineMapAttr::get(AffineMap::get(numDims, symbols, list, builder.getContext()));
      }));
    };
    return {make(offsets, dims), make(extents, 0)};
  }
};
} // namespace

/// The extent that represents `*` in the attributes; src/dialect/loop_op.rs defines it too.
static constexpr int64_t wholeExtent = -1;

/// `keyword(%A[%vi * 16 : 16, %vk : %n], %T[*, 0 : 8])`
static ParseResult parseBoxes(OpAsmParser &parser, StringRef keyword,
                              ArrayRef<OpAsmParser::Argument> iters, OperandSet &sizes,
                              Boxes &boxes) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  MLIRContext *context = parser.getContext();
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    Operand buffer;
    Type type;
    if (parser.parseOperand(buffer) || typeOf(parser, buffer, type) ||
        parser.resolveOperand(buffer, type, boxes.buffers))
      return failure();
    auto &offsets = boxes.offsets.emplace_back();
    auto &extents = boxes.extents.emplace_back();
    return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
      AffineExpr &offset = offsets.emplace_back(getAffineConstantExpr(0, context));
      AffineExpr &extent = extents.emplace_back(getAffineConstantExpr(wholeExtent, context));
      if (succeeded(parser.parseOptionalStar()))
        return success();
      Names inIters{iters, nullptr, sizes}, inSizes{{}, nullptr, sizes};
      if (parseExpression(parser, inIters, offset) || parser.parseColon())
        return failure();
      SMLoc loc = parser.getCurrentLocation();
      if (parseExpression(parser, inSizes, extent))
        return failure();
      auto constant = dyn_cast<AffineConstantExpr>(extent);
      if (constant && constant.getValue() < 0)
        return parser.emitError(loc) << "extent " << constant.getValue() << " is negative";
      return success();
    });
  });
}

static void printBoxes(OpAsmPrinter &printer, StringRef keyword, ValueRange buffers,
                       ArrayAttr offsets, ArrayAttr extents, ValueRange iters, ValueRange sizes) {
  if (buffers.empty())
    return;
  printer << keyword << '(';
  llvm::interleaveComma(llvm::enumerate(buffers), printer, [&](auto each) {
    AffineMap offset = cast<AffineMapAttr>(offsets[each.index()]).getValue();
    AffineMap extent = cast<AffineMapAttr>(extents[each.index()]).getValue();
    printer << each.value() << '[';
    llvm::interleaveComma(llvm::zip(offset.getResults(), extent.getResults()), printer, [&](auto d) {
      auto [from, size] = d;
      if (auto constant = dyn_cast<AffineConstantExpr>(size);
          constant && constant.getValue() == wholeExtent) {
        printer << '*';
        return;
      }
      printExpression(printer, from, iters, sizes);
      printer << " : ";
      printExpression(printer, size, {}, sizes);
    });
    printer << ']';
  });
  printer << ')';
}

/// `reducer(add, 0.0)`, `reducer(argmax, 0xFF800000, 0)`, `reducer(add, 0, max, 0)`,
/// `reducer(ordered)`; identities have the element types of the written buffers.
static ParseResult parseReducer(OpAsmParser &parser, ArrayRef<Value> writes,
                                BlockOp::Properties &properties) {
  if (failed(parser.parseOptionalKeyword("reducer")))
    return success();
  SmallVector<int32_t> combiners;
  SmallVector<Attribute> identities;
  auto one = [&]() -> ParseResult {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalKeyword(&word))) {
      std::optional<Combiner> combiner = symbolizeCombiner(word);
      if (!combiner)
        return parser.emitError(loc) << "unknown combiner '" << word << "'";
      combiners.push_back(static_cast<int32_t>(*combiner));
      return success();
    }
    auto buffer = identities.size() < writes.size()
                      ? dyn_cast<MemRefType>(writes[identities.size()].getType())
                      : MemRefType();
    if (!buffer)
      return parser.emitError(loc) << "found an identity more than the " << writes.size()
                                   << " written buffers";
    return parser.parseAttribute(identities.emplace_back(), buffer.getElementType());
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, one))
    return failure();
  properties.setCombiners(parser.getBuilder().getDenseI32ArrayAttr(combiners));
  properties.setIdentities(parser.getBuilder().getArrayAttr(identities));
  return success();
}

static void printReducer(OpAsmPrinter &printer, ArrayRef<int32_t> combiners, ArrayAttr identities) {
  printer << "reducer(";
  size_t next = 0;
  llvm::interleaveComma(combiners, printer, [&](int32_t each) {
    auto combiner = static_cast<Combiner>(each);
    printer << stringifyCombiner(combiner);
    size_t values = combiner == Combiner::Ordered ? 0
                    : combiner == Combiner::ArgMax || combiner == Combiner::ArgMin ? 2
                    : combiner == Combiner::Welford ? 3 : 1;
    for (size_t i = 0; i < values && next < identities.size(); ++i, ++next) {
      printer << ", ";
      printer.printAttributeWithoutType(identities[next]);
    }
  });
  printer << ')';
}

ParseResult BlockOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  MLIRContext *context = parser.getContext();
  SmallVector<OpAsmParser::Argument> iters;
  SmallVector<Attribute> iterNames;
  SmallVector<int32_t> roles;
  SmallVector<SmallVector<AffineExpr>> domains;
  OperandSet sizes, binds;
  Names inSizes{{}, nullptr, sizes}, inBinds{{}, &binds, sizes};

  auto iter = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = iters.emplace_back();
    argument.type = builder.getIndexType();
    StringRef word;
    if (parser.parseArgument(argument))
      return failure();
    StringAttr name = builder.getStringAttr(nameOf(argument.ssaName, 'v'));
    if (succeeded(parser.parseOptionalKeyword("name")) &&
        (parser.parseLParen() || parser.parseAttribute(name) || parser.parseRParen()))
      return failure();
    iterNames.push_back(name);
    if (parser.parseColon())
      return failure();
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<IterRole> role = symbolizeIterRole(word);
    if (!role)
      return parser.emitError(loc) << "unknown iter role '" << word
                                   << "', expected spatial, reduce or opaque";
    roles.push_back(static_cast<int32_t>(*role));
    return parseMinimum(parser, inSizes, domains.emplace_back());
  };
  StringAttr name;
  SmallVector<AffineExpr> binding, constraints;
  SmallVector<bool> equalities;
  Boxes reads, writes;
  if (parser.parseAttribute(name) ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, iter) ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&] {
        return parseExpression(parser, inBinds, binding.emplace_back());
      }))
    return failure();
  bool predicated = succeeded(parser.parseOptionalKeyword("where"));
  if ((predicated && parseConstraints(parser, inBinds, constraints, equalities)) ||
      parseBoxes(parser, "reads", iters, sizes, reads) ||
      parseBoxes(parser, "writes", iters, sizes, writes) ||
      parseReducer(parser, writes.buffers, properties) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  if (predicated && constraints.empty())
    return parser.emitError(parser.getNameLoc(), "'where' needs at least one condition");

  unsigned numSizes = sizes.list.size(), numBinds = binds.list.size();
  properties.setName(name);
  properties.setIterNames(builder.getArrayAttr(iterNames));
  properties.setRoles(builder.getDenseI32ArrayAttr(roles));
  properties.setDomains(builder.getArrayAttr(llvm::map_to_vector(domains, [&](auto &d) -> Attribute {
    return AffineMapAttr::get(AffineMap::get(0, numSizes, d, context));
  })));
  properties.setBinding(AffineMapAttr::get(AffineMap::get(numBinds, numSizes, binding, context)));
  if (predicated)
    properties.setPredicate(
        IntegerSetAttr::get(IntegerSet::get(numBinds, numSizes, constraints, equalities)));
  auto [readOffsets, readExtents] = reads.maps(builder, iters.size(), numSizes);
  properties.setReadOffsets(readOffsets);
  properties.setReadExtents(readExtents);
  auto [writeOffsets, writeExtents] = writes.maps(builder, iters.size(), numSizes);
  properties.setWriteOffsets(writeOffsets);
  properties.setWriteExtents(writeExtents);
  properties.setOperandSegmentSizes({static_cast<int32_t>(numSizes), static_cast<int32_t>(numBinds),
                                     static_cast<int32_t>(reads.buffers.size()),
                                     static_cast<int32_t>(writes.buffers.size())});
  Type index = builder.getIndexType();
  if (parser.resolveOperands(sizes.list, index, result.operands) ||
      parser.resolveOperands(binds.list, index, result.operands))
    return failure();
  result.addOperands(reads.buffers);
  result.addOperands(writes.buffers);
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, iters))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void BlockOp::print(OpAsmPrinter &printer) {
  ValueRange iters = getBody().getArguments(), sizes = getSizes(), binds = getBinds();
  printer << ' ' << getNameAttr() << " [";
  llvm::interleaveComma(llvm::enumerate(iters), printer, [&](auto each) {
    size_t i = each.index();
    printer << each.value();
    auto name = cast<StringAttr>(getIterNames()[i]);
    if (!isShownAs(printer, each.value(), name))
      printer << " name(" << name << ')';
    printer << ": " << stringifyIterRole(static_cast<IterRole>(getRoles()[i])) << ' ';
    printMinimum(printer, cast<AffineMapAttr>(getDomains()[i]).getValue(), {}, sizes);
  });
  printer << "] = (";
  llvm::interleaveComma(getBinding().getResults(), printer, [&](AffineExpr expr) {
    printer.printAffineExprOfSSAIds(expr, binds, sizes);
  });
  printer << ')';
  // The rest of the header is on separate lines, indented more than the body.
  printer.increaseIndent();
  printer.increaseIndent();
  if (auto predicate = getPredicate()) {
    printer.printNewline();
    printer << "where";
    printConstraints(printer, *predicate, binds, sizes);
  }
  if (!getReads().empty() || !getWrites().empty())
    printer.printNewline();
  printBoxes(printer, "reads", getReads(), getReadOffsets(), getReadExtents(), iters, sizes);
  if (!getReads().empty() && !getWrites().empty())
    printer << ' ';
  printBoxes(printer, "writes", getWrites(), getWriteOffsets(), getWriteExtents(), iters, sizes);
  if (auto combiners = getCombiners()) {
    printer.printNewline();
    printReducer(printer, *combiners, getIdentitiesAttr() ? getIdentitiesAttr()
                                                           : ArrayAttr::get(getContext(), {}));
  }
  printer.decreaseIndent();
  printer.decreaseIndent();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"name", "iter_names", "roles", "domains", "binding", "predicate", "read_offsets",
       "read_extents", "write_offsets", "write_extents", "combiners", "identities",
       "operandSegmentSizes"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

//===----------------------------------------------------------------------===//
// loop.if
//===----------------------------------------------------------------------===//

ParseResult IfOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  OperandSet sizes, values;
  Names names{{}, &values, sizes};
  SmallVector<AffineExpr> constraints;
  SmallVector<bool> equalities;
  SMLoc loc = parser.getCurrentLocation();
  if (parseConstraints(parser, names, constraints, equalities))
    return failure();
  if (constraints.empty())
    return parser.emitError(loc, "expected at least one condition");
  properties.setCondition(IntegerSetAttr::get(
      IntegerSet::get(values.list.size(), sizes.list.size(), constraints, equalities)));
  Type index = builder.getIndexType();
  if (parser.resolveOperands(values.list, index, result.operands) ||
      parser.resolveOperands(sizes.list, index, result.operands) ||
      parser.parseOptionalArrowTypeList(result.types))
    return failure();
  Region *thenRegion = result.addRegion(), *elseRegion = result.addRegion();
  if (parser.parseRegion(*thenRegion))
    return failure();
  ensureTerminator(*thenRegion, builder, result.location);
  if (succeeded(parser.parseOptionalKeyword("else"))) {
    if (parser.parseRegion(*elseRegion))
      return failure();
    ensureTerminator(*elseRegion, builder, result.location);
  }
  return parser.parseOptionalAttrDict(result.attributes);
}

void IfOp::print(OpAsmPrinter &printer) {
  IntegerSet set = getCondition();
  ValueRange operands = getConditionOperands();
  printer << ' ';
  printConstraints(printer, set, operands.take_front(set.getNumDims()),
                   operands.drop_front(set.getNumDims()));
  printer.printOptionalArrowTypeList(getResultTypes());
  printer << ' ';
  bool yields = getNumResults() > 0;
  printer.printRegion(getThenRegion(), /*printEntryBlockArgs=*/false, yields);
  if (!getElseRegion().empty()) {
    printer << " else ";
    printer.printRegion(getElseRegion(), /*printEntryBlockArgs=*/false, yields);
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"condition"});
}

//===----------------------------------------------------------------------===//
// loop.buffer
//===----------------------------------------------------------------------===//

/// `(0, 8)`
ParseResult loopwright::loop::parsePadding(OpAsmParser &parser, DenseI64ArrayAttr &padding) {
  SmallVector<int64_t> values;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     [&] { return parser.parseInteger(values.emplace_back()); }))
    return failure();
  padding = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

void loopwright::loop::printPadding(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr padding) {
  printer << '(';
  llvm::interleaveComma(padding.asArrayRef(), printer);
  printer << ')';
}

/// Nothing, or `(%n + 2, %m)`.
ParseResult loopwright::loop::parseSizeExpressions(OpAsmParser &parser, AffineMapAttr &map,
                                                   SmallVectorImpl<Operand> &operands) {
  OperandSet sizes;
  Names names{{}, nullptr, sizes};
  SmallVector<AffineExpr> exprs;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::OptionalParen, [&] {
        return parseExpression(parser, names, exprs.emplace_back());
      }))
    return failure();
  map = AffineMapAttr::get(AffineMap::get(0, sizes.list.size(), exprs, parser.getContext()));
  operands.assign(sizes.list);
  return success();
}

void loopwright::loop::printSizeExpressions(OpAsmPrinter &printer, Operation *, AffineMapAttr map,
                                            OperandRange operands) {
  if (map.getValue().getNumResults() == 0)
    return;
  printer << " (";
  llvm::interleaveComma(map.getValue().getResults(), printer, [&](AffineExpr expr) {
    printExpression(printer, expr, {}, operands);
  });
  printer << ')';
}
