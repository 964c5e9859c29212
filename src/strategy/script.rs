//! A transform script declares a strategy as a named sequence with parameters. The attribute `loop.strategy` states when
//! the strategy applies.
//!
//! ```text
//! transform.named_sequence @two_rows(%f: !transform.any_op {transform.readonly}) attributes {
//!     loop.strategy = {target = "x86", priority = 60 : i64, summary = "Computes two rows at once",
//!                      kind = "product", nests = ["product"], loops = ["i", "j", "k"], sizes = "$i <= 2"},
//!     loop.parameters = {product, i, j, k, lanes}, loop.requires = ["$product:$j is multiple of $lanes"]} {
//!   transform.sched.split "$product:$j" in %f factors "-1, $lanes"
//!   ..
//! ```
//! - `target` is `x86` or `nvptx`. `priority` is compared with those of all strategies for that target.
//! - `nests` lists, for each nest of the group in order, the parameter that gets the name of its schedule block. The strategy
//!   applies only to groups of this number of nests. `loops` lists the parameters that get the names of the first nest's
//!   loops, outermost first. The first nest must have this number of loops. Without `loops` it may have any number.
//! - `kind`, if there is one, is what the first nest must be: `product`, `windows` (a pooling or a depthwise convolution),
//!   `reduction`, `elementwise`.
//! - `sizes`, if there is one, states for which extents of the first nest's loops the strategy is to be used, as a condition
//!   of `specialize`: `$i <= 4 and $k mod 16 == 0`.
//! - A parameter without a default that has the name of a property of the machine is set to it. On x86 these are `lanes` (how
//!   many of the first nest's widest elements a vector has) and `cores`. On nvptx they are `lanes` (of a warp), `threads`
//!   (the default number of threads of a thread block) and `multiprocessors`.
//! - The steps, `loop.requires` and `loop.ensures` are those of a [schedule with parameters](crate::schedule::library).
//!   If a condition does not hold, or a step is refused, the strategy is undone.

use super::group::{NestGroup, is_product};
use super::nest::Nest;
use super::space::Space;
use super::{Strategies, Strategy};
use crate::ir::{Attribute, Context, Error, Location, Op, parse_text_in, top};
use crate::machine::cuda::Gpu;
use crate::machine::x86::Processor;
use crate::nest::summary::NodeId;
use crate::schedule::error::LibraryReason;
use crate::schedule::library::{self, PARAMETERS, ParameterValues};
use crate::schedule::primitive::r#loop::specialize::condition;
use crate::schedule::{Literal, Schedule, ScheduleError};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The attribute of a sequence that is a strategy.
const STRATEGY: &str = "loop.strategy";

/// A strategy that a script declares.
#[derive(Clone, Debug)]
pub struct ScriptStrategy {
    name: String,
    summary: String,
    priority: u32,
    kind: Option<NestKind>,
    nests: Vec<String>,
    loops: Option<Vec<String>>,
    sizes: Option<String>,
    /// Declared parameters without a default.
    required: Vec<String>,
    script: Arc<ScriptFile>,
}

/// A file of strategies.
#[derive(Debug)]
struct ScriptFile {
    name: String,
    text: String,
}

/// What the first nest of a group is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NestKind {
    Product,
    Windows,
    Reduction,
    Elementwise,
}

const KINDS: [(&str, NestKind); 4] = [
    ("product", NestKind::Product),
    ("windows", NestKind::Windows),
    ("reduction", NestKind::Reduction),
    ("elementwise", NestKind::Elementwise),
];

impl NestKind {
    fn of(nest: &Nest) -> NestKind {
        match () {
            () if is_product(nest) => NestKind::Product,
            () if nest.reduces_windows() => NestKind::Windows,
            () if nest.is_reduction() => NestKind::Reduction,
            () => NestKind::Elementwise,
        }
    }

    fn word(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }
}

/// The properties of a machine that scripts can use.
trait Properties {
    fn properties(&self, nest: &Nest) -> Vec<(&'static str, i64)>;
}

impl Properties for Processor {
    fn properties(&self, nest: &Nest) -> Vec<(&'static str, i64)> {
        let cores = i64::try_from(self.cores).unwrap_or(i64::MAX);
        vec![("lanes", super::x86::lanes(nest, self)), ("cores", cores)]
    }
}

impl Properties for Gpu {
    fn properties(&self, _: &Nest) -> Vec<(&'static str, i64)> {
        vec![
            ("lanes", self.lanes),
            ("threads", self.threads),
            ("multiprocessors", self.multiprocessors),
        ]
    }
}

impl Strategies {
    /// The strategies of the package and those that files of transform scripts declare.
    ///
    /// # Errors
    /// If a file cannot be read; else as [`add_script`](Strategies::add_script).
    pub fn with_scripts<'c, F: AsRef<Path>>(
        context: Context<'c>,
        files: &[F],
    ) -> Result<Strategies, Error<'c>> {
        let mut strategies = Strategies::default();
        for file in files {
            let name = file.as_ref().display().to_string();
            let text = fs::read_to_string(file).map_err(|error| {
                let message = format!("the strategies cannot be read: {error}");
                Error::at(Location::of_file(context, &name, 1, 1), message)
            })?;
            strategies.add_script(context, &name, &text)?;
        }
        Ok(strategies)
    }

    /// Adds the strategies that a transform script declares.
    ///
    /// # Errors
    /// If the text is no module, declares no strategy, or one is not valid or has the name of another one: the location is
    /// in the script, and none is added. If it cannot be parsed, the parser has also reported why.
    pub fn add_script<'c>(
        &mut self,
        context: Context<'c>,
        file: &str,
        text: &str,
    ) -> Result<(), Error<'c>> {
        let Some(module) = parse_text_in(context, text, file) else {
            let message = "is not a module, expected one with transform scripts";
            return Err(Error::at(Location::of_file(context, file, 1, 1), message));
        };
        let script = Arc::new(ScriptFile { name: file.to_owned(), text: text.to_owned() });
        let ops = top(&module).body(0).map(|body| body.ops()).unwrap_or_default();
        let mut declared = vec![];
        for op in ops {
            let Some(attribute) = op.attribute(STRATEGY) else { continue };
            let located = |message: String| Error::at(op.location().of(context), message);
            let (target, strategy) = ScriptStrategy::of(op, attribute, &script).map_err(located)?;
            declared.push((op, target, strategy));
        }
        if declared.is_empty() {
            let message = format!("has no named sequence with attribute {STRATEGY}");
            return Err(Error::at(top(&module).location().of(context), message));
        }
        let before = (self.x86.len(), self.nvptx.len());
        for (op, target, strategy) in declared {
            let added = match target {
                ScriptTarget::X86 => self.x86.add(strategy),
                ScriptTarget::Nvptx => self.nvptx.add(strategy),
            };
            if let Err(error) = added {
                self.x86.truncate(before.0);
                self.nvptx.truncate(before.1);
                return Err(Error::at(op.location().of(context), error.to_string()));
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScriptTarget {
    X86,
    Nvptx,
}

impl ScriptTarget {
    /// The names of the [`Properties`] of its machines.
    fn properties(self) -> &'static [&'static str] {
        match self {
            ScriptTarget::X86 => &["lanes", "cores"],
            ScriptTarget::Nvptx => &["lanes", "threads", "multiprocessors"],
        }
    }
}

impl ScriptStrategy {
    /// Reads the attribute of a sequence. The error is about the strategy of that name.
    fn of(
        op: Op,
        attribute: Attribute,
        script: &Arc<ScriptFile>,
    ) -> Result<(ScriptTarget, ScriptStrategy), String> {
        let name = op.symbol_name().unwrap_or_default();
        Self::read(op, name, attribute, script).map_err(|why| format!("strategy @{name}: {why}"))
    }

    fn read(
        op: Op,
        name: &str,
        attribute: Attribute,
        script: &Arc<ScriptFile>,
    ) -> Result<(ScriptTarget, ScriptStrategy), String> {
        let fields = attribute.as_dictionary().ok_or("its attribute is no dictionary")?;
        let expected = ["target", "priority", "nests", "kind", "loops", "sizes", "summary"];
        if let Some((other, _)) = fields.iter().find(|(key, _)| !expected.contains(key)) {
            return Err(format!("found {other}, expected one of {}", expected.join(", ")));
        }
        let field = |key: &str| fields.iter().find(|(it, _)| *it == key).map(|(_, value)| *value);
        let text = |key: &str| {
            let text = field(key).map(|value| value.as_str().ok_or(format!("{key} is no text")));
            text.transpose()
        };
        let names = |key: &str| {
            let names = |value: Attribute| {
                let names = value.as_array()?.into_iter().map(Attribute::as_str);
                Some(names.collect::<Option<Vec<_>>>()?.into_iter().map(str::to_owned).collect())
            };
            let list = field(key).map(|it| names(it).ok_or(format!("{key} is no list of texts")));
            list.transpose()
        };
        let target = match text("target")? {
            Some("x86") => ScriptTarget::X86,
            Some("nvptx") => ScriptTarget::Nvptx,
            found => {
                let found = found.unwrap_or("none");
                return Err(format!("found target {found}, expected x86 or nvptx"));
            }
        };
        let priority = field("priority").and_then(Attribute::as_i64);
        let priority = priority.and_then(|number| u32::try_from(number).ok());
        let priority = priority.ok_or("expected a priority of 0 or more, such as 60 : i64")?;
        let kind = match text("kind")? {
            None => None,
            Some(word) => {
                let kind = KINDS.iter().find(|(it, _)| *it == word);
                let words = KINDS.map(|(word, _)| word).join(", ");
                let kind = kind.ok_or(format!("found kind {word}, expected one of {words}"))?;
                Some(kind.1)
            }
        };
        let nests: Vec<String> = names("nests")?
            .filter(|nests: &Vec<String>| !nests.is_empty())
            .ok_or("expected nests, the parameters for the schedule blocks of the group")?;
        let loops: Option<Vec<String>> = names("loops")?;
        let sizes = text("sizes")?.map(str::to_owned);
        if let Some(sizes) = &sizes {
            let loops = loops.as_deref().unwrap_or_default();
            let same: ParameterValues =
                loops.iter().map(|name| (name.clone(), Literal::Text(name.clone()))).collect();
            condition::parse(&library::filled(sizes, &same), loops)
                .map_err(|why| format!("sizes \"{sizes}\" is no condition on its loops: {why}"))?;
        }
        let parameters = op.attribute(PARAMETERS).and_then(Attribute::as_dictionary);
        let parameters = parameters.unwrap_or_default();
        let set: Vec<&String> = nests.iter().chain(loops.iter().flatten()).collect();
        if let Some(name) = set.iter().find(|name| parameters.iter().all(|(it, _)| it != **name)) {
            return Err(format!("{name} is not one of its parameters, {PARAMETERS}"));
        }
        let required = parameters
            .iter()
            .filter(|(name, initial)| initial.is_unit() && !set.iter().any(|other| other == name));
        let required: Vec<String> = required.map(|(name, _)| (*name).to_owned()).collect();
        if let Some(name) =
            required.iter().find(|name| !target.properties().contains(&name.as_str()))
        {
            return Err(format!(
                "parameter {name} has no value; expected a default, or one of nests, loops, or the machine's {}",
                target.properties().join(", ")
            ));
        }
        let summary = text("summary")?.unwrap_or_default().to_owned();
        let (name, script) = (name.to_owned(), script.clone());
        Ok((
            target,
            ScriptStrategy { name, summary, priority, kind, nests, loops, sizes, required, script },
        ))
    }

    /// The values of its parameters for a group.
    fn values(&self, group: &NestGroup, machine: &impl Properties) -> ParameterValues {
        let first = &group.nests[0];
        let text = |name: &String, value: &str| (name.clone(), Literal::Text(value.to_owned()));
        let blocks =
            self.nests.iter().zip(&group.nests).map(|(name, nest)| text(name, &nest.block));
        let loops = self.loops.iter().flatten().zip(&first.loops);
        let loops = loops.map(|(name, axis)| text(name, &axis.name));
        let properties = machine.properties(first).into_iter();
        let properties = properties.filter(|(name, _)| self.required.iter().any(|it| it == name));
        let properties = properties.map(|(name, value)| (name.to_owned(), Literal::Integer(value)));
        blocks.chain(loops).chain(properties).collect()
    }
}

impl<M: Properties> Strategy<M> for ScriptStrategy {
    fn name(&self) -> &str {
        &self.name
    }

    fn summary(&self) -> &str {
        &self.summary
    }

    fn priority(&self) -> u32 {
        self.priority
    }

    fn identity(&self) -> String {
        self.script.text.clone()
    }

    fn applies(&self, group: &NestGroup, _: &M) -> Result<(), String> {
        let (found, expected) = (group.nests.len(), self.nests.len());
        if found != expected {
            return Err(format!("the group has {found} nests, expected {expected}"));
        }
        let first = &group.nests[0];
        let found = first.loops.len();
        if let Some(loops) = self.loops.as_ref().filter(|loops| loops.len() != found) {
            let expected = loops.len();
            return Err(format!("{} has {found} loops, expected {expected}", first.block));
        }
        let found = NestKind::of(first);
        match self.kind {
            Some(kind) if kind != found => {
                let (block, found, kind) = (&first.block, found.word(), kind.word());
                Err(format!("{block} is of kind {found}, expected {kind}"))
            }
            _ => Ok(()),
        }
    }

    fn sizes(&self, group: &NestGroup, machine: &M) -> Option<String> {
        Some(library::filled(self.sizes.as_ref()?, &self.values(group, machine)))
    }

    fn schedule(
        &self,
        schedule: &mut Schedule,
        group: &NestGroup,
        machine: &M,
        _: &Space,
    ) -> Result<(), ScheduleError> {
        let values = self.values(group, machine);
        let ScriptFile { name, text } = &*self.script;
        let Some(module) = parse_text_in(schedule.context(), text, name) else {
            // Only in another context, without the dialects that the one that has read it has.
            let reason =
                LibraryReason::NoSchedule { name: self.name.clone(), present: String::new() };
            return Err(reason.at(NodeId::FUNCTION, 0));
        };
        schedule.call_unchecked(top(&module), &self.name, &values)
    }
}
