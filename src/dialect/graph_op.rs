//! Attributes and enums of the graph dialect; values and spellings of enums are those of GraphDialect.td.

use super::loop_enums::keyword_enum;

/// On a private function: it was a fusion group.
pub const GROUP: &str = "graph.group";

keyword_enum! {
    /// The combiner of `graph.reduce`.
    ReduceKind {
        Add = 0, "add";
        Mul = 1, "mul";
        Max = 2, "max";
        Min = 3, "min";
    }
}
