//! `lift-weight-transforms`: compute values that depend on weights alone once, when the code is loaded, instead of in
//! each call.
//!
//! ```text
//! memref.global "private" constant @w : memref<768x3072xf32> = ..
//! func.func @f(%x, ..) {                          memref.global "private" @t : memref<3072x768xf32> = uninitialized
//!   %w = memref.get_global @w                     func.func @loop.transform_weights() attributes {loop.transforms_weights} {
//!   %t = loop.buffer "t" scope(global)              %w = memref.get_global @w
//!   for %i, %j { t[j, i] = w[i, j] }          ->    %t = memref.get_global @t
//!   for .. { .. x[..] * t[..] .. }                  for %i, %j { t[j, i] = w[i, j] }
//! }                                               }
//!                                                 func.func @f(%x, ..) {
//!                                                   %t = memref.get_global @t
//!                                                   for .. { .. x[..] * t[..] .. }
//!                                                 }
//! ```
//! A *weight* is a constant of the module, or a global that an earlier run of this pass has made. All lifted nests are
//! in one function of the module, each right after the last one that uses one of its buffers, so that few buffers are
//! needed at a time. A buffer that only this function uses is local to it.
//!
//! A nest is lifted if all of these hold:
//! - (C1) it is at the top level of its function, contains only loads, stores and arithmetic, and uses no value of the
//!   function except buffers and constants;
//! - (C2) it reads only weights, and buffers that only lifted nests write;
//! - (C3) it writes only buffers of static shape with less than 4 GiB. All nests that write them are lifted, and precede all
//!   nests of the function that read them;
//! - (C4) the buffers that it writes and that the rest of the function reads have at most twice the bytes of the
//!   weights from which they are computed. So broadcasts of weights are not lifted;
//! - (C5) its function has the same floating-point contract as the functions from which earlier nests were lifted.
//!
//! The program that loads the code must call the function of lifted nests before any other.
//! [`Jit`](crate::codegen::Jit) and the interpreter do so.

use crate::compute::names::Names;
use crate::dialect::contract;
use crate::dialect::graph_op::GROUP;
use crate::dialect::loop_enums::Scope;
use crate::dialect::loop_op::{BufferView, For, If, ScheduleBlock, buffer_name};
use crate::dialect::weight::{IS_LIFTED, LIFTED, TRANSFORM, TRANSFORMS};
use crate::ffi::pass::PassRun;
use crate::ir::{
    Attribute, Block, Builder, Error, Op, OpSpec, Region, Type, TypeKind, Value, callee, is_inside,
    walk,
};
use crate::optimize::r#loop::storage_rewrite::static_bytes;
use std::collections::{BTreeSet, HashMap};

/// The indices of the statistics in the row.
const NESTS: usize = 0;
const GLOBALS: usize = 1;

/// Packed weights are a little larger than the weights, because panels are padded. A transform that makes more of them
/// costs more memory than it saves time.
const MOST_GROWTH: u64 = 2;

/// Lifts the nests of all functions of a module.
///
/// # Errors
/// If the name of the new function is in use.
pub fn run<'c>(module: Op<'c>, run: &PassRun) -> Result<(), Error<'c>> {
    let Some(body) = module.body(0) else { return Ok(()) };
    let mut lifting = Lifting::of(module, body)?;
    let functions: Vec<Op> = body.ops().into_iter().filter(|op| op.is("func.func")).collect();
    for function in functions {
        let blocks = function.regions().first().map(|it| it.blocks()).unwrap_or_default();
        let [block] = blocks[..] else { continue };
        if function.attribute(TRANSFORMS).is_some() || !lifting.has_contract_of(function) {
            continue;
        }
        let statements = Statements::of(&lifting, block);
        let lifted = statements.lifted();
        if !lifted.is_empty() {
            run.count(NESTS, lifted.len() as u64);
            run.count(GLOBALS, lifting.lift(function, &statements, &lifted) as u64);
        }
    }
    lifting.make_local();
    lifting.mark_arguments();
    Ok(())
}

/// The state of lifting the nests of a module.
struct Lifting<'c> {
    module: Block<'c>,
    symbols: Names,
    /// The bytes of each weight.
    weights: HashMap<&'c str, u64>,
    /// The function of transforms, once it exists.
    function: Option<Op<'c>>,
    /// The names of schedule blocks in this function, and those of buffers.
    block_names: Names,
    buffer_names: Names,
    /// Its `memref.get_global`s, one for each global.
    gets: HashMap<&'c str, Value<'c>>,
    /// Its last nest that uses a buffer.
    last_use: HashMap<Value<'c>, Op<'c>>,
    /// The functions of fusion groups.
    groups: HashMap<&'c str, Op<'c>>,
}

impl<'c> Lifting<'c> {
    fn of(op: Op<'c>, module: Block<'c>) -> Result<Self, Error<'c>> {
        let mut lifting = Self {
            module,
            symbols: Names::default(),
            weights: HashMap::new(),
            function: None,
            block_names: Names::default(),
            buffer_names: Names::default(),
            gets: HashMap::new(),
            last_use: HashMap::new(),
            groups: HashMap::new(),
        };
        for op in module.ops() {
            let Some(name) = op.symbol_name() else { continue };
            lifting.symbols.insert(name);
            lifting.groups.extend(op.attribute(GROUP).map(|_| (name, op)));
            let is_weight = op.attribute("constant").is_some() || op.attribute(LIFTED).is_some();
            if op.is("memref.global") && is_weight {
                let ty = op.attribute("type").and_then(Attribute::as_type);
                lifting.weights.extend(ty.and_then(bytes_of).map(|bytes| (name, bytes)));
            }
            if name == TRANSFORM {
                let message = format!(
                    "has the name of the function that transforms weights, expected another name than {TRANSFORM}"
                );
                let is_ours = op.is("func.func") && op.attribute(TRANSFORMS).is_some();
                lifting.function =
                    Some(is_ours.then_some(op).ok_or_else(|| Error::on(op, message))?);
            }
        }
        for op in lifting.function.map(walk).unwrap_or_default() {
            if let Some((names, name)) = lifting.name_of(op) {
                names.insert(name);
            }
            lifting.gets.extend(global_of(op).map(|name| (name, op.result(0))));
        }
        let nests = lifting.function.and_then(|function| function.body(0)).map(Block::ops);
        for nest in nests.unwrap_or_default() {
            lifting.last_use.extend(buffers_of(nest).into_iter().map(|buffer| (buffer, nest)));
        }
        // What a strategy may count on: packing these costs nothing in a call.
        for op in walk(op).into_iter().filter(|op| lifting.weight(op.results().first()).is_some()) {
            op.set_attribute(IS_LIFTED, Attribute::unit(op.context()));
        }
        Ok(lifting)
    }

    /// The name and bytes of the weight that a value is, if it is one.
    fn weight(&self, value: Option<&Value<'c>>) -> Option<(&'c str, u64)> {
        let name = value?.defining_op().and_then(global_of)?;
        self.weights.get(name).map(|bytes| (name, *bytes))
    }

    /// (C5)
    fn has_contract_of(&self, function: Op<'c>) -> bool {
        let contract = |op: Op<'c>| op.attribute(contract::ATTRIBUTE);
        self.function.is_none_or(|other| contract(other) == contract(function))
    }

    /// The end of the function of transforms, which is made with the attributes of `like` if there is none.
    fn end(&mut self, like: Op<'c>) -> Op<'c> {
        let function = *self.function.get_or_insert_with(|| {
            let (context, location) = (like.context(), like.location());
            let body = Block::new(&[]);
            let at = Builder::at_end(body, location);
            at.insert(at.spec("func.return"));
            let ty = Type::function(context, &[], &[]).to_attribute();
            let mut spec = OpSpec::new("func.func", location)
                .attribute("sym_name", Attribute::string(context, TRANSFORM))
                .attribute("function_type", ty)
                .attribute(TRANSFORMS, Attribute::unit(context))
                .region(Region::of(body));
            if let Some(contract) = like.attribute(contract::ATTRIBUTE) {
                spec = spec.attribute(contract::ATTRIBUTE, contract);
            }
            let function = spec.create().expect("the func dialect is loaded");
            self.module.insert_before(like, function);
            function
        });
        function.body(0).expect("it has a body").end()
    }

    /// Moves nests; returns the number of new globals.
    fn lift(&mut self, from: Op<'c>, statements: &Statements<'c>, lifted: &[usize]) -> usize {
        let end = self.end(from);
        // Buffers come before all nests, because a schedule may move their accesses to earlier nests.
        let start = || {
            let first = end.block().and_then(Block::first_op).expect("it has a return");
            Builder::before(first, end.location())
        };
        let mut globals = 0;
        let mut moved: HashMap<Value, Value> = HashMap::new();
        for i in lifted {
            let nest = &statements.all[*i];
            for value in nest.outside.iter().chain(&nest.reads).chain(&nest.writes) {
                if moved.contains_key(value) {
                    continue;
                }
                let op = value.defining_op().expect("(C1): the value of an op");
                let stays = statements.is_used_by_others(*value, lifted);
                let new = match op.is(BufferView::NAME) {
                    true if stays => {
                        globals += 1;
                        self.global(from, op, &start())
                    }
                    true => {
                        op.detach();
                        start().place(op);
                        self.rename(op);
                        *value
                    }
                    false => self.copied(op, &start()),
                };
                moved.insert(*value, new);
            }
            nest.op.detach();
            for op in walk(nest.op) {
                for (place, value) in op.operands().into_iter().enumerate() {
                    if let Some(new) = moved.get(&value).filter(|new| **new != value) {
                        op.set_operand(place, *new);
                    }
                }
                if op.is(ScheduleBlock::NAME) {
                    self.rename(op);
                }
            }
            self.place(nest.op, end);
        }
        for (old, new) in moved.into_iter().filter(|(old, new)| old != new) {
            let op = old.defining_op().expect("(C1): the value of an op");
            // Each is replaced where it is, so the order of the map does not show.
            if op.is(BufferView::NAME) {
                let there = Builder::before(op, op.location());
                let get = new.defining_op().expect("a global").clone_mapped(&[]);
                there.place(get);
                old.replace_all_uses_with(get.result(0));
                op.erase();
            }
        }
        globals
    }

    /// Puts a nest after the last one that uses one of its buffers, otherwise at the end.
    fn place(&mut self, nest: Op<'c>, end: Op<'c>) {
        let buffers = buffers_of(nest);
        let users = buffers.iter().filter_map(|buffer| self.last_use.get(buffer).copied());
        let last = users.reduce(|a, b| if a.is_before(b) { b } else { a });
        let next = last.and_then(Op::next).unwrap_or(end);
        Builder::before(next, next.location()).place(nest);
        self.last_use.extend(buffers.into_iter().map(|buffer| (buffer, nest)));
    }

    /// A new global in place of a buffer; returns its value in the function of transforms.
    fn global(&mut self, from: Op<'c>, buffer: Op<'c>, start: &Builder<'c>) -> Value<'c> {
        let (context, location) = (buffer.context(), buffer.location());
        let name = self.symbols.fresh(&buffer_name(buffer.result(0)));
        let ty = buffer.result(0).ty();
        let spec = OpSpec::new("memref.global", location)
            .attribute("sym_name", Attribute::string(context, &name))
            .attribute("sym_visibility", Attribute::string(context, "private"))
            .attribute("type", ty.to_attribute())
            .attribute("initial_value", Attribute::unit(context))
            .attribute(LIFTED, Attribute::unit(context));
        let global = spec.create().expect("the memref dialect is loaded");
        self.module.insert_before(from, global);
        let name = global.symbol_name().unwrap_or_default();
        let get = start.spec("memref.get_global").results(&[ty]);
        let get = get.attribute("name", Attribute::symbol(context, name));
        let value = start.value(get.attribute(IS_LIFTED, Attribute::unit(context)));
        self.gets.insert(name, value);
        value
    }

    /// A weight or constant in the function of transforms.
    fn copied(&mut self, op: Op<'c>, start: &Builder<'c>) -> Value<'c> {
        let name = global_of(op);
        if let Some(known) = name.and_then(|name| self.gets.get(name)) {
            return *known;
        }
        let clone = op.clone_mapped(&[]);
        start.place(clone);
        self.gets.extend(name.map(|name| (name, clone.result(0))));
        clone.result(0)
    }

    /// Gives a schedule block or buffer a name that is unique in the function of transforms.
    fn rename(&mut self, op: Op<'c>) {
        let Some((names, name)) = self.name_of(op) else { return };
        let name = names.fresh(name);
        op.set_attribute("name", Attribute::string(op.context(), &name));
    }

    /// The name of a schedule block or buffer, and the names that it must differ from.
    fn name_of(&mut self, op: Op<'c>) -> Option<(&mut Names, &'c str)> {
        let names = match op.name() {
            ScheduleBlock::NAME => &mut self.block_names,
            BufferView::NAME => &mut self.buffer_names,
            _ => return None,
        };
        op.attribute("name").and_then(Attribute::as_str).map(|name| (names, name))
    }

    /// Marks the arguments of fusion groups that are weights in each call: packing these costs nothing in a call, either.
    fn mark_arguments(&self) {
        let mut are_weights: HashMap<&str, Vec<bool>> = HashMap::new();
        for call in self.module.ops().into_iter().flat_map(walk) {
            let Some(name) = callee(call).filter(|name| self.groups.contains_key(name)) else {
                continue;
            };
            let is_lifted = |value: Value<'c>| {
                value.defining_op().is_some_and(|op| op.attribute(IS_LIFTED).is_some())
            };
            let given = call.operands().into_iter().map(is_lifted);
            match are_weights.get_mut(name) {
                Some(all) => all.iter_mut().zip(given).for_each(|(all, given)| *all &= given),
                None => drop(are_weights.insert(name, given.collect())),
            }
        }
        for (name, are_weights) in are_weights {
            for (i, _) in are_weights.into_iter().enumerate().filter(|(_, is_weight)| *is_weight) {
                let group = self.groups[name];
                group.set_argument_attribute(i, IS_LIFTED, Attribute::unit(group.context()));
            }
        }
    }

    /// Makes a global that only the transforms use a buffer of their function.
    fn make_local(&mut self) {
        let Some(function) = self.function else { return };
        let mut gets: HashMap<&str, Vec<Op>> = HashMap::new();
        for op in self.module.ops().into_iter().flat_map(walk) {
            global_of(op).into_iter().for_each(|name| gets.entry(name).or_default().push(op));
        }
        for global in self.module.ops().into_iter().filter(|op| op.attribute(LIFTED).is_some()) {
            let name = global.symbol_name().unwrap_or_default();
            let gets = gets.remove(name).unwrap_or_default();
            let (dead, gets): (Vec<Op>, Vec<Op>) =
                gets.into_iter().partition(|get| get.result(0).is_unused());
            dead.into_iter().for_each(Op::erase);
            if !gets.iter().all(|get| is_inside(*get, function)) {
                continue;
            }
            if let Some(first) = gets.first() {
                let ty = first.result(0).ty();
                let name = self.buffer_names.fresh(name);
                let buffer =
                    BufferView::create(first.location(), &name, Scope::Global, ty, &[], &[]);
                Builder::before(*first, first.location()).place(buffer);
                for get in gets {
                    get.result(0).replace_all_uses_with(buffer.result(0));
                    get.erase();
                }
            }
            global.erase();
        }
    }
}

/// The statements of a function: the ops at its top level that use buffers.
struct Statements<'c> {
    /// In program order.
    all: Vec<Statement<'c>>,
    /// The weights, with their bytes.
    weights: HashMap<Value<'c>, u64>,
    readers: HashMap<Value<'c>, Vec<usize>>,
    writers: HashMap<Value<'c>, Vec<usize>>,
}

struct Statement<'c> {
    op: Op<'c>,
    reads: Vec<Value<'c>>,
    writes: Vec<Value<'c>>,
    /// Constants of the function that it uses.
    outside: Vec<Value<'c>>,
    /// True if (C1) holds.
    is_plain: bool,
}

impl<'c> Statements<'c> {
    fn of(lifting: &Lifting<'c>, body: Block<'c>) -> Self {
        let mut statements = Self {
            all: vec![],
            weights: HashMap::new(),
            readers: HashMap::new(),
            writers: HashMap::new(),
        };
        for op in body.ops() {
            if let Some((_, bytes)) = lifting.weight(op.results().first()) {
                statements.weights.insert(op.result(0), bytes);
            } else if !op.is(BufferView::NAME) && !op.is_constant() {
                let number = statements.all.len();
                let statement = Statement::of(op, lifting);
                for buffer in &statement.reads {
                    statements.readers.entry(*buffer).or_default().push(number);
                }
                for buffer in &statement.writes {
                    statements.writers.entry(*buffer).or_default().push(number);
                }
                statements.all.push(statement);
            }
        }
        statements
    }

    fn readers(&self, buffer: Value<'c>) -> &[usize] {
        self.readers.get(&buffer).map_or(&[], Vec::as_slice)
    }

    fn writers(&self, buffer: Value<'c>) -> &[usize] {
        self.writers.get(&buffer).map_or(&[], Vec::as_slice)
    }

    fn is_used_by_others(&self, buffer: Value<'c>, lifted: &[usize]) -> bool {
        let mut users = self.readers(buffer).iter().chain(self.writers(buffer));
        users.any(|user| lifted.binary_search(user).is_err())
    }

    /// The statements to lift, in program order.
    fn lifted(&self) -> Vec<usize> {
        let mut may: Vec<bool> = self.all.iter().map(|it| it.is_plain).collect();
        // The weights that each statement is computed from.
        let mut from: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.all.len()];
        let numbers: HashMap<Value, usize> =
            self.weights.keys().enumerate().map(|(number, value)| (*value, number)).collect();
        for (i, statement) in self.all.iter().enumerate() {
            let mut weights = BTreeSet::new();
            for buffer in &statement.reads {
                weights.extend(numbers.get(buffer));
                for writer in self.writers(*buffer).iter().filter(|writer| **writer < i) {
                    weights.extend(from[*writer].iter().copied());
                }
                may[i] = may[i] && (numbers.contains_key(buffer) || is_static_buffer(*buffer));
            }
            may[i] = may[i] && statement.writes.iter().all(|buffer| is_static_buffer(*buffer));
            if may[i] {
                from[i] = weights;
            }
        }
        let bytes: HashMap<usize, u64> =
            numbers.iter().map(|(value, number)| (*number, self.weights[value])).collect();
        let source = |i: usize| from[i].iter().map(|number| bytes[number]).sum::<u64>();
        // Statements are refused until no refusal follows from another one.
        loop {
            let before = may.clone();
            for i in (0..self.all.len()).rev().chain(0..self.all.len()) {
                may[i] = may[i] && self.may_lift(i, &may, source(i));
            }
            if may == before {
                break;
            }
        }
        (0..may.len()).filter(|i| may[*i]).collect()
    }

    /// (C2), (C3) and (C4), if `may` holds for the other statements.
    fn may_lift(&self, i: usize, may: &[bool], source: u64) -> bool {
        let statement = &self.all[i];
        let is_ready = |buffer: &Value<'c>| self.writers(*buffer).iter().all(|it| may[*it]);
        let mut left = 0;
        for buffer in &statement.writes {
            let last = self.writers(*buffer).last();
            let others = self.readers(*buffer).iter().filter(|it| !may[**it]);
            if others.clone().any(|reader| Some(reader) < last) {
                return false;
            }
            if others.count() > 0 {
                left += bytes_of(buffer.ty()).unwrap_or(u64::MAX);
            }
        }
        statement.reads.iter().chain(&statement.writes).all(is_ready)
            && left <= source.saturating_mul(MOST_GROWTH)
            && self.has_use(i, may, left)
    }

    /// True if a statement leaves something for the function, or a lifted one reads what it writes.
    fn has_use(&self, i: usize, may: &[bool], left: u64) -> bool {
        let readers = self.all[i].writes.iter().flat_map(|buffer| self.readers(*buffer));
        left > 0 || readers.into_iter().any(|reader| *reader != i && may[*reader])
    }
}

impl<'c> Statement<'c> {
    fn of(op: Op<'c>, lifting: &Lifting<'c>) -> Self {
        let group = callee(op).and_then(|name| lifting.groups.get(name).copied());
        let is_nest = [For::NAME, If::NAME, ScheduleBlock::NAME].contains(&op.name());
        let mut statement =
            Self { op, reads: vec![], writes: vec![], outside: vec![], is_plain: is_nest };
        for inner in walk(op) {
            for (place, value) in inner.operands().into_iter().enumerate() {
                if is_within(value, op) {
                    continue;
                }
                let is_constant = value.defining_op().is_some_and(Op::is_constant);
                let (is_read, is_written) = match (inner.name(), place) {
                    _ if is_constant => {
                        add(&mut statement.outside, value);
                        continue;
                    }
                    ("memref.load", 0) => (true, false),
                    ("func.call", _) if group.is_some() => {
                        statement.is_plain = false;
                        let is_result = group.is_some_and(|group| is_result(group, place));
                        (!is_result, is_result)
                    }
                    ("memref.store", 1) => (false, true),
                    (ScheduleBlock::NAME, _) if value.ty().is_memref() => continue,
                    _ => {
                        statement.is_plain = false;
                        (true, true)
                    }
                };
                if is_read {
                    add(&mut statement.reads, value);
                }
                if is_written {
                    add(&mut statement.writes, value);
                }
            }
            statement.is_plain &= !inner.is("func.call") && !inner.is("loop.sync");
        }
        statement
    }
}

/// True if an argument of a fusion group is written. All others are only read.
fn is_result(group: Op, argument: usize) -> bool {
    group.argument_attribute(argument, "loop.result").is_some()
}

/// Adds a value that is not there yet; a nest has few.
fn add<'c>(values: &mut Vec<Value<'c>>, value: Value<'c>) {
    if !values.contains(&value) {
        values.push(value);
    }
}

/// True if a value is defined by an op inside of `op`, or is an argument of a block inside.
fn is_within<'c>(value: Value<'c>, op: Op<'c>) -> bool {
    let owner = value.defining_op().or_else(|| value.owner().and_then(Block::parent));
    owner.is_some_and(|owner| is_inside(owner, op) && value.defining_op() != Some(op))
}

/// The buffers that an op and the ops in it use.
fn buffers_of(op: Op) -> Vec<Value> {
    let operands = walk(op).into_iter().flat_map(Op::operands);
    operands.filter(|value| matches!(value.ty().kind(), TypeKind::MemRef { .. })).collect()
}

fn is_static_buffer(value: Value) -> bool {
    let view = value.defining_op().filter(|op| op.is(BufferView::NAME));
    let view = view.and_then(|op| BufferView::of(op).ok());
    let is_small = bytes_of(value.ty()).is_some_and(|bytes| bytes <= u32::MAX.into());
    is_small && view.is_some_and(|view| view.scope == Scope::Global)
}

/// The bytes of a memref of static shape.
fn bytes_of(ty: Type) -> Option<u64> {
    static_bytes(ty).and_then(|bytes| u64::try_from(bytes).ok())
}

/// The global that a `memref.get_global` is of.
fn global_of<'c>(op: Op<'c>) -> Option<&'c str> {
    op.attribute("name").filter(|_| op.is("memref.get_global")).and_then(Attribute::as_symbol)
}
