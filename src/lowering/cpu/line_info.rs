//! `line-info`: annotate PTX instructions with the loops and the schedule block that they come from.
//!
//! ```text
//! llvm.load %p loc("loop i/j, block B"("models/f.mlir":7:5))
//!   ->
//! .file 2 "loop i>j, block B, f.mlir"
//! .loc 2 7 5
//! ld.global.b32 %r1, [%rd1];
//! ```
//! `convert-loop-to-gpu` attaches these names to locations, and all passes in between keep them. Each file name in the
//! PTX consists of the names of the loops and the schedule block, and the base name of the source file. So all tools
//! show these names, and the PTX does not depend on directories. Slashes between loops become `>`, because `ptxas`
//! enters the part before the last slash into a table of directories, and crashes on some programs with hundreds of
//! directories. No debug sections are emitted, and the instructions are the same as without the pass. Only `llvm.func`
//! ops get line info, and ops without a location get none.

use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::ir::{Attribute, Error, Location, Op, parents, walk};
use crate::lowering::symbol;
use std::collections::HashMap;
use std::path::Path;

/// The loops and the schedule block that enclose an op, including the op itself: `loop i/j, block B`.
pub fn place(op: Op) -> String {
    let (mut loops, mut block) = (vec![], None);
    for around in std::iter::once(op).chain(parents(op)) {
        let name = || around.attribute("name").and_then(Attribute::as_str).unwrap_or_default();
        match around.name() {
            For::NAME => loops.push(name()),
            ScheduleBlock::NAME => block = block.or_else(|| Some(name())),
            _ => {}
        }
    }
    loops.reverse();
    let loops = (!loops.is_empty()).then(|| format!("loop {}", loops.join("/")));
    let block = block.map(|name| format!("block {name}"));
    loops.into_iter().chain(block).collect::<Vec<_>>().join(", ")
}

/// Attaches line info to the functions of a `gpu.module`.
///
/// # Errors
/// If MLIR rejects the line info.
pub fn attach<'c>(module: Op<'c>) -> Result<(), Error<'c>> {
    let ops = walk(module);
    let functions = ops.iter().filter(|op| op.is("llvm.func") && op.body(0).is_some());
    // A `distinct` attribute is identical only within one parsed text, so all scopes are parsed as one text.
    let (mut scopes, mut located) = (vec![], vec![]);
    for (i, function) in functions.enumerate() {
        let (file, ..) = source(function.location()).unwrap_or(("kernels".into(), 1, 1));
        let name = quoted(symbol(*function));
        let unit = format!(
            "#llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = {}, producer = \"Loopwright\", \
             isOptimized = true, emissionKind = DebugDirectivesOnly>",
            file_of("kernels")
        );
        let program = format!(
            "#llvm.di_subprogram<id = distinct[{}]<>, compileUnit = {unit}, scope = {}, name = {name}, file = {}, \
             subprogramFlags = \"Definition|Optimized\", type = #llvm.di_subroutine_type<>>",
            i + 1,
            file_of(&file),
            file_of(&file),
        );
        located.push((*function, scopes.len()));
        scopes.push(program.clone());
        let mut known = HashMap::new();
        for op in walk(*function).into_iter().skip(1) {
            let Some((file, ..)) = source(op.location()) else { continue };
            let number = *known.entry(file).or_insert_with_key(|file| {
                let file = file_of(file);
                let scope =
                    format!("#llvm.di_lexical_block_file<scope = {program}, file = {file}, discriminator = 0>");
                scopes.push(scope);
                scopes.len() - 1
            });
            located.push((op, number));
        }
    }
    let text = format!("[{}]", scopes.join(", "));
    let scopes = Attribute::parse(module.context(), &text).and_then(Attribute::as_array);
    let Some(scopes) = scopes else {
        return Err(Error::on(module, "has line info that MLIR cannot parse"));
    };
    for (op, number) in located {
        let (_, line, column) = source(op.location()).unwrap_or_default();
        let location = Location::of_file(module.context(), "", line, column);
        op.set_location(location.with(scopes[number]));
    }
    Ok(())
}

/// The PTX file name for a location, with line and column.
fn source(location: Location) -> Option<(String, usize, usize)> {
    if let Some((path, line, column)) = location.file() {
        let name = Path::new(path).file_name().unwrap_or_default();
        return Some((name.to_string_lossy().into_owned(), line, column));
    }
    let Some((name, inner)) = location.name() else {
        return location.parts().into_iter().find_map(source);
    };
    // Line 0 would mean that there is no location.
    Some(match source(inner) {
        Some((file, line, column)) => (format!("{name}, {file}"), line, column),
        None => (name.to_owned(), 1, 1),
    })
}

fn file_of(name: &str) -> String {
    format!("#llvm.di_file<{} in \"\">", quoted(name))
}

/// Quotes a name for MLIR and for PTX, which has no escapes.
fn quoted(name: &str) -> String {
    let plain = |c: char| match c {
        '/' => '>',
        '"' | '\\' => '_',
        _ if c.is_control() => '_',
        _ => c,
    };
    format!("\"{}\"", name.chars().map(plain).collect::<String>())
}
