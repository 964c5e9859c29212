//! Strategies of scripts that are refused, each for one reason.

use loopwright::ir::handle_of;
use loopwright::pipeline;
use loopwright::strategy::Strategies;

/// Adds a script of one strategy with these attributes; returns the message if it is refused.
fn add(strategies: &mut Strategies, strategy: &str, parameters: &str) -> Result<(), String> {
    let context = pipeline::context();
    let text = format!(
        "module attributes {{transform.with_named_sequence}} {{
           transform.named_sequence @own(%f: !transform.any_op {{transform.readonly}}) attributes {{
               {strategy} loop.parameters = {{{parameters}}}}} {{
             transform.yield
           }}
         }}"
    );
    let added = strategies.add_script(handle_of(&context), "own.mlir", &text);
    added.map_err(|error| error.message)
}

#[test]
fn refused_scripts() {
    let fields = "target = \"x86\", priority = 60 : i64, nests = [\"map\"]";
    for (strategy, parameters, expected) in [
        ("", "map", "has no named sequence with attribute loop.strategy"),
        ("loop.strategy = 3 : i64,", "map", "strategy @own: its attribute is no dictionary"),
        (
            "loop.strategy = {target = \"arm\"},",
            "map",
            "strategy @own: found target arm, expected x86 or nvptx",
        ),
        ("loop.strategy = {},", "map", "strategy @own: found target none, expected x86 or nvptx"),
        (
            "loop.strategy = {target = \"x86\", priority = -1 : i64},",
            "map",
            "strategy @own: expected a priority of 0 or more, such as 60 : i64",
        ),
        (
            "loop.strategy = {target = \"x86\", priority = 60 : i64},",
            "map",
            "strategy @own: expected nests, the parameters for the schedule blocks of the group",
        ),
        (
            "loop.strategy = {FIELDS, tile = 4 : i64},",
            "map",
            "strategy @own: found tile, expected one of target, priority, nests, kind, loops, sizes, summary",
        ),
        (
            "loop.strategy = {FIELDS, kind = \"conv\"},",
            "map",
            "strategy @own: found kind conv, expected one of product, windows, reduction, elementwise",
        ),
        (
            "loop.strategy = {FIELDS, loops = \"i\"},",
            "map, i",
            "strategy @own: loops is no list of texts",
        ),
        (
            "loop.strategy = {FIELDS, loops = [\"i\"]},",
            "map",
            "strategy @own: i is not one of its parameters, loop.parameters",
        ),
        (
            "loop.strategy = {FIELDS, loops = [\"i\"], sizes = \"$i < \"},",
            "map, i",
            "strategy @own: sizes \"$i < \" is no condition on its loops: found \"\", expected a number or a size, of which there are i",
        ),
        (
            "loop.strategy = {FIELDS, loops = [\"i\"], sizes = \"$j < 4\"},",
            "map, i",
            "strategy @own: sizes \"$j < 4\" is no condition on its loops: found \"$j < 4\", expected a number or a size, of which there are i",
        ),
        (
            "loop.strategy = {FIELDS},",
            "map, threads",
            "strategy @own: parameter threads has no value; expected a default, or one of nests, loops, or the machine's lanes, cores",
        ),
    ] {
        let strategy = strategy.replace("FIELDS", fields);
        let refused = add(&mut Strategies::default(), &strategy, parameters);
        assert_eq!(refused, Err(expected.to_owned()), "{strategy}");
    }
}

#[test]
fn a_name_is_taken_once_for_each_target() {
    let mut strategies = Strategies::default();
    let of = |target: &str| {
        format!(
            "loop.strategy = {{target = \"{target}\", priority = 60 : i64, nests = [\"map\"]}},"
        )
    };
    assert_eq!(add(&mut strategies, &of("x86"), "map, lanes"), Ok(()));
    assert_eq!(add(&mut strategies, &of("nvptx"), "map, threads"), Ok(()));
    let expected = "there is already a strategy named own, expected another name";
    assert_eq!(add(&mut strategies, &of("x86"), "map"), Err(expected.to_owned()));
    // None of a refused script is added.
    let context = pipeline::context();
    let sequence = |name: &str| {
        format!(
            "transform.named_sequence @{name}(%f: !transform.any_op {{transform.readonly}}) attributes {{
               {} loop.parameters = {{map}}}} {{ transform.yield }}",
            of("x86")
        )
    };
    let text = format!(
        "module attributes {{transform.with_named_sequence}} {{ {} {} }}",
        sequence("other"),
        sequence("x86.rows")
    );
    let refused = strategies.add_script(handle_of(&context), "two.mlir", &text);
    let expected = "there is already a strategy named x86.rows, expected another name";
    assert_eq!(refused.map_err(|error| error.message), Err(expected.to_owned()));
    let own = strategies.x86.strategies().last().expect("it was added");
    assert!(own.identity().contains("loop.parameters = {map, lanes}"));
}
