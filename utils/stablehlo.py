#!/usr/bin/env python3
"""Legalizes a StableHLO module to linalg, tensor, arith, math and scf ops on tensors, for lw-run and lw-compile.

    stablehlo.py INPUT [-o OUTPUT]

INPUT is text, MLIR bytecode, a portable artifact (VHLO), or what `jax.export.Exported.serialize()` returns. OUTPUT is text with
locations; the default is stdout. Sorts and scatters become ops of torch-mlir's `tm_tensor` dialect. docs/stablehlo.md has the limits.
Needs: jaxlib from PyPI, which has the StableHLO dialect and its passes.
"""
import argparse, contextlib, errno, math, os, pathlib, struct, sys, tempfile

try:
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir._mlir_libs._mlir import rewrite
    from jaxlib.mlir.dialects import chlo, sdy, stablehlo as hlo
except ImportError as e:
    sys.exit(f"stablehlo.py: error: {e}: expected a jaxlib with the StableHLO dialect; install it with `pip install jaxlib`")

MAGIC = b"ML\xefR"  # of MLIR bytecode
COMPOSITES = "func.func(stablehlo-legalize-composite-to-call)"
PREPARE = ("func.func(chlo-legalize-to-stablehlo,shape-legalize-to-stablehlo,"
           "stablehlo-legalize-deprecated-ops,stablehlo-canonicalize-dynamism)")
LEGALIZE = "stablehlo-legalize-to-linalg"
RESULT = {"builtin", "func", "linalg", "tensor", "arith", "complex", "math", "scf", "cf", "tm_tensor"}
# Custom calls that annotate their operand.
IDENTITIES = {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement", "LayoutConstraint"}
UNKNOWN = "unknown location"


class Refused(Exception):
    """An error at a location."""
    def __init__(self, location, message):
        super().__init__(f"{place(location)}: error: {message}")


def place(location):
    """A location as FILE:LINE:COLUMN or as a name, without the chain of its callers."""
    location = ir.Location.from_attr(location.attr)  # with its own class
    if isinstance(location, ir.FileLineColLoc): return f"{location.filename}:{location.start_line}:{location.start_col}"
    if isinstance(location, ir.CallSiteLoc): return place(location.callee)
    if isinstance(location, ir.FusedLoc) and location.locations: return place(location.locations[0])
    if isinstance(location, ir.NameLoc):
        child = place(location.child_loc)
        return location.name_str if child == UNKNOWN else f"{child}: {location.name_str}"
    return UNKNOWN


# ---- Reading ----

def read(path, context):
    data = sys.stdin.buffer.read() if path == "-" else pathlib.Path(path).read_bytes()
    start = data.find(MAGIC)
    if start >= 4 and b"\0" in data[:start]:
        # A flatbuffer of jax.export: the length of a vector of bytes precedes it.
        size, = struct.unpack_from("<I", data, start - 4)
        if start + size > len(data): raise ValueError(f"is truncated: found {len(data) - start} bytes of a module, expected {size}")
        data = data[start:start + size]
        path = "-"
    if not data.startswith(MAGIC):
        try: data.decode()
        except UnicodeDecodeError:
            raise ValueError("is neither text nor MLIR bytecode; with JAX, write `exported.mlir_module_serialized` to the file") from None
    elif b"StableHLO_v" in data[4:64].split(b"\0")[0]: return hlo.deserialize_portable_artifact(context, data)
    module = ir.Module.parse(data) if path == "-" else ir.Module.parseFile(path)
    if not any(op.operation.name == "func.func" for op in module.body): raise ValueError("has no function; expected a StableHLO module")
    return module


# ---- Ops ----

def walk(root, *names, order=ir.WalkOrder.POST_ORDER):
    """The ops under `root` that have one of the names; inner ops first, unless the order is another."""
    found = []
    def visit(op):
        if op.name in names or not names: found.append(op)
        return ir.WalkResult.ADVANCE
    root.operation.walk(visit, order)
    return found


def create(name, operands=(), results=(), regions=0, **attributes):
    op = ir.Operation.create(name, results=list(results), operands=list(operands), attributes=attributes, regions=regions)
    return op.results[0] if len(results) == 1 and not regions else op


def replace(op, values):
    for result, value in zip(op.results, values): result.replace_all_uses_with(value)
    op.erase()


def i64(value): return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
def shape_of(value): return list(value.type.shape)
def is_static(value): return value.type.has_static_shape
def element(value): return create("tensor.extract", [value], [value.type.element_type])
def scalar_tensor(value): return create("tensor.from_elements", [value], [ir.RankedTensorType.get([], value.type)])


def index(value, constant=None):
    """An index constant, or `value` as an index."""
    ty = ir.IndexType.get()
    if constant is not None: return create("arith.constant", [], [ty], value=ir.IntegerAttr.get(ty, constant))
    return value if value.type == ty else create("arith.index_cast", [value], [ty])


def finish(block, name, values_of):
    """Replaces the terminator of a block by op `name`, on `values_of(its operands)`."""
    end = block.operations[-1]
    with ir.InsertionPoint(end), end.location: create(name, values_of(list(end.operands)))
    end.erase()


# ---- Functions ----

def inline_calls(module):
    """Inlines all calls, and erases private functions."""
    functions = {f.attributes["sym_name"].value: f.operation for f in module.body if f.operation.name == "func.func"}

    def body_of(call, callers):
        """The callee, with its own calls inlined."""
        name = call.attributes["callee"].value
        if name in callers: raise Refused(call.location, f"function '{name}' is recursive, expected a function that does not call itself")
        callee = functions[name]
        if not callee.regions[0].blocks: raise Refused(call.location, f"function '{name}' has no body")
        inline_in(callee, [*callers, name])
        return callee

    def inline_in(function, callers):
        for call in walk(function, "func.call"):
            callee = body_of(call, callers)
            with ir.InsertionPoint(module.body): copy = callee.clone()
            body = copy.regions[0].blocks[0]
            for argument, operand in zip(body.arguments, call.operands): argument.replace_all_uses_with(operand)
            *ops, end = body.operations
            for op in ops: op.operation.move_before(call)
            replace(call, list(end.operands))
            copy.erase()

    is_private = lambda f: "sym_visibility" in f.attributes and f.attributes["sym_visibility"].value == "private"
    for name, function in functions.items():
        if not is_private(function): inline_in(function, [name])
    for function in functions.values():
        if is_private(function): function.erase()


def name_arguments(function):
    """Replaces attributes of JAX by the names that lw-run takes."""
    for attribute, info, names in (("arg_attrs", "jax.arg_info", "input_names"), ("res_attrs", "jax.result_info", "output_names")):
        if attribute not in function.attributes: continue
        found = [a[info].value if info in a else "" for a in map(ir.DictAttr, function.attributes[attribute])]
        del function.attributes[attribute]
        if all(found) and len(set(found)) == len(found): function.attributes[names] = ir.ArrayAttr.get([ir.StringAttr.get(n) for n in found])


# ---- Conversions of StableHLO ops ----

def number(value):
    """The integer that all elements of `value` are, or None."""
    name = getattr(value.owner, "name", "")
    if name in ("stablehlo.reshape", "stablehlo.broadcast_in_dim", "stablehlo.slice"): return number(value.owner.operands[0])
    if name != "stablehlo.constant": return None
    found = value.owner.attributes["value"]
    return found.get_splat_value().value if found.is_splat and isinstance(value.type.element_type, ir.IntegerType) else None


def counter(op):
    """(k, limit) if operand k of a while counts up by 1 while it is less than `limit`; otherwise None."""
    condition, body = (r.blocks[0] for r in op.regions)
    *ops, test, _ = condition.operations
    if test.operation.name != "stablehlo.compare" or any(o.operation.name != "stablehlo.constant" for o in ops): return None
    left, limit = test.operands
    ty = left.type.element_type
    if hlo.ComparisonDirectionAttr(test.attributes["comparison_direction"]).value != "LT" or left not in list(condition.arguments): return None
    if not isinstance(ty, ir.IntegerType) or ty.is_unsigned or ty.width == 1: return None
    k = list(condition.arguments).index(left)
    yielded = body.operations[-1].operands
    if limit in list(condition.arguments):
        j = list(condition.arguments).index(limit)
        if yielded[j] != body.arguments[j]: return None
        limit = op.operands[j]
    step = yielded[k].owner
    if getattr(step, "name", "") != "stablehlo.add": return None
    return (k, limit) if body.arguments[k] in list(step.operands) and 1 in map(number, step.operands) else None


def convert_while(op):
    if (counted := counter(op)) is not None: return convert_counted(op, *counted)
    loop = create("scf.while", op.operands, [r.type for r in op.results], regions=2)
    for old, new in zip(op.regions, loop.regions): old.blocks[0].append_to(new)
    condition, body = (r.blocks[0] for r in loop.regions)
    finish(condition, "scf.condition", lambda values: [element(values[0]), *condition.arguments])
    finish(body, "scf.yield", list)
    return loop.results


def convert_counted(op, k, limit):
    """A scf.for in the place of a while that counts."""
    ty = op.operands[k].type.element_type
    if isinstance(limit.owner, (ir.Operation, ir.OpView)) and limit.owner.parent == op: limit.owner.move_before(op)
    start = op.operands[k]
    others = [v for i, v in enumerate(op.operands) if i != k]
    loop = create("scf.for", [index(element(start)), index(element(limit)), index(None, 1), *others], [v.type for v in others], regions=1)
    old = op.regions[1].blocks[0]
    new = loop.regions[0].blocks.append(ir.IndexType.get(), *(v.type for v in others))
    with ir.InsertionPoint(new):
        count = scalar_tensor(create("arith.index_cast", [new.arguments[0]], [ty]))
    arguments = list(new.arguments)[1:]
    arguments.insert(k, count)
    for argument, value in zip(old.arguments, arguments): argument.replace_all_uses_with(value)
    for inner in list(old.operations): new.append(inner.operation)
    finish(new, "scf.yield", lambda values: values[:k] + values[k + 1:])
    results = list(loop.results)
    results.insert(k, hlo.maximum(start, limit))
    return results


def convert_case(op):
    """Branch i if the operand is i; the last one if the operand is out of bounds."""
    selector = element(op.operands[0])
    types = [r.type for r in op.results]

    def branch(region, into):
        region.blocks[0].append_to(into)
        finish(into.blocks[0], "scf.yield", list)

    def choose(i):
        label = create("arith.constant", [], [selector.type], value=ir.IntegerAttr.get(selector.type, i))
        test = selector if op.name == "stablehlo.if" else create("arith.cmpi", [selector, label], [ir.IntegerType.get_signless(1)], predicate=i64(0))
        choice = create("scf.if", [test], types, regions=2)
        branch(op.regions[i], choice.regions[0])
        if i + 2 == len(op.regions): branch(op.regions[i + 1], choice.regions[1])
        else:
            with ir.InsertionPoint(choice.regions[1].blocks.append()): create("scf.yield", choose(i + 1).results)
        return choice

    if len(op.regions) == 1:
        *ops, end = op.regions[0].blocks[0].operations
        for inner in ops: inner.operation.move_before(op)
        return list(end.operands)
    return choose(0).results


def constant(value, shape, ty):
    scalar = ir.IntegerAttr.get(ty, value) if isinstance(ty, ir.IntegerType) else ir.FloatAttr.get(ty, value)
    return hlo.constant(ir.DenseElementsAttr.get_splat(ir.RankedTensorType.get(shape, ty), scalar))


def reshape(value, shape):
    return hlo.reshape(ir.RankedTensorType.get(shape, value.type.element_type), value) if shape_of(value) != list(shape) else value


def widen(indices, dims):
    """Indices as i32, or as i64 where values or the sizes `dims` need it."""
    ty = indices.type.element_type
    wide = ir.IntegerType.get_signless(64 if ty.width == 64 or ty.width == 32 and ty.is_unsigned or max(dims) >= 2 ** 31 else 32)
    return hlo.convert(ir.RankedTensorType.get(shape_of(indices), wide), indices) if ty != wide else indices


def transpose(value, order): return hlo.transpose(value, list(order)) if list(order) != sorted(order) else value


def normalize_scatter(op):
    """A scatter of windows whose dimensions are the last ones. Updates out of bounds go to additional elements.

    An update is out of bounds if a part of its window is, as in XLA.
    """
    if len(op.results) != 1: raise Refused(op.location, "stablehlo.scatter has more than one result, expected one")
    operand, indices, updates = op.operands
    if not all(map(is_static, op.operands)): raise Refused(op.location, "stablehlo.scatter has dynamic sizes, expected static sizes")
    if not shape_of(operand): raise Refused(op.location, "stablehlo.scatter updates a tensor of rank 0")
    numbers = hlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
    windows, batching = list(numbers.update_window_dims), dict(zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims))
    outer = [*numbers.inserted_window_dims, *numbers.input_batching_dims]
    inner = [d for d in range(len(shape_of(operand))) if d not in outer]
    size = dict(zip(inner, (shape_of(updates)[w] for w in windows))) | dict.fromkeys(outer, 1)
    order = sorted(outer) + inner
    dims = shape_of(operand)

    # The indices as a column for each dimension.
    indices = widen(indices, dims)
    wide = indices.type.element_type
    vector = numbers.index_vector_dim
    if vector == len(shape_of(indices)): indices = reshape(indices, [*shape_of(indices), 1])
    scattered = [d for d in range(len(shape_of(indices))) if d != vector]
    lead = [shape_of(indices)[d] for d in scattered]
    count = math.prod(lead)
    rows = reshape(transpose(indices, [*scattered, vector]), [count, shape_of(indices)[vector]])
    columns = {}
    for k, d in enumerate(numbers.scattered_dims_to_operand_dims): columns[d] = hlo.slice(rows, [0, k], [count, k + 1], [1, 1])
    for d, of in batching.items(): columns[d] = reshape(hlo.iota(ir.RankedTensorType.get(lead, wide), scattered.index(of)), [count, 1])
    zero = constant(0, [count, 1], wide)
    for d in order:
        if d not in columns and (d in outer or size[d] != dims[d] or not columns and d == order[-1]): columns[d] = zero
    mapped = sorted(columns, key=order.index)

    is_inside = None
    for d in mapped:
        start = number(columns[d])
        if "in_bounds" in op.attributes or d in batching or start is not None and 0 <= start <= dims[d] - size[d]: continue
        for compared, direction in ((zero, "GE"), (constant(dims[d] - size[d], [count, 1], wide), "LE")):
            test = hlo.compare(columns[d], compared, hlo.ComparisonDirectionAttr.get(direction), compare_type=hlo.ComparisonTypeAttr.get("SIGNED"))
            is_inside = test if is_inside is None else hlo.and_(is_inside, test)
    slack = 0
    if is_inside is not None:
        slack = size[mapped[0]]
        for d in mapped: columns[d] = hlo.select(is_inside, columns[d], constant(dims[d] if d == mapped[0] else 0, [count, 1], wide))

    target = transpose(operand, order)
    if slack:
        high = [slack if d == mapped[0] else 0 for d in order]
        target = hlo.pad(target, constant(0, [], operand.type.element_type), [0] * len(order), high, [0] * len(order))
    free = [d for d in range(len(shape_of(updates))) if d not in windows]
    source = reshape(transpose(updates, [*free, *windows]), [count, *(size[d] for d in inner)])
    numbers = hlo.ScatterDimensionNumbers.get(list(range(1, len(inner) + 1)), list(range(len(outer))), [], [], [order.index(d) for d in mapped], 1)
    scatter = create("stablehlo.scatter", [target, hlo.concatenate([columns[d] for d in mapped], 1), source], [target.type], regions=1,
                     scatter_dimension_numbers=numbers)
    op.regions[0].blocks[0].append_to(scatter.regions[0])
    result = scatter.results[0]
    if slack: result = hlo.slice(result, [0] * len(order), [dims[d] for d in order], [1] * len(order))
    return [transpose(result, [order.index(d) for d in range(len(order))])]


def convert_concatenate(op):
    return [create("tensor.concat", op.operands, [op.results[0].type], dim=op.attributes["dimension"])]


def convert_dynamic_slice(op):
    """A gather of one slice. It clamps the start, as a dynamic_slice does."""
    operand, *starts = op.operands
    dims, sizes = shape_of(operand), list(op.attributes["slice_sizes"])
    partial = [d for d in range(len(dims)) if sizes[d] != dims[d]]
    if not partial: return [operand]
    numbers = hlo.GatherDimensionNumbers.get(list(range(len(dims))), [], [], [], partial, 0)
    return [hlo.gather(operand, hlo.concatenate([reshape(starts[d], [1]) for d in partial], 0), numbers, sizes)]


def convert_dynamic_update_slice(op):
    """A scatter of one window, whose start is clamped. Dimensions that are replaced as a whole have no index."""
    operand, update, *starts = op.operands
    if not all(map(is_static, op.operands)): raise Refused(op.location, "stablehlo.dynamic_update_slice has dynamic sizes, expected static sizes")
    dims, size = shape_of(operand), shape_of(update)
    partial = [d for d in range(len(dims)) if size[d] != dims[d]]
    if not partial: return [update]
    starts = [widen(s, dims) for s in starts]
    ty = starts[0].type.element_type
    starts = [hlo.clamp(constant(0, [], ty), starts[d], constant(dims[d] - size[d], [], ty)) for d in partial]
    numbers = hlo.ScatterDimensionNumbers.get(list(range(1, len(dims) + 1)), [], [], [], partial, 1)
    indices = hlo.concatenate([reshape(s, [1, 1]) for s in starts], 1)
    scatter = create("stablehlo.scatter", [operand, indices, reshape(update, [1, *size])], [operand.type], regions=1,
                     scatter_dimension_numbers=numbers, in_bounds=ir.UnitAttr.get())
    body = scatter.regions[0].blocks.append(*[ir.RankedTensorType.get([], operand.type.element_type)] * 2)
    with ir.InsertionPoint(body): hlo.return_([body.arguments[1]])
    return scatter.results


def convert_select_and_scatter(op):
    """A reduce_window that finds the position of the selected element of each window, and a scatter to these positions."""
    operand, source, init = op.operands
    if not is_static(operand): raise Refused(op.location, "stablehlo.select_and_scatter has dynamic sizes, expected static sizes")
    i32, ty = ir.IntegerType.get_signless(32), operand.type.element_type
    count, windows = math.prod(shape_of(operand)), math.prod(shape_of(source))
    if count >= 2 ** 31: raise Refused(op.location, "stablehlo.select_and_scatter has 2^31 elements or more")
    positions = reshape(hlo.iota(ir.RankedTensorType.get([count], i32), 0), shape_of(operand))
    window = {name: op.attributes[name] for name in ("window_dimensions", "window_strides", "padding") if name in op.attributes}
    selected = create("stablehlo.reduce_window", [operand, positions, init, constant(-1, [], i32)],
                      [source.type, ir.RankedTensorType.get(shape_of(source), i32)], regions=1, **window)
    scalar, position = ir.RankedTensorType.get([], ty), ir.RankedTensorType.get([], i32)
    body = selected.regions[0].blocks.append(scalar, position, scalar, position)
    old = op.regions[0].blocks[0]
    for argument, new in zip(old.arguments, (body.arguments[0], body.arguments[2])): argument.replace_all_uses_with(new)
    for inner in list(old.operations): body.append(inner.operation)

    def choose(first_is_selected):
        # A position of -1 is that of padding, and that of the initial value.
        value, at, other, other_at = body.arguments
        none = constant(-1, [], i32)
        differs = lambda v: hlo.compare(v, none, hlo.ComparisonDirectionAttr.get("NE"))
        is_first = hlo.and_(differs(at), hlo.or_(hlo.not_(differs(other_at)), first_is_selected))
        return [hlo.select(is_first, value, other), hlo.select(is_first, at, other_at)]

    finish(body, "stablehlo.return", lambda values: choose(values[0]))
    numbers = hlo.ScatterDimensionNumbers.get([], [0], [], [], [0], 1)
    in_bounds = {} if "padding" in op.attributes else {"in_bounds": ir.UnitAttr.get()}
    target = hlo.broadcast_in_dim(ir.RankedTensorType.get([count], ty), init, [])
    scatter = create("stablehlo.scatter", [target, reshape(selected.results[1], [windows, 1]), reshape(source, [windows])], [target.type], regions=1,
                     scatter_dimension_numbers=numbers, **in_bounds)
    op.regions[1].blocks[0].append_to(scatter.regions[0])
    return [reshape(scatter.results[0], shape_of(operand))]


def convert_reduce(op):
    """A reduction of no dimension combines each element with the initial value."""
    if list(op.attributes["dimensions"]) or len(op.results) != 1 or not is_static(op.operands[0]): return None
    value, init = op.operands
    init = hlo.broadcast_in_dim(value.type, init, [])
    combine = create("stablehlo.map", [init, value], [value.type], regions=1, dimensions=ir.DenseI64ArrayAttr.get(list(range(len(shape_of(value))))))
    op.regions[0].blocks[0].append_to(combine.regions[0])
    return combine.results


def convert_custom_call(op):
    target = op.attributes["call_target_name"].value
    if target in IDENTITIES: return list(op.operands)
    if target != "shape_assertion": raise Refused(op.location, f"custom_call '{target}' is code outside of the program, expected StableHLO ops")
    message = op.attributes["error_message"].value if "error_message" in op.attributes else "a shape is not as expected"
    create("cf.assert", [elements(op.operands[0])[0]], msg=ir.StringAttr.get(message))
    return []


# ---- Shapes that are computed ----

INTEGER = {"add": "addi", "subtract": "subi", "multiply": "muli", "divide": "divsi", "remainder": "remsi", "maximum": "maxsi", "minimum": "minsi"}
PREDICATES = {"EQ": 0, "NE": 1, "LT": 2, "LE": 3, "GT": 4, "GE": 5}


def is_signed(ty): return isinstance(ty, ir.IndexType) or isinstance(ty, ir.IntegerType) and not ty.is_unsigned and ty.width > 1


def elements(value):
    """The elements of a small tensor of signed integers or booleans, as scalars of type index or i1 that are computed from sizes."""
    ty = value.type.element_type
    is_boolean = isinstance(ty, ir.IntegerType) and ty.width == 1
    wanted = ty if is_boolean else ir.IndexType.get()
    count = math.prod(shape_of(value))
    name = getattr(value.owner, "name", "").removeprefix("stablehlo.")
    inputs = list(value.owner.operands) if name else []
    of_integers = all(isinstance(v.type, ir.RankedTensorType) and is_signed(v.type.element_type) for v in inputs)
    if name == "constant" and not is_boolean:
        found = value.owner.attributes["value"]
        return [index(None, int(n)) for n in ([found.get_splat_value().value] * count if found.is_splat else found)]
    if name == "get_dimension_size": return [create("tensor.dim", [inputs[0], index(None, value.owner.attributes["dimension"].value)], [wanted])]
    if name == "tensor.from_elements": return inputs if is_boolean else list(map(index, inputs))
    if name == "reshape": return elements(inputs[0])
    if name in ("concatenate", "tensor.concat"): return [e for v in inputs for e in elements(v)]
    if name == "broadcast_in_dim" and math.prod(shape_of(inputs[0])) == 1: return elements(inputs[0]) * count
    if name == "slice" and len(shape_of(value)) == 1:
        start, limit, step = (list(value.owner.attributes[a])[0] for a in ("start_indices", "limit_indices", "strides"))
        return elements(inputs[0])[start:limit:step]
    if of_integers and name == "convert" and is_signed(ty): return elements(inputs[0])
    if of_integers and name in INTEGER: return [create(f"arith.{INTEGER[name]}", pair, [wanted]) for pair in zip(*map(elements, inputs))]
    if of_integers and name == "compare":
        predicate = PREDICATES[hlo.ComparisonDirectionAttr(value.owner.attributes["comparison_direction"]).value]
        return [create("arith.cmpi", pair, [ty], predicate=i64(predicate)) for pair in zip(*map(elements, inputs))]
    if name == "select" and shape_of(inputs[0]) == shape_of(value):
        return [create("arith.select", triple, [wanted]) for triple in zip(*map(elements, inputs))]
    if not is_boolean and not is_signed(ty): raise Refused(ir.Location.current, f"the shape is computed as {ty}, expected signed integers")
    places = [[]]
    for size in shape_of(value): places = [[*p, i] for p in places for i in range(size)]
    found = [create("tensor.extract", [value, *(index(None, i) for i in p)], [ty]) for p in places]
    return found if is_boolean else list(map(index, found))


def convert_size(op):
    size, = elements(op.results[0])
    return [scalar_tensor(create("arith.index_cast", [size], [op.results[0].type.element_type]))]


def compute_shape_operands(op):
    """Replaces the operands that are computed shapes by scalars that are computed from sizes."""
    for i, operand in enumerate(op.operands):
        if (i or op.name == "stablehlo.dynamic_iota") and operand.type.rank == 1 and is_signed(operand.type.element_type):
            op.operands[i] = create("tensor.from_elements", elements(operand), [ir.RankedTensorType.get(shape_of(operand), ir.IndexType.get())])
    if op.name == "stablehlo.dynamic_broadcast_in_dim" and "known_nonexpanding_dimensions" not in op.attributes:
        # A dimension of unknown size has the size of the result. Whoever runs the program checks that.
        ty = op.operands[0].type
        op.attributes["known_nonexpanding_dimensions"] = ir.DenseI64ArrayAttr.get([d for d in range(ty.rank) if ty.is_dynamic_dim(d)])


def convert_dynamic_reshape(op): return [create("tensor.reshape", op.operands, [op.results[0].type])]


CONVERSIONS = {
    "stablehlo.dynamic_slice": convert_dynamic_slice,
    "stablehlo.reduce": convert_reduce, "stablehlo.dynamic_reshape": convert_dynamic_reshape,
    "stablehlo.while": convert_while, "stablehlo.case": convert_case, "stablehlo.if": convert_case, "stablehlo.scatter": normalize_scatter,
    "stablehlo.custom_call": convert_custom_call, "stablehlo.get_dimension_size": convert_size,
    "stablehlo.optimization_barrier": lambda op: list(op.operands), "sdy.sharding_constraint": lambda op: list(op.operands),
}
COMPUTED_SHAPES = [f"stablehlo.dynamic_{n}" for n in ("broadcast_in_dim", "reshape", "iota", "pad")] + ["stablehlo.real_dynamic_slice"]


def convert_all(module, conversions):
    for op in walk(module, *conversions):
        with ir.InsertionPoint(op), op.location: values = conversions[op.name](op)
        if values is not None: replace(op, list(values))


# ---- After the legalization ----

def scalar_region(block, region, order):
    """Moves a block on 0-d tensors to the region of a tm_tensor op on scalars. Argument i of the block is argument order[i] there."""
    arguments = list(block.arguments)
    types = {i: a.type.element_type for i, a in zip(order, arguments)}
    new = region.blocks.append(*(types[i] for i in range(len(types))))
    with ir.InsertionPoint(new):
        for argument, i in zip(arguments, order): argument.replace_all_uses_with(scalar_tensor(new.arguments[i]))
    for op in list(block.operations): new.append(op.operation)
    finish(new, "tm_tensor.yield", lambda values: [element(v) for v in values])


def segments(inputs, outputs): return ir.DenseI32ArrayAttr.get([inputs, outputs])


def convert_sort(op):
    """The region is true if elements a may stand before elements b: if not b < a. So, equal elements keep their order."""
    sort = create("tm_tensor.sort", op.operands, [r.type for r in op.results], regions=1,
                  dimension=op.attributes["dimension"], operandSegmentSizes=segments(0, len(op.operands)))
    scalar_region(op.regions[0].blocks[0], sort.regions[0], [i ^ 1 for i in range(2 * len(op.operands))])
    end = sort.regions[0].blocks[0].operations[-1]
    with ir.InsertionPoint(end):
        boolean = end.operands[0].type
        true = create("arith.constant", [], [boolean], value=ir.IntegerAttr.get(boolean, 1))
        end.operands[0] = create("arith.xori", [end.operands[0], true], [boolean])
    return sort.results


def convert_scatter(op):
    """A scatter of normalize_scatter."""
    operand, indices, updates = op.operands
    numbers = hlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
    scatter = create("tm_tensor.scatter", [updates, indices, operand], [operand.type], regions=1, operandSegmentSizes=segments(2, 1),
                     dimension_map=ir.DenseI64ArrayAttr.get(numbers.scattered_dims_to_operand_dims), unique_indices=ir.BoolAttr.get(False))
    scalar_region(op.regions[0].blocks[0], scatter.regions[0], (1, 0))
    return scatter.results


def scalarize(module):
    """Replaces linalg.generic ops on 0-d tensors by their bodies, on scalars."""
    for op in walk(module, "linalg.generic"):
        if any(v.type.rank for v in (*op.operands, *op.results) if isinstance(v.type, ir.RankedTensorType)): continue
        body = op.regions[0].blocks[0]
        with ir.InsertionPoint(op), op.location:
            for argument, operand in zip(body.arguments, op.operands):
                argument.replace_all_uses_with(element(operand) if isinstance(operand.type, ir.RankedTensorType) else operand)
            *ops, end = body.operations
            for inner in ops: inner.operation.move_before(op)
            replace(op, [scalar_tensor(v) for v in end.operands])


def signless(ty):
    if isinstance(ty, ir.IntegerType) and not ty.is_signless: return ir.IntegerType.get_signless(ty.width)
    if isinstance(ty, ir.RankedTensorType): return ir.RankedTensorType.get(ty.shape, signless(ty.element_type), ty.encoding)
    return ty


def drop_signs(module):
    """Gives values of tm_tensor and scf ops, which the legalization does not know, the types that the legalization uses."""
    for op in walk(module):
        for value in [*op.results, *(a for r in op.regions for b in r.blocks for a in b.arguments)]:
            if signless(value.type) != value.type: value.set_type(signless(value.type))
    for function in walk(module, "func.func"):
        ty = ir.FunctionType(function.attributes["function_type"].value)
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(list(map(signless, ty.inputs)), list(map(signless, ty.results))))
    for cast in walk(module, "builtin.unrealized_conversion_cast"):
        if [v.type for v in cast.operands] == [v.type for v in cast.results]: replace(cast, list(cast.operands))


def saturate(op):
    """A conversion of a float to an integer that saturates, and that gives 0 for NaN, as XLA does. Otherwise it is undefined."""
    value, ty = op.operands[0], op.results[0].type
    low, high = (0, 2 ** ty.width) if op.name == "arith.fptoui" else (-2 ** (ty.width - 1), 2 ** (ty.width - 1))
    largest = 2 ** 15 if isinstance(value.type, ir.F16Type) else high
    result = create(op.name, [value], [ty])
    for limit, predicate, number in ((high, "OGE", -1 if low == 0 else high - 1), (low, "OLE", low), (0, "UNO", 0)):
        limit = float(limit) if abs(limit) <= largest else math.copysign(math.inf, limit)
        limit = create("arith.constant", [], [value.type], value=ir.FloatAttr.get(value.type, limit))
        test = create("arith.cmpf", [value, limit], [ir.IntegerType.get_signless(1)], predicate=i64({"OGE": 3, "OLE": 5, "UNO": 14}[predicate]))
        result = create("arith.select", [test, create("arith.constant", [], [ty], value=ir.IntegerAttr.get(ty, number)), result], [ty])
    return [result]


def expand_shape_of(op):
    operand, ty = op.operands[0], op.results[0].type
    sizes = [create("tensor.dim", [operand, index(None, d)], [ir.IndexType.get()]) for d in range(operand.type.rank)]
    return [create("tensor.from_elements", sizes, [ty])]


def check(module):
    """Every op must be of a dialect that Loopwright reads."""
    for op in walk(module, order=ir.WalkOrder.PRE_ORDER):
        if op.name.split(".")[0] not in RESULT or op.name == "builtin.unrealized_conversion_cast":
            types = ", ".join(str(v.type) for v in op.operands)
            raise Refused(op.location, f"{op.name} of ({types}) has no conversion to linalg")


def legalize(module):
    def run(passes): passmanager.PassManager.parse(f"builtin.module({passes})").run(module.operation)
    def fold(): rewrite.apply_patterns_and_fold_greedily(module, rewrite.RewritePatternSet().freeze())
    passmanager.PassManager.parse(f"builtin.module({LEGALIZE})").run(ir.Module.create(ir.Location.unknown()).operation)  # loads the dialects
    module.context.allow_unregistered_dialects = True  # tm_tensor
    run(COMPOSITES)
    inline_calls(module)
    for op in walk(module, "sdy.mesh"): op.erase()
    run(PREPARE)
    for op in walk(module, *COMPUTED_SHAPES):
        with ir.InsertionPoint(op), op.location: compute_shape_operands(op)
    convert_all(module, {"stablehlo.dynamic_update_slice": convert_dynamic_update_slice, "stablehlo.select_and_scatter": convert_select_and_scatter})
    convert_all(module, CONVERSIONS)
    convert_all(module, {"stablehlo.concatenate": convert_concatenate})
    fold()
    run(LEGALIZE)
    convert_all(module, {"shape.shape_of": expand_shape_of, "stablehlo.sort": convert_sort, "stablehlo.scatter": convert_scatter})
    convert_all(module, {"arith.fptosi": saturate, "arith.fptoui": saturate})
    scalarize(module)
    drop_signs(module)
    fold()
    for name in [n for n in module.operation.attributes if "." in n]: del module.operation.attributes[name]
    for function in walk(module, "func.func"): name_arguments(function)
    check(module)
    module.operation.verify()


def write(text, path):
    """Writes a file by renaming: it is complete or not there."""
    if path is None: return print(text)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder): raise FileNotFoundError(errno.ENOENT, "the folder does not exist", path)
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=".stablehlo")
    try:
        with os.fdopen(descriptor, "w") as file: file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError): os.unlink(name)
        raise


def convert(source, output):
    """Converts a file; returns the error, or None."""
    diagnostics = []
    with ir.Context() as context, ir.Location.unknown():
        registry = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(registry)
        context.append_dialect_registry(registry)
        context.load_all_available_dialects()
        for dialect in (hlo, chlo, sdy): dialect.register_dialect(context)
        context.attach_diagnostic_handler(lambda d: diagnostics.append(f"{place(d.location)}: {d.message}") or True)
        try:
            module = read(source, context)
            legalize(module)
            write(module.operation.get_asm(enable_debug_info=True), output)
        except Refused as e: found = [str(e)]
        except ir.MLIRError as e: found = [f"{place(d.location)}: error: {d.message}" for d in e.error_diagnostics] or [f"error: {e}"]
        except OSError as e: return f"{e.filename or source}: error: {e.strerror}"
        except ValueError as e: found = [f"error: {e}", *diagnostics]
        except Exception as e: found = [f"error: {type(e).__name__}: {e}; this is a defect of stablehlo.py, or it does not know this version of jaxlib"]
        else: return None
    return "\n".join(line if line.startswith(f"{source}:") else f"{source}: {line}" for line in found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input"); parser.add_argument("-o", "--output")
    a = parser.parse_args()
    hlo.register_stablehlo_passes()
    return convert(a.input, a.output)


if __name__ == "__main__":
    sys.exit(main())
