//! Handle types, and the handle of a context, to which all others belong.

use mlir_sys::*;

/// Declares a handle type over a pointer of the C API.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'c>($raw, std::marker::PhantomData<&'c ()>);

        impl<'c> $name<'c> {
            /// Wraps a handle that MLIR returned, for the lifetime of the context.
            ///
            /// # Safety
            /// `raw` must be valid and not null.
            pub unsafe fn from_raw(raw: $raw) -> Self {
                Self(raw, std::marker::PhantomData)
            }

            /// The handle of MLIR's C API.
            pub fn to_raw(self) -> $raw {
                self.0
            }

            /// # Safety
            /// `raw` must be valid or null.
            pub unsafe fn from_nullable(raw: $raw) -> Option<Self> {
                (!raw.ptr.is_null()).then_some(Self(raw, std::marker::PhantomData))
            }
        }

        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::addr_eq(self.0.ptr, other.0.ptr)
            }
        }
        impl Eq for $name<'_> {}
        impl std::hash::Hash for $name<'_> {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                (self.0.ptr as usize).hash(state);
            }
        }
    };
}
pub(crate) use handle;

handle!(
    /// A context: owns all uniqued data.
    Context, MlirContext
);
