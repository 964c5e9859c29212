//! Wraps a body under test in a kernel.

/// A kernel with one parameter, `data`, whose address is in %rd1. %r1 is the thread and %r2 the block. %rd2 is the
/// address of the thread's 4-byte element of `data`, and %rd3 that of its element of `tile` in shared memory.
pub fn kernel(body: &str) -> String {
    format!(
        ".version 8.0
.target sm_90a
.address_size 64
.file 1 \"model.mlir\"
.visible .entry k(.param .u64 data)
{{
    .reg .pred %p<9>;
    .reg .b16 %h<9>;
    .reg .b32 %r<20>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<9>;
    .shared .align 16 .b8 tile[4096];
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    mov.u64 %rd4, tile;
    mad.wide.u32 %rd3, %r1, 4, %rd4;
{body}
    ret;
}}
"
    )
}
