//! The error about a dialect that no tool of this package reads: what it is, and how its programs get here.

use crate::ir::Reported;

/// What programs consist of.
const EXPECTED: &str =
    "func, linalg, tensor, arith, math, scf, tosa, tm_tensor, ml_program and graph ops";

/// How programs with some dialects are converted.
const ADVICE: &[(&[&str], &str)] = &[
    (
        &["stablehlo", "chlo", "mhlo", "vhlo"],
        "convert the program with utils/stablehlo.py (docs/stablehlo.md)",
    ),
    (
        &["torch", "torch_c"],
        "export with torch-mlir's output_type=\"linalg-on-tensors\" or \"tosa\"",
    ),
    (&["onnx", "krnl"], "give the ONNX file itself"),
    (&["tf", "tfl"], "convert the program to TOSA or StableHLO"),
    (
        &["flow", "hal", "iree_linalg_ext", "stream", "util", "vm"],
        "give the program before the passes of IREE",
    ),
];

/// The error in this package's words, if it is about a dialect that is not known. `texts` were read from memory, and have the
/// file in their locations before them.
pub(super) fn explained(mut reported: Reported, texts: &[(String, String)]) -> Reported {
    let Some((what, dialect)) = found(&reported, texts) else { return reported };
    let advice = ADVICE.iter().find(|(dialects, _)| dialects.contains(&dialect.as_str()));
    let advice = advice.map_or("lower the program to these first", |(_, advice)| advice);
    reported.message = format!(
        "{what} of the dialect '{dialect}', which is not known, expected {EXPECTED}: {advice}"
    );
    // MLIR's note lists all dialects.
    reported.notes.clear();
    reported
}

/// What was found, and the name of its dialect.
fn found(reported: &Reported, texts: &[(String, String)]) -> Option<(String, String)> {
    let message = &reported.message;
    let between = |start: &str, end: &str| {
        let (_, rest) = message.split_once(start)?;
        rest.split_once(end).map(|(name, _)| name.to_owned())
    };
    if let Some(dialect) = between("Dialect `", "' not found for custom op '") {
        let op = between("for custom op '", "'")?;
        return Some((format!("found '{op}'"), dialect));
    }
    if message.starts_with("operation being parsed with an unregistered dialect") {
        let op = generic_op(reported, texts)?;
        let dialect = op.split_once('.')?.0.to_owned();
        return Some((format!("found '{op}'"), dialect));
    }
    let kind = ["type", "attribute"]
        .into_iter()
        .find(|kind| message.contains(&format!("{kind} created with unregistered dialect")))?;
    let sign = if kind == "type" { "!\"" } else { "#\"" };
    Some((format!("found a{} {kind}", if kind == "type" { "" } else { "n" }), between(sign, "\"")?))
}

/// The name of the op in generic form, `"dialect.op"(..)`, that ends at the place of a diagnostic.
fn generic_op(reported: &Reported, texts: &[(String, String)]) -> Option<String> {
    let (file, line, column) = reported.position.as_ref()?;
    let (line, column) = (*line, *column);
    let text = match texts.iter().find(|(name, _)| name == file) {
        Some((_, text)) => text.clone(),
        None => std::fs::read_to_string(file).ok()?,
    };
    let line = text.lines().nth(line.checked_sub(1)?)?;
    // The place is behind the name, or at its start.
    let start = line.get(..column.min(line.len()))?.rfind('"').unwrap_or(0);
    let names = [line.get(..start)?.rsplit_once('"'), line.get(start..)?.split_once('"')];
    let name = names[0].map(|(_, name)| name).filter(|name| name.contains('.'));
    let next = || names[1].and_then(|(_, rest)| rest.split_once('"')).map(|(name, _)| name);
    name.or_else(next).filter(|name| name.contains('.')).map(str::to_owned)
}
