//! Groups of random graphs: they do not depend on the order of ops, they compute what the ops compute, and no others move
//! much fewer bytes.

use super::{Dataflow, Groups, PatternKind, Rule, rule};
use crate::dialect;
use crate::fusion::dataflow::Edge;
use crate::fusion::graph_fuse_ops::{FusionOptions, form_groups};
use crate::fusion::{entry_sizes, outline_fusion_groups};
use crate::interpreter::value::Array;
use crate::interpreter::{self, Datum, RunOptions};
use crate::ir::{Op, function_named, top};
use good_lp::{
    Expression, ProblemVariables, Solution, SolverModel, Variable, constraint, microlp, variable,
};
use loopwright_runtime::tensor::{ElementType, Tensor};
use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::utility::register_all_dialects;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// A context with the dialects of the graphs.
fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    dialect::register_dialects_in(registry.to_raw());
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// An op of a random graph: its name, the values that it reads, and its text without its name and location.
struct RandomOp {
    name: String,
    reads: Vec<String>,
    /// The ops that it starts from.
    starts: String,
    text: String,
}

/// Tensors of these sizes are read and computed.
const ROWS: usize = 6;
const COLUMNS: usize = 8;

/// The number of rows in the types of tensors; `None` if it is dynamic.
type Rows = Option<usize>;

fn matrix_of(rows: Rows) -> String {
    format!("tensor<{}x{COLUMNS}xf32>", rows.map_or("?".into(), |rows| rows.to_string()))
}

fn column_of(rows: Rows) -> String {
    format!("tensor<{}xf32>", rows.map_or("?".into(), |rows| rows.to_string()))
}

/// The tensors that ops start from, with names that end in `suffix`. Those of dynamic size have the rows of the value `like`.
fn starts(rows: Rows, like: &str, suffix: &str) -> String {
    let (matrix, column) = (matrix_of(rows), column_of(rows));
    let (dim, n) = match rows {
        Some(_) => (String::new(), String::new()),
        None => {
            (format!("%n{suffix} = tensor.dim {like}, %first : {matrix}\n"), format!("%n{suffix}"))
        }
    };
    format!(
        "{dim}%em{suffix} = tensor.empty({n}) : {matrix}\n%ec{suffix} = tensor.empty({n}) : {column}\n\
         %fm{suffix} = linalg.fill ins(%zero : f32) outs(%em{suffix} : {matrix}) -> {matrix}\n\
         %fc{suffix} = linalg.fill ins(%zero : f32) outs(%ec{suffix} : {column}) -> {column}\n"
    )
}

/// A random graph of `count` ops on an 6x8 matrix, a row of 8 and a column of 6. Each op has a constant of its own, so no two are
/// equal.
fn random_graph(random: &mut StdRng, count: usize, rows: Rows) -> Vec<RandomOp> {
    let (matrix, column) = (matrix_of(rows), column_of(rows));
    let (mut matrices, mut columns) =
        (vec!["%x".to_owned(), "%y".to_owned()], vec!["%c".to_owned()]);
    let mut ops = vec![];
    for i in 0..count {
        let name = format!("%v{i}");
        let late = matrices.len().saturating_sub(4);
        let m = matrices[late..].choose(random).expect("there are some").clone();
        let n = matrices.choose(random).expect("there are some").clone();
        let c = columns.choose(random).expect("there are some").clone();
        let scale = format!("%s = arith.constant 0.{}5 : f32", 100 + i);
        let generic = |maps: &str, kinds: &str, ins: &str, outs: &str, ty: &str, body: &str| {
            format!(
                "linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({ins}) outs({outs} : {ty}) {{\n\
                 {body}\n}} -> {ty}"
            )
        };
        let both = "\"parallel\", \"parallel\"";
        // Each op of dynamic size asks for the size of what it reads.
        let suffix = rows.map_or(format!("_{i}"), |_| String::new());
        let (starts, [em, fm, fc]) = (
            rows.map_or_else(|| starts(rows, &m, &suffix), |_| String::new()),
            ["%em", "%fm", "%fc"].map(|name| format!("{name}{suffix}")),
        );
        let (reads, text, is_matrix) = match random.random_range(0..10) {
            0..3 => {
                let text = generic(
                    "#ij, #ij",
                    both,
                    &format!("{m} : {matrix}"),
                    &em,
                    &matrix,
                    &format!(
                        "^bb0(%p: f32, %o: f32):\n{scale}\n%r = arith.mulf %p, %s : f32\nlinalg.yield %r : f32"
                    ),
                );
                (vec![m], text, true)
            }
            3..5 => {
                let body = format!(
                    "^bb0(%p: f32, %q: f32, %o: f32):\n{scale}\n%t = arith.mulf %q, %s : f32\n%r = arith.addf %p, %t : f32\nlinalg.yield %r : f32"
                );
                let ins = format!("{m}, {n} : {matrix}, {matrix}");
                (vec![m, n], generic("#ij, #ij, #ij", both, &ins, &em, &matrix, &body), true)
            }
            5 => {
                let body = format!(
                    "^bb0(%p: f32, %q: f32, %o: f32):\n{scale}\n%t = arith.mulf %q, %s : f32\n%r = arith.subf %p, %t : f32\nlinalg.yield %r : f32"
                );
                let ins = format!("{m}, {c} : {matrix}, {column}");
                (vec![m, c], generic("#ij, #i, #ij", both, &ins, &em, &matrix, &body), true)
            }
            6 => {
                let body = format!(
                    "^bb0(%p: f32, %o: f32):\n{scale}\n%t = arith.mulf %p, %s : f32\n%r = math.exp %t : f32\nlinalg.yield %r : f32"
                );
                (
                    vec![m.clone()],
                    generic("#ij, #ij", both, &format!("{m} : {matrix}"), &em, &matrix, &body),
                    true,
                )
            }
            7 | 8 => {
                let body = format!(
                    "^bb0(%p: f32, %o: f32):\n{scale}\n%t = arith.mulf %p, %s : f32\n%r = arith.addf %o, %t : f32\nlinalg.yield %r : f32"
                );
                let kinds = "\"parallel\", \"reduction\"";
                (
                    vec![m.clone()],
                    generic("#ij, #i", kinds, &format!("{m} : {matrix}"), &fc, &column, &body),
                    false,
                )
            }
            _ => {
                let text = format!(
                    "linalg.matmul ins({m}, %w{} : {matrix}, tensor<{COLUMNS}x{COLUMNS}xf32>) outs({fm} : {matrix}) -> {matrix}",
                    i % 2
                );
                (vec![m], text, true)
            }
        };
        match is_matrix {
            true => matrices.push(name.clone()),
            false => columns.push(name.clone()),
        }
        ops.push(RandomOp { name, reads, starts, text });
    }
    ops
}

/// The graph as a module. Its last values are returned.
fn module_text(ops: &[&RandomOp], rows: Rows) -> String {
    let (matrix, column) = (matrix_of(rows), column_of(rows));
    let weight = format!("tensor<{COLUMNS}x{COLUMNS}xf32>");
    let is_read = |name: &str| ops.iter().any(|op| op.reads.iter().any(|read| read == name));
    let mut returned: Vec<&&RandomOp> = ops.iter().filter(|op| !is_read(&op.name)).collect();
    returned.sort_by_key(|op| &op.name);
    let type_of = |op: &RandomOp| op.text.rsplit("-> ").next().unwrap_or_default().to_owned();
    let types: Vec<String> = returned.iter().map(|op| type_of(op)).collect();
    let names: Vec<&str> = returned.iter().map(|op| op.name.as_str()).collect();
    let mut text = format!(
        "#ij = affine_map<(i, j) -> (i, j)>\n#i = affine_map<(i, j) -> (i)>\n\
         func.func @f(%x: {matrix}, %y: {matrix}, %c: {column}, %w0: {weight}, %w1: {weight}) -> ({}) {{\n\
         %zero = arith.constant 0.0 : f32\n%first = arith.constant 0 : index\n{}",
        types.join(", "),
        rows.map_or_else(String::new, |_| starts(rows, "%x", ""))
    );
    for op in ops {
        writeln!(text, "{}{} = {} loc(\"{}\")", op.starts, op.name, op.text, op.name)
            .expect("text is written");
    }
    writeln!(text, "return {} : {}\n}}", names.join(", "), types.join(", "))
        .expect("text is written");
    text
}

/// An order in which values precede their readers.
fn shuffled<'o>(random: &mut StdRng, ops: &'o [RandomOp]) -> Vec<&'o RandomOp> {
    let mut left: Vec<&RandomOp> = ops.iter().collect();
    let mut order: Vec<&RandomOp> = vec![];
    while !left.is_empty() {
        let is_missing = |name: &String| left.iter().any(|op| op.name == *name);
        let ready: Vec<usize> =
            (0..left.len()).filter(|i| !left[*i].reads.iter().any(is_missing)).collect();
        order.push(left.remove(*ready.choose(random).expect("the graph has no cycle")));
    }
    order
}

/// What `use_of` makes of the function of a graph.
fn with_function<T>(text: &str, use_of: impl FnOnce(&Module, Op) -> T) -> T {
    let context = context();
    let module = Module::parse(&context, text).expect("the graph is valid");
    let function = function_named(top(&module), "f").expect("it has the function");
    use_of(&module, function)
}

/// What `use_of` makes of the dataflow and the groups of a graph.
fn with_groups<T>(text: &str, use_of: impl FnOnce(&Dataflow, &Groups) -> T) -> T {
    with_function(text, |_, function| {
        let body = function.body(0).expect("it has a body");
        entry_sizes::resolve_computed(body);
        let flow = Dataflow::of(body, false);
        use_of(&flow, &Groups::of(&flow))
    })
}

/// The groups of a graph, each as the names of its ops.
fn groups_of(text: &str) -> BTreeSet<BTreeSet<String>> {
    with_groups(text, names_of)
}

fn names_of(flow: &Dataflow, groups: &Groups) -> BTreeSet<BTreeSet<String>> {
    let name = |node: &usize| {
        flow.nodes[*node].op.location().name().map(|(name, _)| name.to_owned()).expect("a name")
    };
    let formed = groups.members.iter().filter(|members| !members.is_empty());
    formed.map(|members| members.iter().map(name).collect()).collect()
}

#[test]
fn groups_do_not_depend_on_the_order_of_ops() {
    for seed in 1..=500 {
        let rows = (seed % 2 == 0).then_some(ROWS);
        let mut random = StdRng::seed_from_u64(seed);
        let count = random.random_range(5..=60);
        let ops = random_graph(&mut random, count, rows);
        let first = groups_of(&module_text(&ops.iter().collect::<Vec<_>>(), rows));
        let other = groups_of(&module_text(&shuffled(&mut random, &ops), rows));
        assert_eq!(first, other, "of seed {seed}");
    }
}

/// The bytes of the results of the function on numbers that a generator draws.
fn results(module: &Module) -> Vec<Vec<u8>> {
    let mut random = StdRng::seed_from_u64(0);
    let shapes: [&[usize]; 5] = [&[6, 8], &[6, 8], &[6], &[8, 8], &[8, 8]];
    let mut argument = |shape: &&[usize]| {
        let mut tensor = Tensor::zeros(ElementType::F32, shape).expect("it is small");
        for i in 0..tensor.len() {
            tensor.set_f64(i, random.random_range(-1.0..1.0));
        }
        Datum::tensor(Array::from_tensor(&tensor))
    };
    let arguments = shapes.iter().map(&mut argument).collect();
    let limits = RunOptions { seed: 0, max_iterations: 1_000_000 };
    let results = interpreter::run(top(module), "f", arguments, limits);
    let results = results.map_err(|error| error.message).expect("it runs");
    let bytes = |datum: Datum| match datum {
        Datum::Tensor(array) => array.to_tensor().expect("all is defined").bytes().to_vec(),
        _ => panic!("it is a tensor"),
    };
    results.into_iter().map(bytes).collect()
}

#[test]
fn groups_compute_what_the_ops_compute() {
    for (seed, rows) in (1..=100).flat_map(|seed| [(seed, Some(ROWS)), (seed, None)]) {
        let mut random = StdRng::seed_from_u64(seed);
        let count = random.random_range(5..=30);
        let ops = random_graph(&mut random, count, rows);
        let text = module_text(&ops.iter().collect::<Vec<_>>(), rows);
        with_function(&text, |module, function| {
            let before = results(module);
            form_groups(function, &FusionOptions::default()).expect("nothing is asked");
            assert!(top(module).verify(), "seed {seed}: {text}");
            assert_eq!(before, results(module), "seed {seed}: {text}");
            outline_fusion_groups::run(top(module));
            assert!(top(module).verify(), "seed {seed}: {text}");
            assert_eq!(before, results(module), "seed {seed}: {text}");
        });
    }
}

/// The bytes that a partition of the nodes moves: each value is written if it is read in another group or returned, and read in
/// each such group by each of its readers.
fn moved(flow: &Dataflow, is_same: &dyn Fn(usize, usize) -> bool) -> u64 {
    let read = |edge: &&Edge| edge.is_read;
    let outer = || flow.edges.iter().filter(read).filter(|edge| !is_same(edge.from, edge.to));
    let loads: u64 = outer().map(|edge| edge.bytes).sum();
    let stored: BTreeSet<usize> = outer().map(|edge| edge.from).collect();
    let is_stored = |node: &usize| flow.nodes[*node].is_output || stored.contains(node);
    let stores: u64 =
        (0..flow.nodes.len()).filter(is_stored).map(|node| flow.nodes[node].bytes).sum();
    loads + stores
}

/// The fewest bytes that a legal partition moves, by a 0/1 program that states the conditions of [`crate::fusion::graph_fuse_ops`] anew.
fn fewest_moved(flow: &Dataflow) -> u64 {
    let count = flow.nodes.len();
    let mut variables = ProblemVariables::new();
    let mut same: HashMap<(usize, usize), Variable> = HashMap::new();
    for a in 0..count {
        for b in a + 1..count {
            same.insert((a, b), variables.add(variable().binary()));
        }
    }
    let stored: Vec<Variable> =
        (0..count).map(|_| variables.add(variable().min(0).max(1))).collect();
    let place: Vec<Variable> =
        (0..count).map(|_| variables.add(variable().min(0).max(count as f64))).collect();
    let is_anchor = |node: usize| flow.nodes[node].facts.kind == PatternKind::Anchor;
    let anchors: Vec<usize> = (0..count).filter(|node| is_anchor(*node)).collect();
    let follows: HashMap<(usize, usize), Variable> = anchors
        .iter()
        .flat_map(|anchor| (0..count).map(|node| (*anchor, node)))
        .map(|key| (key, variables.add(variable().binary())))
        .collect();
    let factors: HashMap<(usize, usize), Variable> =
        follows.keys().map(|key| (*key, variables.add(variable().binary()))).collect();
    let together = |a: usize, b: usize| -> Expression {
        if a == b { 1.into() } else { same[&(a.min(b), a.max(b))].into() }
    };
    let read = || flow.edges.iter().filter(|edge| edge.is_read);
    let mut cost: Expression = 0.into();
    for edge in read() {
        cost += (1 - together(edge.from, edge.to)) * edge.bytes as f64;
    }
    for (node, stored) in flow.nodes.iter().zip(&stored) {
        cost += *stored * node.bytes as f64;
    }
    let mut problem = variables.minimise(&cost).using(microlp);
    let mut require = |condition| {
        problem.add_constraint(condition);
    };
    for a in 0..count {
        for b in a + 1..count {
            for c in (0..count).filter(|c| *c != a && *c != b) {
                require(constraint!(together(a, c) + together(b, c) - together(a, b) <= 1));
            }
            let reduces = |node: usize| flow.nodes[node].facts.kind == PatternKind::Reduction;
            if is_anchor(a) && (is_anchor(b) || reduces(b)) || reduces(a) && is_anchor(b) {
                require(constraint!(together(a, b) == 0));
            }
        }
    }
    for node in (0..count).filter(|node| flow.nodes[*node].is_output) {
        require(constraint!(stored[node] == 1));
    }
    for edge in &flow.edges {
        let apart = || 1 - together(edge.from, edge.to);
        // A value that comes from another group comes from an earlier one.
        let big = (count + 1) as f64;
        require(constraint!(place[edge.to] - place[edge.from] >= apart() - (1 - apart()) * big));
        if edge.is_read {
            require(constraint!(stored[edge.from] + together(edge.from, edge.to) >= 1));
        }
        if edge.is_read && rule(flow, edge).is_err() {
            require(constraint!(together(edge.from, edge.to) == 0));
        }
        let is_pointwise = edge.is_pointwise(&flow.nodes[edge.to].facts.results);
        let is_in_place = matches!(rule(flow, edge), Ok(Rule::Recompute | Rule::Prologue));
        for anchor in &anchors {
            let from = follows[&(*anchor, edge.from)];
            let (in_group, both) = (together(*anchor, edge.to), together(edge.from, edge.to));
            require(constraint!(
                follows[&(*anchor, edge.to)] >= from + in_group.clone() + both.clone() - 2
            ));
            if edge.is_read && !edge.is_start {
                // What a factor is computed from only moves elements.
                let feeds = |node: usize| match node == *anchor {
                    true => 1.into(),
                    false => Expression::from(factors[&(*anchor, node)]),
                };
                let of_anchor = together(*anchor, edge.from);
                require(constraint!(
                    factors[&(*anchor, edge.from)] >= feeds(edge.to) + of_anchor - 1
                ));
                if flow.nodes[edge.from].facts.operations > 0 {
                    require(constraint!(factors[&(*anchor, edge.from)] == 0));
                }
            }
            if edge.is_read && !is_pointwise {
                require(constraint!(from + in_group.clone() <= 1));
            }
            if edge.is_read && !is_in_place {
                // Both are in the group of the anchor, and the value is not computed from it.
                require(constraint!(in_group + both - from <= 1));
            }
        }
    }
    for a in 0..count {
        for b in a + 1..count {
            let big = (count + 1) as f64;
            for [one, other] in [[a, b], [b, a]] {
                require(constraint!(place[one] - place[other] <= (1 - together(a, b)) * big));
            }
        }
    }
    for anchor in &anchors {
        require(constraint!(follows[&(*anchor, *anchor)] == 1));
    }
    let solution = problem.solve().expect("all apart is legal");
    let is_same = |a: usize, b: usize| a == b || solution.value(same[&(a.min(b), a.max(b))]) > 0.5;
    moved(flow, &is_same)
}

#[test]
fn few_more_bytes_are_moved_than_by_the_best_groups() {
    let (mut ours, mut best) = (0, 0);
    for seed in 1..=30 {
        let mut random = StdRng::seed_from_u64(seed);
        let count = random.random_range(8..=14);
        let ops = random_graph(&mut random, count, Some(ROWS));
        let text = module_text(&ops.iter().collect::<Vec<_>>(), Some(ROWS));
        let (found, fewest) = with_groups(&text, |flow, groups| {
            let is_same = |a: usize, b: usize| groups.of_node[a] == groups.of_node[b];
            (moved(flow, &is_same), fewest_moved(flow))
        });
        assert!(
            found >= fewest,
            "seed {seed}: {found} bytes, which the program says are not legal: {text}"
        );
        println!("seed {seed}: {found} bytes, fewest {fewest}");
        ours += found;
        best += fewest;
    }
    assert!(ours * 100 <= best * 105, "{ours} bytes, expected at most 1.05 times {best}");
}

#[test]
fn one_group_is_not_outlined() {
    let ops = random_graph(&mut StdRng::seed_from_u64(1), 1, Some(ROWS));
    let text = module_text(&ops.iter().collect::<Vec<_>>(), Some(ROWS));
    with_function(&text, |module, function| {
        let formed = form_groups(function, &FusionOptions::default()).expect("nothing is asked");
        assert_eq!((formed.groups, formed.ops), (1, 1));
        assert_eq!(outline_fusion_groups::run(top(module)).calls, 0);
    });
}
