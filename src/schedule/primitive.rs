//! Schedule primitives, one file each: `check`, then a `Plan`, then `rewrite`. The table of all primitives.
//!
//! Each row defines the three interfaces of a primitive: the method of [`Schedule`](super::Schedule), the pass
//! `--sched-<name>` and the op `transform.sched.<name>`.

pub(crate) mod declaration;

/// Primitives that change loops: their number, order, extent and kind.
pub mod r#loop {
    pub(crate) mod add_unit_loop;
    pub(crate) mod bind;
    pub(crate) mod fission;
    pub(crate) mod fuse;
    pub(crate) mod join;
    pub(crate) mod loop_partition;
    pub(crate) mod merge;
    pub(crate) mod parallel;
    pub(crate) mod remove_loop;
    pub(crate) mod reorder;
    pub(crate) mod reorder_statements;
    pub(crate) mod shift;
    pub(crate) mod software_pipeline;
    pub(crate) mod specialize;
    pub mod split;
    pub(crate) mod sync_threads;
    pub(crate) mod tile;
    pub(crate) mod unroll;
    pub(crate) mod unroll_and_jam;
    pub(crate) mod vectorize;
}

/// Primitives that change where a schedule block is computed.
pub(crate) mod location {
    pub(crate) mod compute_at;
    pub(crate) mod compute_inline;
    pub(crate) mod reverse_compute_at;
    pub(crate) mod reverse_compute_inline;
    pub(crate) mod simple_compute_at;
}

/// Primitives that add copies of buffers or of parts of them.
pub(crate) mod cache {
    pub(crate) mod cache_inplace;
    pub(crate) mod cache_read;
    pub(crate) mod cache_write;
    pub(crate) mod double_buffer;
    pub(crate) mod prefetch;
    pub(crate) mod reindex;
    pub(crate) mod rolling_buffer;
}

/// Primitives that change where data lies: scope, layout and size of buffers, and the iters of a block.
pub(crate) mod layout {
    pub(crate) mod fold_storage;
    pub(crate) mod reorder_block_iter_var;
    pub(crate) mod set_scope;
    pub(crate) mod storage_align;
    pub(crate) mod transform_block_layout;
    pub(crate) mod transform_layout;
}

/// Primitives that change how a reduction is computed.
pub(crate) mod reduction {
    pub(crate) mod atomic;
    pub(crate) mod decompose_reduction;
    pub(crate) mod rfactor;
}

/// Primitives that make schedule blocks of nests, replace nests by intrinsics, and pad nests for that.
pub(crate) mod tensorize {
    pub(crate) mod blockize;
    pub(crate) mod decompose_padding;
    pub(crate) mod pad_einsum;
    #[expect(clippy::module_inception, reason = "a family and a primitive have one name")]
    pub(crate) mod tensorize;
}

/// Primitives that change no computation: annotations, and questions about a nest.
pub mod annotation {
    pub(crate) mod annotate;
    pub mod query;
    pub(crate) mod rename;
    pub(crate) mod unannotate;
}

/// Primitives that draw a decision, which later steps use by its name.
pub mod sampling {
    pub mod decision;
    pub(crate) mod sample_categorical;
    pub(crate) mod sample_compute_location;
    pub(crate) mod sample_perfect_tile;
    pub(crate) mod sample_tile;
}

use super::error::{Reason, ScheduleError};
use super::instruction::{Argument, Primitive};
use super::legality::atomic::check_step;
use super::legality::proof::PROOF;
use super::rewrite::guard;
use super::rewrite::virtual_threads::OwnBuffers;
use crate::ir::remark;
use crate::nest::state::State;
use crate::nest::summary::NodeId;
use tracing::debug;

/// Declares [`PRIMITIVES`], and the macro `methods!`, which expands to the methods of all primitives.
macro_rules! primitives {
    ($($family:ident::$name:ident),+ $(,)?) => {
        /// All primitives, in the order of the documentation.
        pub const PRIMITIVES: &[&Primitive] = &[$(&$family::$name::PRIMITIVE),+];

        /// The family of each of [`PRIMITIVES`].
        const FAMILY_OF: &[&str] = &[$(stringify!($family)),+];

        macro_rules! methods {
            () => { $($name::method! {})+ };
        }
        pub(super) use methods;
    };
}

primitives! {
    r#loop::split,
    r#loop::fuse,
    r#loop::reorder,
    r#loop::tile,
    layout::reorder_block_iter_var,
    layout::transform_block_layout,
    r#loop::loop_partition,
    r#loop::join,
    r#loop::shift,
    r#loop::unroll_and_jam,
    r#loop::specialize,
    r#loop::remove_loop,
    r#loop::reorder_statements,
    r#loop::unroll,
    r#loop::vectorize,
    r#loop::parallel,
    r#loop::bind,
    reduction::atomic,
    location::compute_inline,
    cache::cache_read,
    cache::cache_write,
    cache::cache_inplace,
    cache::reindex,
    layout::set_scope,
    layout::transform_layout,
    layout::storage_align,
    layout::fold_storage,
    cache::rolling_buffer,
    cache::prefetch,
    r#loop::sync_threads,
    annotation::annotate,
    annotation::unannotate,
    annotation::rename,
    reduction::rfactor,
    reduction::decompose_reduction,
    tensorize::decompose_padding,
    tensorize::pad_einsum,
    location::compute_at,
    annotation::query,
    location::reverse_compute_at,
    location::simple_compute_at,
    location::reverse_compute_inline,
    r#loop::merge,
    r#loop::fission,
    r#loop::add_unit_loop,
    tensorize::blockize,
    tensorize::tensorize,
    r#loop::software_pipeline,
    cache::double_buffer,
    sampling::sample_perfect_tile,
    sampling::sample_tile,
    sampling::sample_categorical,
    sampling::sample_compute_location,
}

impl Primitive {
    /// Applies one step. A `proof "guard"` is applied first.
    pub fn run(
        &self,
        state: &mut State,
        arguments: &[Argument],
    ) -> Result<Vec<String>, ScheduleError> {
        let outcome = self.run_guarded(state, arguments);
        match &outcome {
            Ok(created) => debug!(target: "loopwright::schedule", ?created, "applied"),
            Err(error) => {
                debug!(target: "loopwright::schedule", reason = %error.message(self.name), "refused");
            }
        }
        outcome
    }

    fn run_guarded(
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
            Some(other) => return Err(Reason::NoProof(other.to_owned()).at(NodeId::FUNCTION, 1)),
        }
        let own = OwnBuffers::of(state);
        match (self.apply)(state, arguments) {
            Ok(created) if !own.is_empty() => {
                state.refresh().expect("a step leaves a function of the dialect");
                own.separate(state);
                Ok(created)
            }
            Err(error) if error.reason.is_without_effect() => {
                remark(state.op(error.at).location(), &error.message(self.name));
                Ok(vec![])
            }
            outcome => outcome,
        }
    }

    /// The row with a name.
    pub fn of(name: &str) -> Option<&'static Primitive> {
        PRIMITIVES.iter().copied().find(|primitive| primitive.name == name)
    }
}

/// The families of primitives with their members, in the order of [`PRIMITIVES`].
pub fn families() -> Vec<(&'static str, Vec<&'static Primitive>)> {
    let mut families: Vec<(&str, Vec<&Primitive>)> = vec![];
    for (family, primitive) in FAMILY_OF.iter().zip(PRIMITIVES) {
        let name = family.trim_start_matches("r#");
        match families.iter_mut().find(|(other, _)| *other == name) {
            Some((_, members)) => members.push(primitive),
            None => families.push((name, vec![primitive])),
        }
    }
    families
}
