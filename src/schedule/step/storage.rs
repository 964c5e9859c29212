//! Methods of [`Schedule`] for storage.

use super::super::{OptionalNumber, Schedule, ScheduleError};
use super::{optional_text, text, texts};
use crate::schedule::primitive::cache::{
    cache_inplace, cache_read, cache_write, double_buffer, prefetch, reindex,
};
use crate::schedule::primitive::layout::{
    fold_storage, set_scope, storage_align, transform_layout,
};

impl Schedule<'_> {
    /// See [`cache_read`](cache_read::cache_read); without `consumers`, all blocks that read the same values. Returns
    /// the name of the schedule block that copies.
    pub fn cache_read(
        &mut self,
        target: &str,
        buffer: &str,
        scope: &str,
        consumers: &[&str],
        index_map: Option<&str>,
    ) -> Result<String, ScheduleError> {
        let (consumers, map) = (texts(consumers), optional_text(index_map));
        let arguments = vec![text(target), text(buffer), text(scope), consumers, map, self.proof()];
        let mut names = self.run(&cache_read::PRIMITIVE, arguments)?;
        Ok(names.pop().expect("cache_read makes a schedule block"))
    }

    /// See [`cache_write`](cache_write::cache_write). Returns the new name of the schedule block that computes; the
    /// copying block has its old name.
    pub fn cache_write(
        &mut self,
        target: &str,
        buffer: &str,
        scope: &str,
        index_map: Option<&str>,
    ) -> Result<String, ScheduleError> {
        let map = optional_text(index_map);
        let arguments = vec![text(target), text(buffer), text(scope), map, self.proof()];
        let mut names = self.run(&cache_write::PRIMITIVE, arguments)?;
        Ok(names.pop().expect("cache_write makes a schedule block"))
    }

    /// See [`cache_inplace`](cache_inplace::cache_inplace). Returns the names of the schedule blocks that copy to the
    /// new buffer and back.
    pub fn cache_inplace(
        &mut self,
        target: &str,
        buffer: &str,
        scope: &str,
    ) -> Result<[String; 2], ScheduleError> {
        let arguments = vec![text(target), text(buffer), text(scope), self.proof()];
        let names = self.run(&cache_inplace::PRIMITIVE, arguments)?;
        Ok(names.try_into().expect("cache_inplace makes two schedule blocks"))
    }

    /// See [`reindex`](reindex::reindex). Returns the name of the new buffer.
    pub fn reindex(
        &mut self,
        target: &str,
        buffer: &str,
        scope: &str,
    ) -> Result<String, ScheduleError> {
        let arguments = vec![text(target), text(buffer), text(scope), self.proof()];
        let mut names = self.run(&reindex::PRIMITIVE, arguments)?;
        Ok(names.pop().expect("reindex makes a buffer"))
    }

    /// See [`set_scope`](set_scope::set_scope).
    pub fn set_scope(&mut self, buffer: &str, scope: &str) -> Result<(), ScheduleError> {
        let proof = self.proof();
        self.run(&set_scope::PRIMITIVE, vec![text(buffer), text(scope), proof]).map(|_| ())
    }

    /// See [`transform_layout`](transform_layout::transform_layout).
    pub fn transform_layout(&mut self, buffer: &str, index_map: &str) -> Result<(), ScheduleError> {
        let arguments = vec![text(buffer), text(index_map), self.proof()];
        self.run(&transform_layout::PRIMITIVE, arguments).map(drop)
    }

    /// See [`storage_align`](storage_align::storage_align); defaults: the last dimension but one, factor 32 and offset
    /// 0.
    pub fn storage_align(
        &mut self,
        buffer: &str,
        axis: impl Into<OptionalNumber>,
        factor: impl Into<OptionalNumber>,
        offset: impl Into<OptionalNumber>,
    ) -> Result<(), ScheduleError> {
        let arguments = vec![text(buffer), axis.into().0, factor.into().0, offset.into().0];
        self.run(&storage_align::PRIMITIVE, arguments).map(drop)
    }

    /// See [`fold_storage`](fold_storage::fold_storage); defaults: the first dimension and size 2.
    pub fn fold_storage(
        &mut self,
        buffer: &str,
        axis: impl Into<OptionalNumber>,
        size: impl Into<OptionalNumber>,
    ) -> Result<(), ScheduleError> {
        let arguments = vec![text(buffer), axis.into().0, size.into().0, self.proof()];
        self.run(&fold_storage::PRIMITIVE, arguments).map(drop)
    }

    /// See [`prefetch`](prefetch::prefetch); the default `distance` is one iteration.
    pub fn prefetch(
        &mut self,
        target: &str,
        buffer: &str,
        distance: impl Into<OptionalNumber>,
    ) -> Result<(), ScheduleError> {
        let arguments = vec![text(target), text(buffer), distance.into().0];
        self.run(&prefetch::PRIMITIVE, arguments).map(drop)
    }

    /// See [`double_buffer`](double_buffer::double_buffer); the default is two `copies`.
    pub fn double_buffer(
        &mut self,
        block: &str,
        copies: impl Into<OptionalNumber>,
        with: &[&str],
    ) -> Result<(), ScheduleError> {
        let arguments = vec![text(block), copies.into().0, texts(with), self.proof()];
        self.run(&double_buffer::PRIMITIVE, arguments).map(drop)
    }
}
