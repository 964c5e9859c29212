//! Queries of a schedule about its function, before and after steps.

use super::{CHAIN, TILES, function, parse};
use loopwright::pipeline;
use loopwright::schedule::{Schedule, query};

#[test]
fn a_schedule_says_what_there_is() {
    let context = pipeline::context();
    let module = parse(&context, CHAIN.text);
    let mut schedule = Schedule::new(function(&module, "main")).expect("a function of loops");
    assert_eq!(schedule.blocks(), ["P", "Q", "R", "D"]);
    assert_eq!(schedule.block("Q").expect("there is one").name, "Q");
    schedule.block("X").expect_err("there is none");
    assert_eq!(schedule.loops("P").expect("a block"), ["P:i", "P:j"]);
    assert_eq!(schedule.consumers("P").expect("a block"), ["Q", "D"]);
    assert_eq!(schedule.producers("Q").expect("a block"), ["P"]);
    assert_eq!(schedule.producers("P").expect("a block"), [""; 0]);
    assert_eq!(schedule.reads("Q").expect("a block"), schedule.writes("P").expect("a block"));
    schedule.reads("X").expect_err("there is none");
    schedule.writes("X").expect_err("there is none");
    assert!(schedule.outputs().contains(&"R".to_owned()));
    assert_eq!(schedule.find("?:i"), ["P:i", "Q:i", "R:i", "D:i"]);
    assert_eq!(schedule.next("P:i").expect("a loop"), Some("Q:i".into()));
    assert_eq!(schedule.previous("P:i").expect("a loop"), None);
    assert_eq!(schedule.parent("P:j").expect("a loop"), Some("P:i".into()));
    assert_eq!(schedule.parent("P:i").expect("a loop"), None);
    assert_eq!(schedule.children("P:i").expect("a loop"), ["P"]);

    // Loops and blocks that steps have not created or moved keep their names.
    schedule.split("P:i", &[-1, 2], Some("peel")).expect("legal");
    assert_eq!(schedule.find("P*:i*"), ["P:i.0", "P:i.1", "P.tail:i.tail"]);
    assert_eq!(schedule.loops("P").expect("a block"), ["P:i.0", "P:i.1", "P:j"]);
    assert_eq!(schedule.next("P:i.0").expect("a loop"), Some("P.tail:i.tail".into()));
    assert_eq!(schedule.producers("Q").expect("a block"), ["P", "P.tail"]);
    assert!(
        schedule.show().starts_with("serial i.0 in 1\n  serial i.1 in 2\n"),
        "{}",
        schedule.show()
    );
}

#[test]
fn blocks_have_blocks_in_them() {
    let context = pipeline::context();
    let module = parse(&context, TILES.text);
    let schedule = Schedule::new(function(&module, "main")).expect("a function of loops");
    assert_eq!(schedule.children("tile").expect("a block"), ["T", "B"]);
    assert_eq!(schedule.parent("T:i").expect("a loop"), Some("tile".into()));
}

#[test]
fn patterns_match_names() {
    for (pattern, text, is_match) in [
        ("*", "", true),
        ("C*:j*", "C.tail:j.0", true),
        ("C*:j*", "C", false),
        ("?.0", "i.0", true),
        ("?.0", ".0", false),
        ("*.tail*", "a.tail_1", true),
        ("", "a", false),
    ] {
        assert_eq!(query::matches(pattern, text), is_match, "{pattern} {text}");
    }
}
