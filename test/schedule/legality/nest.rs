//! Nests as data, and their text: with numbers as sizes, or with arguments `%n0`, `%n1`, ..
//!
//! Expressions are text over names: `N0`, `N1`, .. are sizes, `v0`, `v1`, .. are the iters of the current block,
//! all other names are loops.

use std::fmt::Write;

/// A function of loops and schedule blocks.
#[derive(Clone, Debug, Default)]
pub struct Nest {
    /// The number of sizes.
    pub sizes: usize,
    pub buffers: Vec<Buffer>,
    pub trees: Vec<Tree>,
}

/// An argument of the function, or an intermediate buffer with these dimensions.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub name: &'static str,
    pub element: &'static str,
    pub rank: usize,
    pub dims: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
pub enum Tree {
    Loop { name: &'static str, extent: String, body: Vec<Tree> },
    If { condition: String, then: Vec<Tree>, otherwise: Vec<Tree> },
    Block(Block),
}

/// A schedule block of one store: `store = load * 3 + load * 3 + .. `, or a reduction.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub name: &'static str,
    /// Role and domain of each iter.
    pub iters: Vec<(&'static str, String)>,
    pub binding: Vec<String>,
    pub predicate: Option<String>,
    pub loads: Vec<(&'static str, Vec<String>)>,
    pub store: (&'static str, Vec<String>),
    /// The condition on the iters for the store.
    pub guard: Option<String>,
    /// The condition on the iters for the load; otherwise the value is 3.
    pub pads: Option<String>,
    /// The value is the product of the two loads, of i8, as i32.
    pub is_dot: bool,
    /// The value is the product of the two loads.
    pub is_product: bool,
    /// The value depends on the instance.
    pub adds_iters: bool,
    pub reduction: Option<Reduction>,
    /// The reduction also stores, in this buffer at the same indices, the last iter at which the value was found.
    pub keeps_place: Option<&'static str>,
    /// The initial value of that iter.
    pub nowhere: i64,
}

/// `store = combine(store, value)`.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    /// `add`, `mul`, `max`, `argmax`, or `ordered` for one that does not commute.
    pub combiner: &'static str,
    pub has_init: bool,
}

/// The dimensions of arguments: larger than every index of a nest whose sizes are at most 6.
pub const SPAN: [usize; 4] = [1, 16, 16, 8];

impl Nest {
    /// The text of a module with function `@main`; sizes are numbers if given.
    pub fn text(&self, sizes: Option<&[i64]>) -> String {
        let writer = Writer { nest: self, sizes };
        let mut arguments: Vec<String> = vec![];
        if sizes.is_none() {
            arguments.extend((0..self.sizes).map(|i| format!("%n{i}: index")));
        }
        let mut head = String::new();
        for buffer in &self.buffers {
            match &buffer.dims {
                None => arguments.push(format!("%{}: {}", buffer.name, writer.buffer_type(buffer))),
                Some(dims) => {
                    let dims = dims.iter().map(|dim| writer.over_loops(dim)).collect::<Vec<_>>();
                    let dims = if sizes.is_none() {
                        format!("({}) ", dims.join(", "))
                    } else {
                        String::new()
                    };
                    let (name, ty) = (buffer.name, writer.buffer_type(buffer));
                    let _ = writeln!(
                        head,
                        "  %{name} = loop.buffer \"{name}\" scope(global) {dims}: {ty}"
                    );
                }
            }
        }
        let mut body = String::new();
        self.trees.iter().for_each(|tree| writer.tree(tree, 1, &mut body));
        format!("func.func @main({}) {{\n{head}{body}  return\n}}\n", arguments.join(", "))
    }
}

struct Writer<'n> {
    nest: &'n Nest,
    sizes: Option<&'n [i64]>,
}

impl Writer<'_> {
    /// Replaces each name of an expression by the result of `name`.
    fn renamed(expr: &str, name: impl Fn(&str) -> String) -> String {
        let mut text = String::new();
        let mut word = String::new();
        for c in expr.chars().chain([' ']) {
            if c.is_ascii_alphanumeric() || c == '.' || c == '_' {
                word.push(c);
                continue;
            }
            match word.as_str() {
                "" | "mod" | "floordiv" | "ceildiv" => text += &word,
                number if number.parse::<i64>().is_ok() => text += number,
                other => text += &name(other),
            }
            word.clear();
            text.push(c);
        }
        text.trim_end().to_owned()
    }

    /// The index of a size: `N1` is 1.
    fn size(name: &str) -> Option<usize> {
        name.strip_prefix('N')?.parse().ok()
    }

    /// The index of an iter: `v1` is 1.
    fn iter(name: &str) -> Option<usize> {
        name.strip_prefix('v')?.parse().ok()
    }

    /// The expression in the form of bindings, domains and conditions.
    fn over_loops(&self, expr: &str) -> String {
        Self::renamed(expr, |name| match (Self::size(name), self.sizes) {
            (Some(i), Some(sizes)) => sizes[i].to_string(),
            (Some(i), None) if expr == name => format!("%n{i}"),
            (Some(i), None) => format!("symbol(%n{i})"),
            (None, _) => format!("%{name}"),
        })
    }

    /// `affine_map<..>(..)[..]` over names.
    fn map(&self, expr: &str) -> String {
        let mut names: Vec<String> = vec![];
        for word in expr.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_') {
            let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic())
                && !matches!(word, "mod" | "floordiv" | "ceildiv");
            if is_name && Self::size(word).is_none() && !names.iter().any(|name| name == word) {
                names.push(word.to_owned());
            }
        }
        let place = |name: &str| names.iter().position(|n| n == name).unwrap_or_default();
        let text = Self::renamed(expr, |name| match (Self::size(name), self.sizes) {
            (Some(i), Some(sizes)) => sizes[i].to_string(),
            (Some(i), None) => format!("s{i}"),
            (None, _) => format!("d{}", place(name)),
        });
        let dims: Vec<_> = (0..names.len()).map(|i| format!("d{i}")).collect();
        let operands: Vec<_> = names.iter().map(|name| format!("%{name}")).collect();
        let (symbols, sizes) = match self.sizes {
            Some(_) => (String::new(), String::new()),
            None => {
                let of = |prefix: &str| -> Vec<String> {
                    (0..self.nest.sizes).map(|i| format!("{prefix}{i}")).collect()
                };
                (format!("[{}]", of("s").join(", ")), format!("[{}]", of("%n").join(", ")))
            }
        };
        format!(
            "affine_map<({}){symbols} -> ({text})>({}){sizes}",
            dims.join(", "),
            operands.join(", ")
        )
    }

    fn buffer_type(&self, buffer: &Buffer) -> String {
        let dims: String = (0..buffer.rank)
            .map(|i| match (&buffer.dims, self.sizes) {
                (_, None) => "?x".to_owned(),
                (None, Some(_)) => format!("{}x", SPAN[buffer.rank]),
                (Some(dims), Some(_)) => format!("{}x", constant(&self.over_loops(&dims[i]))),
            })
            .collect();
        format!("memref<{dims}{}>", buffer.element)
    }

    fn tree(&self, tree: &Tree, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        // Writing to a string cannot fail.
        match tree {
            Tree::Loop { name, extent, body } => {
                let plain = self.over_loops(extent);
                let is_plain = plain.parse::<i64>().is_ok()
                    || plain.strip_prefix('%').is_some_and(|n| n.starts_with('n'));
                let extent = if is_plain { plain } else { self.map(extent) };
                let _ = writeln!(text, "{indent}loop.for serial %{name} in {extent} {{");
                body.iter().for_each(|tree| self.tree(tree, depth + 1, text));
                let _ = writeln!(text, "{indent}}}");
            }
            Tree::If { condition, then, otherwise } => {
                let _ = writeln!(text, "{indent}loop.if ({}) {{", self.over_loops(condition));
                then.iter().for_each(|tree| self.tree(tree, depth + 1, text));
                if !otherwise.is_empty() {
                    let _ = writeln!(text, "{indent}}} else {{");
                    otherwise.iter().for_each(|tree| self.tree(tree, depth + 1, text));
                }
                let _ = writeln!(text, "{indent}}}");
            }
            Tree::Block(block) => self.block(block, depth, text),
        }
    }

    fn block(&self, block: &Block, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        let iters: Vec<_> = block
            .iters
            .iter()
            .enumerate()
            .map(|(i, (role, domain))| format!("%v{i}: {role} {}", self.over_loops(domain)))
            .collect();
        let binding: Vec<_> = block.binding.iter().map(|e| self.over_loops(e)).collect();
        let predicate = match &block.predicate {
            Some(predicate) => format!(" where({})", self.over_loops(predicate)),
            None => String::new(),
        };
        let everything = |name: &str| {
            let stars = vec!["*"; self.buffer(name).rank];
            format!("%{name}[{}]", stars.join(", "))
        };
        let mut read: Vec<&str> = block.loads.iter().map(|(name, _)| *name).collect();
        if block.reduction.is_some_and(|r| !r.has_init) {
            read.push(block.store.0);
            read.extend(block.keeps_place);
        }
        read.sort_unstable();
        read.dedup();
        let reads: Vec<_> = read.into_iter().map(everything).collect();
        let reads = match reads.is_empty() {
            true => String::new(),
            false => format!(" reads({})", reads.join(", ")),
        };
        let element = self.buffer(block.store.0).element;
        let is_float = element.starts_with('f');
        let reducer = block.reduction.map(|r| match r.combiner {
            "ordered" => " reducer(ordered)".to_owned(),
            "argmax" => format!(" reducer(argmax, {}, 0)", identity("argmax", is_float)),
            combiner => format!(" reducer({combiner}, {})", identity(combiner, is_float)),
        });
        let written: Vec<_> =
            std::iter::once(block.store.0).chain(block.keeps_place).map(everything).collect();
        let _ = writeln!(
            text,
            "{indent}loop.block \"{}\" [{}] = ({}){predicate}{reads} writes({}){} {{",
            block.name,
            iters.join(", "),
            binding.join(", "),
            written.join(", "),
            reducer.unwrap_or_default()
        );
        let body = Body { writer: self, block, element, lines: vec![] }.lines();
        for line in body {
            let _ = writeln!(text, "{indent}  {line}");
        }
        let _ = writeln!(text, "{indent}}}");
    }

    fn buffer(&self, name: &str) -> &Buffer {
        let found = self.nest.buffers.iter().find(|buffer| buffer.name == name);
        found.unwrap_or_else(|| panic!("the nest has buffer {name}"))
    }
}

/// The lines of a body that is being written.
struct Body<'w> {
    writer: &'w Writer<'w>,
    block: &'w Block,
    element: &'static str,
    lines: Vec<String>,
}

impl Body<'_> {
    fn lines(mut self) -> Vec<String> {
        let (block, element) = (self.block, self.element);
        let is_float = element.starts_with('f');
        let op = |name: &str| match (name, is_float) {
            ("max", true) => "arith.maximumf".to_owned(),
            ("max", false) => "arith.maxsi".to_owned(),
            (_, true) => format!("arith.{name}f"),
            (_, false) => format!("arith.{name}i"),
        };
        let number = |value: &str| if is_float { format!("{value}.0") } else { value.to_owned() };
        let cell = self.indices(&block.store.1, "s");
        let ty = self.writer.buffer_type(self.writer.buffer(block.store.0));
        if let Some(Reduction { combiner, has_init: true }) = block.reduction {
            // Separate indices, because `loop.init` is the first op of a body.
            let at = self.lines.len();
            let inner: Vec<String> = self.lines.drain(..at).collect();
            self.lines.push("loop.init {".into());
            self.lines.extend(inner.iter().cloned());
            let start =
                if combiner == "ordered" { number("7") } else { identity(combiner, is_float) };
            self.lines.push(format!("%start = arith.constant {start} : {element}"));
            self.lines.push(format!("memref.store %start, %{}[{cell}] : {ty}", block.store.0));
            if let Some(places) = block.keeps_place {
                let ty = self.writer.buffer_type(self.writer.buffer(places));
                self.lines.push(format!("%nowhere = arith.constant {} : i64", block.nowhere));
                self.lines.push(format!("memref.store %nowhere, %{places}[{cell}] : {ty}"));
            }
            self.lines.push("}".into());
            self.lines.extend(inner);
        }
        self.lines.push(format!("%three = arith.constant {} : {element}", number("3")));
        let mut value = "%three".to_owned();
        if let Some(condition) = &block.pads {
            let condition = self.writer.over_loops(condition);
            self.lines.push(format!("%inside = loop.if ({condition}) -> {element} {{"));
        }
        for (n, (buffer, indices)) in block.loads.iter().enumerate() {
            let at = self.indices(indices, &format!("l{n}_"));
            let from = self.writer.buffer_type(self.writer.buffer(buffer));
            self.lines.push(format!("%x{n} = memref.load %{buffer}[{at}] : {from}"));
            if block.is_dot {
                self.lines.push(format!("%q{n} = arith.extsi %x{n} : i8 to {element}"));
                continue;
            }
            if block.is_product {
                continue;
            }
            self.lines.push(format!("%p{n} = {} {value}, %three : {element}", op("mul")));
            self.lines.push(format!("%q{n} = {} %p{n}, %x{n} : {element}", op("sub")));
            value = format!("%q{n}");
        }
        if block.pads.is_some() {
            self.lines.push(format!("loop.yield {value} : {element}"));
            self.lines.push(format!("}} else {{ loop.yield %three : {element} }}"));
            value = "%inside".into();
        }
        if block.is_dot {
            self.lines.push(format!("%product = arith.muli %q0, %q1 : {element}"));
            value = "%product".into();
        }
        if block.is_product {
            self.lines.push(format!("%product = {} %x0, %x1 : {element}", op("mul")));
            value = "%product".into();
        }
        if block.adds_iters && !is_float {
            for i in 0..block.iters.len() {
                self.lines.push(format!("%w{i} = arith.index_cast %v{i} : index to {element}"));
                self.lines.push(format!("%y{i} = arith.muli {value}, %three : {element}"));
                self.lines.push(format!("%z{i} = arith.addi %y{i}, %w{i} : {element}"));
                value = format!("%z{i}");
            }
        }
        if let Some(Reduction { combiner, .. }) = block.reduction {
            let name = block.store.0;
            self.lines.push(format!("%old = memref.load %{name}[{cell}] : {ty}"));
            if let Some(places) = block.keeps_place {
                self.keep_place(places, &cell, &value);
            } else if combiner == "ordered" {
                self.lines.push(format!("%thrice = {} %old, %three : {element}", op("mul")));
                self.lines.push(format!("%new = {} %thrice, {value} : {element}", op("sub")));
            } else {
                let combine = op(combiner);
                self.lines.push(format!("%new = {combine} %old, {value} : {element}"));
            }
            value = "%new".into();
        }
        let store = format!("memref.store {value}, %{}[{cell}] : {ty}", block.store.0);
        match &block.guard {
            None => self.lines.push(store),
            Some(guard) => {
                let condition = self.writer.over_loops(guard);
                self.lines.push(format!("loop.if ({condition}) {{ {store} }}"));
            }
        }
        if let Some(places) = block.keeps_place {
            let ty = self.writer.buffer_type(self.writer.buffer(places));
            self.lines.push(format!("memref.store %place, %{places}[{cell}] : {ty}"));
        }
        self.lines
    }

    /// Stores the larger one of `%old` and a value, and the last iter that has it.
    fn keep_place(&mut self, places: &str, cell: &str, value: &str) {
        let (element, last) = (self.element, self.block.iters.len() - 1);
        let ty = self.writer.buffer_type(self.writer.buffer(places));
        let greater = if element.starts_with('f') { "cmpf ogt" } else { "cmpi sgt" };
        self.lines.extend([
            format!("%at = memref.load %{places}[{cell}] : {ty}"),
            format!("%here = arith.index_cast %v{last} : index to i64"),
            format!("%more = arith.{greater}, {value}, %old : {element}"),
            format!("%new = arith.select %more, {value}, %old : {element}"),
            "%place = arith.select %more, %here, %at : i64".into(),
        ]);
    }

    fn indices(&mut self, indices: &[String], prefix: &str) -> String {
        let mut names = vec![];
        for (i, index) in indices.iter().enumerate() {
            if Writer::iter(index).is_some() {
                names.push(format!("%{index}"));
                continue;
            }
            let map = self.writer.map(index);
            self.lines.push(format!("%{prefix}{i} = affine.apply {map}"));
            names.push(format!("%{prefix}{i}"));
        }
        names.join(", ")
    }
}

fn identity(combiner: &str, is_float: bool) -> String {
    match (combiner, is_float) {
        ("mul", true) => "1.0".into(),
        ("mul", false) => "1".into(),
        ("max" | "argmax", true) => "0xFF800000".into(),
        ("max" | "argmax", false) => i32::MIN.to_string(),
        (_, true) => "0.0".into(),
        (_, false) => "0".into(),
    }
}

/// `4 + 1` is 5.
fn constant(sum: &str) -> i64 {
    sum.split('+').map(|term| term.trim().parse::<i64>().expect("a sum of numbers")).sum()
}
