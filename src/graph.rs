//! Rewrites of ops on tensors, before fusion: each makes a function faster without changing which ops are computed together.
//!
//! Each file has one rewrite. `reshapes-to-groups` and `extracts-to-operands` always run. The others run only before default
//! schedules, because a user's schedule names nests by their ops.
//!
//! Must not depend on: fusion, schedules, targets, except the sizes of vectors and caches.

pub(crate) mod channels_last;
pub(crate) mod compensate_signed_bytes;
pub(crate) mod extracts_to_operands;
pub(crate) mod fold_batch_norm;
pub(crate) mod relax_softmax_maximum;
pub(crate) mod reshapes_to_groups;
pub(crate) mod transpose_weights;
mod weight_product;
pub(crate) mod winograd_conv2d;
