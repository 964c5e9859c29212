//! The methods of Python's `Schedule`, generated from the table of primitives.

use crate::assert_kept;
use loopwright::schedule::instruction::{Creates, Parameter, ParameterKind, Primitive};
use loopwright::schedule::primitive::PRIMITIVES;
use std::fmt::Write;

const PATH: &str = "crates/loopwright-python/python/loopwright/_steps.py";

/// The keywords of Python that may be names of parameters. Their parameters end with an underscore, as is usual there.
const KEYWORDS: &[&str] = &[
    "as", "class", "def", "del", "from", "global", "import", "in", "is", "lambda", "pass", "with",
];

fn name_of(parameter: &Parameter) -> String {
    let end = if KEYWORDS.contains(&parameter.name) { "_" } else { "" };
    format!("{}{end}", parameter.name)
}

/// The type of a parameter, and its default value.
fn ty(kind: ParameterKind) -> (&'static str, Option<&'static str>) {
    match kind {
        ParameterKind::Loop
        | ParameterKind::Block
        | ParameterKind::Target
        | ParameterKind::Buffer
        | ParameterKind::Word => ("str", None),
        ParameterKind::Pattern => ("str", Some("\"*\"")),
        ParameterKind::OptionalWord => ("str | None", Some("None")),
        ParameterKind::Loops => ("Sequence[str]", None),
        ParameterKind::Blocks => ("Sequence[str]", Some("()")),
        ParameterKind::Integers => ("Sequence[int] | str", None),
        ParameterKind::OptionalIntegers => ("Sequence[int] | str", Some("()")),
        ParameterKind::OptionalInteger => ("int | str | None", Some("None")),
        ParameterKind::Literal => ("int | bool | str", None),
    }
}

/// The parameters with their types. One that a parameter without a default value follows has none, as Python requires.
fn declared(parameters: &[Parameter]) -> String {
    let mut text = String::new();
    for (i, parameter) in parameters.iter().enumerate() {
        let may_be_omitted = parameters[i..].iter().all(|it| ty(it.kind).1.is_some());
        let (ty, default) = ty(parameter.kind);
        let default = default.filter(|_| may_be_omitted);
        let default = default.map(|value| format!(" = {value}")).unwrap_or_default();
        let _ = writeln!(text, "        {}: {ty}{default},", name_of(parameter));
    }
    text
}

fn method(primitive: &Primitive) -> String {
    let Primitive { name, summary, parameters, creates, .. } = primitive;
    let mut text = format!("\n    def {name}(\n        self,\n");
    text += &declared(parameters);
    let (result, of) = match creates {
        Creates::Nothing => ("None", ("", "")),
        Creates::Name => ("str", ("return ", "[0]")),
        Creates::Names => ("list[str]", ("return ", "")),
    };
    let _ = write!(text, "    ) -> {result}:\n        \"\"\"{summary}.\n\n");
    for parameter in *parameters {
        let _ = writeln!(text, "        {}: {}", name_of(parameter), parameter.summary);
    }
    let _ = write!(text, "        \"\"\"\n        {}self.step(\n            \"{name}\",\n", of.0);
    for parameter in *parameters {
        let name = name_of(parameter);
        let _ = writeln!(text, "            {name}={name},");
    }
    let _ = writeln!(text, "        ){}", of.1);
    text
}

#[test]
fn the_steps_of_python_are_as_the_table() {
    let mut text = String::from(
        "\"\"\"The primitives as methods. Generated from the table in src/schedule/primitive.rs; a test compares.\n\n\
         `LOOPWRIGHT_UPDATE=1 cargo test --test docs` writes this file.\n\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from collections.abc import Sequence\n\
         from typing import Any\n\n\n\
         class Steps:\n    \"\"\"A method for each primitive; it returns the names of what the step has created.\"\"\"\n\n    \
         def step(self, primitive: str, /, **arguments: Any) -> list[str]:\n        raise NotImplementedError\n",
    );
    for primitive in PRIMITIVES {
        text += &method(primitive);
    }
    assert_kept(PATH, &text);
}
