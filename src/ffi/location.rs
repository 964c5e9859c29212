//! Locations: file locations, named locations and fused locations.

use super::text::{borrow, read};
use super::{Attribute, Context, Location};
use mlir_sys::*;

impl<'c> Location<'c> {
    /// The unknown location.
    pub fn unknown(context: Context<'c>) -> Self {
        // SAFETY: the context is live.
        unsafe { Self::from_raw(mlirLocationUnknownGet(context.to_raw())) }
    }

    /// A location in a file; line and column start at 1.
    pub fn of_file(context: Context<'c>, path: &str, line: usize, column: usize) -> Self {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        // SAFETY: the context is live; the text is copied into it.
        unsafe {
            Self::from_raw(mlirLocationFileLineColGet(
                context.to_raw(),
                borrow(path),
                number(line),
                number(column),
            ))
        }
    }

    /// This location with a name.
    pub fn named(self, name: &str) -> Self {
        // SAFETY: a location belongs to a live context; the text is copied into it.
        unsafe {
            Self::from_raw(mlirLocationNameGet(
                self.context().to_raw(),
                borrow(name),
                self.to_raw(),
            ))
        }
    }

    /// The name and the inner location of a named location.
    pub fn name(self) -> Option<(&'c str, Self)> {
        // SAFETY: a location is live as its context is; names are uniqued there.
        unsafe {
            mlirLocationIsAName(self.to_raw()).then(|| {
                let name = read(mlirIdentifierStr(mlirLocationNameGetName(self.to_raw())));
                (name, Self::from_raw(mlirLocationNameGetChildLoc(self.to_raw())))
            })
        }
    }

    /// The file, line and column of a file location.
    pub fn file(self) -> Option<(&'c str, usize, usize)> {
        // SAFETY: see above.
        unsafe {
            mlirLocationIsAFileLineColRange(self.to_raw()).then(|| {
                let file =
                    read(mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(self.to_raw())));
                let line = mlirLocationFileLineColRangeGetStartLine(self.to_raw());
                (
                    file,
                    line as usize,
                    mlirLocationFileLineColRangeGetStartColumn(self.to_raw()) as usize,
                )
            })
        }
    }

    /// The first file, line and column in this location, which may be named, fused or a call.
    pub fn first_file(self) -> Option<(&'c str, usize, usize)> {
        let within = || self.name().and_then(|(_, inner)| inner.first_file());
        let callee = || self.callee().and_then(Self::first_file);
        let part = || self.parts().into_iter().find_map(Self::first_file);
        self.file().or_else(within).or_else(callee).or_else(part)
    }

    /// The location of the called code, if this one is a call.
    fn callee(self) -> Option<Self> {
        // SAFETY: see above.
        unsafe {
            mlirLocationIsACallSite(self.to_raw())
                .then(|| Self::from_raw(mlirLocationCallSiteGetCallee(self.to_raw())))
        }
    }

    /// The locations of which this one is fused; empty if it is not fused.
    pub fn parts(self) -> Vec<Self> {
        // SAFETY: see above; MLIR writes as many locations as it has stated.
        unsafe {
            if !mlirLocationIsAFused(self.to_raw()) {
                return vec![];
            }
            let count = mlirLocationFusedGetNumLocations(self.to_raw()) as usize;
            let mut parts = vec![self.to_raw(); count];
            mlirLocationFusedGetLocations(self.to_raw(), parts.as_mut_ptr());
            parts.into_iter().map(|part| Self::from_raw(part)).collect()
        }
    }

    /// All of these locations; MLIR drops duplicates and unknown ones, and a location alone is not fused.
    pub fn fused(context: Context<'c>, parts: impl IntoIterator<Item = Self>) -> Self {
        let parts: Vec<_> = parts.into_iter().map(Self::to_raw).collect();
        // SAFETY: the context is live, and the locations are of it; the array has that many.
        unsafe {
            Self::from_raw(mlirLocationFusedGet(
                context.to_raw(),
                parts.len() as isize,
                parts.as_ptr(),
                mlirAttributeGetNull(),
            ))
        }
    }

    /// This location fused with metadata.
    pub fn with(self, metadata: Attribute<'c>) -> Self {
        // SAFETY: see above.
        unsafe {
            Self::from_raw(mlirLocationFusedGet(
                self.context().to_raw(),
                1,
                &self.to_raw(),
                metadata.to_raw(),
            ))
        }
    }

    /// The same location with the lifetime of its context; `context` must be that context.
    pub fn of(self, context: Context<'_>) -> Location<'_> {
        // SAFETY: both are live, and a context never frees its locations.
        unsafe {
            assert!(
                mlirContextEqual(mlirLocationGetContext(self.to_raw()), context.to_raw()),
                "of another context"
            );
            Location::from_raw(self.to_raw())
        }
    }

    /// The context that owns the location.
    pub fn context(self) -> Context<'c> {
        // SAFETY: a location belongs to a live context.
        unsafe { Context::from_raw(mlirLocationGetContext(self.to_raw())) }
    }
}
