//! The interfaces of a primitive agree with its row: the entry of `dialects/sched/SchedOps.td` has its parameters, and
//! the row and the method come from one declaration.

use crate::{read, source};
use loopwright::schedule::instruction::{Parameter, ParameterKind, Primitive};
use loopwright::schedule::primitive::PRIMITIVES;

const ENTRIES: &str = "dialects/sched/SchedOps.td";

/// The entry that a row asks for. A number may be declared positive.
fn entry(primitive: &Primitive) -> String {
    let [target, others @ ..] = primitive.parameters else { panic!("a primitive has a target") };
    let class = match (target.name, target.kind) {
        ("loop", ParameterKind::Loop) => "LoopPrimitive",
        ("loops", ParameterKind::Loops) => "LoopsPrimitive",
        ("block", ParameterKind::Block) => "BlockPrimitive",
        ("target", ParameterKind::Target) => "TargetPrimitive",
        ("buffer", ParameterKind::Buffer) => "BufferPrimitive",
        _ => "PrimitiveOp",
    };
    let mut items = vec![format!("\"{}\"", primitive.name)];
    if class == "PrimitiveOp" {
        items.push(format!("(ins OptionalAttr<{}>:${})", attribute(target.kind), target.name));
    }
    if !others.is_empty() {
        items.push(format!("(ins {})", others.iter().map(argument).collect::<Vec<_>>().join(", ")));
        items.push(format!("\"{}\"", others.iter().map(format).collect::<Vec<_>>().join(" ")));
    }
    let words = primitive.name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
    format!("def Sched{}Op : {class}<{}>;", words.collect::<String>(), items.join(", "))
}

fn attribute(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Loops | ParameterKind::Blocks => "StrArrayAttr",
        ParameterKind::Integers | ParameterKind::OptionalIntegers => "Numbers",
        ParameterKind::OptionalInteger => "Number",
        ParameterKind::Literal => "AnyAttrOf<[StrAttr, BoolAttr, I64Attr]>",
        _ => "StrAttr",
    }
}

fn argument(parameter: &Parameter) -> String {
    let (name, attribute) = (parameter.name, attribute(parameter.kind));
    match parameter.kind.default() {
        None => format!("{attribute}:${name}"),
        Some(_) => format!("OptionalAttr<{attribute}>:${name}"),
    }
}

fn format(parameter: &Parameter) -> String {
    let name = parameter.name;
    let value = match attribute(parameter.kind) {
        number @ ("Number" | "Numbers") => format!("custom<{number}>(${name})"),
        _ => format!("${name}"),
    };
    match parameter.kind.default() {
        None => format!("`{name}` {value}"),
        Some(_) => format!("(`{name}` {value}^)?"),
    }
}

/// Without line breaks, joined string literals, and the distinction of positive numbers.
fn normalized(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace("\" \"", "").replace("PositiveNumber", "Number")
}

#[test]
fn each_primitive_has_its_op() {
    let text = normalized(&read(ENTRIES));
    let missing: Vec<_> =
        PRIMITIVES.iter().map(|it| entry(it)).filter(|entry| !text.contains(entry)).collect();
    assert!(
        missing.is_empty(),
        "{ENTRIES} needs these entries, in which Number may be PositiveNumber:\n{}",
        missing.join("\n")
    );
    let entries = text.matches("def Sched").count();
    let others = ["def SchedCallOp", "def SchedDecideOp", "def SchedFunctionOp"];
    assert!(others.iter().all(|other| text.contains(other)));
    assert_eq!(entries, PRIMITIVES.len() + others.len(), "an op of {ENTRIES} has no primitive");
}

#[test]
fn an_op_of_other_parameters_is_noticed() {
    let text = normalized(&read(ENTRIES));
    let split = entry(Primitive::of("split").expect("it is a primitive"));
    assert!(text.contains(&split));
    for other in ["StrAttr:$factors", "OptionalAttr<Numbers>:$factors", "Numbers:$parts"] {
        assert!(!text.contains(&split.replace("Numbers:$factors", other)), "{other}");
    }
}

/// The row, the arguments and the method of a primitive cannot differ, because one macro makes them. The test `traces`
/// compiles a call with each kind of parameter.
#[test]
fn each_primitive_is_declared_once() {
    for primitive in PRIMITIVES {
        let file = source(primitive.name);
        let text = read(&file);
        assert_eq!(text.matches("\nprimitive! {\n").count(), 1, "{file}: one declaration");
        let declares = format!(" {}(", primitive.name);
        let declaration = text.split("\nprimitive! {\n").nth(1).unwrap_or_default();
        let declaration = declaration.split("\n}\n").next().unwrap_or_default();
        assert!(declaration.contains(&declares), "{file} declares {}", primitive.name);
        assert!(!text.contains("PRIMITIVE: Primitive"), "{file}: a row by hand");
    }
}
