//! The table of schedule primitives. Each row defines the three interfaces of a primitive: the method of
//! [`Schedule`](super::Schedule), the pass `--sched-<name>` and the op `transform.sched.<name>`.

use super::error::{Reason, ScheduleError};
use super::instruction::{Argument, Primitive};
use super::legality::atomic::check_step;
use super::legality::proof::PROOF;
use super::primitive::{
    annotation::*, cache::*, layout::*, location::*, r#loop::*, reduction::*, sampling::*,
    tensorize::*,
};
use super::rewrite::guard;
use crate::nest::state::State;

/// Declares [`PRIMITIVES`], and the macro `methods!`, which expands to the methods of all primitives.
macro_rules! primitives {
    ($($name:ident),+ $(,)?) => {
        /// All primitives, in the order of the documentation.
        pub static PRIMITIVES: &[&Primitive] = &[$(&$name::PRIMITIVE),+];

        macro_rules! methods {
            () => { $($name::method! {})+ };
        }
        pub(super) use methods;
    };
}

primitives! {
    split,
    fuse,
    reorder,
    tile,
    reorder_block_iter_var,
    transform_block_layout,
    loop_partition,
    join,
    shift,
    unroll_and_jam,
    specialize,
    remove_loop,
    reorder_statements,
    unroll,
    vectorize,
    parallel,
    bind,
    atomic,
    compute_inline,
    cache_read,
    cache_write,
    cache_inplace,
    reindex,
    set_scope,
    transform_layout,
    storage_align,
    fold_storage,
    rolling_buffer,
    prefetch,
    sync_threads,
    annotate,
    unannotate,
    rfactor,
    decompose_reduction,
    decompose_padding,
    pad_einsum,
    compute_at,
    query,
    reverse_compute_at,
    simple_compute_at,
    reverse_compute_inline,
    merge,
    fission,
    add_unit_loop,
    blockize,
    tensorize,
    software_pipeline,
    double_buffer,
    sample_perfect_tile,
    sample_categorical,
    sample_compute_location,
}

impl Primitive {
    /// Applies one step. A `proof "guard"` is applied first.
    pub fn run(
        &self,
        state: &mut State,
        arguments: &[Argument],
    ) -> Result<Vec<String>, ScheduleError> {
        if !state.force {
            check_step(state.summary(), self, arguments)?;
        }
        let proof = self.parameters.iter().zip(arguments).find(|(p, _)| p.name == PROOF.name);
        match proof.and_then(|(_, argument)| argument.optional_text()) {
            None | Some("assume") => {}
            Some("guard") if state.force => {}
            Some("guard") => guard::insert(state, self, arguments)?,
            Some(other) => return Err(Reason::NoProof(other.to_owned()).at(0, 1)),
        }
        (self.apply)(state, arguments)
    }

    /// The row with a name.
    pub fn of(name: &str) -> Option<&'static Primitive> {
        PRIMITIVES.iter().copied().find(|primitive| primitive.name == name)
    }
}
