//! Enums of the graph dialect; values and spellings are those of GraphDialect.td.

use super::loop_enums::keyword_enum;

keyword_enum! {
    /// The combiner of `graph.reduce`.
    ReduceKind {
        Add = 0, "add";
        Mul = 1, "mul";
        Max = 2, "max";
        Min = 3, "min";
    }
}
