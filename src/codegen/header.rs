//! C headers of kernels.

use loopwright_runtime::kernel::{ArgumentType, Signature};
use std::fmt::Write;

/// The header that declares kernels, given their names and signatures. `name` is the name of the file.
pub fn header(name: &str, kernels: &[(String, Signature)]) -> String {
    let guard: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
        .collect();
    let mut text = format!(
        "/* Made by Loopwright. How kernels are called stands in loopwright_runtime.h. */\n\
         #ifndef LOOPWRIGHT_{guard}\n#define LOOPWRIGHT_{guard}\n\n#include \"loopwright_runtime.h\"\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n"
    );
    for (kernel, signature) in kernels {
        text += "\n/*";
        let (mut buffers, mut sizes) = (0, 0);
        for argument in &signature.arguments {
            let size = |sizes: &mut usize| std::mem::replace(sizes, *sizes + 1);
            match argument {
                ArgumentType::Index => {
                    let _ = write!(text, " sizes[{}]: an index\n *", size(&mut sizes));
                }
                ArgumentType::Buffer(buffer) => {
                    let _ = write!(text, " buffers[{buffers}]: {argument}\n *");
                    for (i, _) in buffer.shape.iter().enumerate().filter(|(_, dim)| dim.is_none()) {
                        let place = size(&mut sizes);
                        let _ = write!(text, " sizes[{place}]: its dimension {i}\n *");
                    }
                    buffers += 1;
                }
            }
        }
        let _ = write!(
            text,
            "/\nextern void {kernel}(const lw_runtime *runtime, void *const *buffers, const int64_t *sizes,\n    \
             void *workspace);\n\
             extern int64_t {kernel}_workspace(const int64_t *sizes);\n\
             extern const char {kernel}_signature[];\n"
        );
    }
    text += "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_is_where() {
        let signature = "f32[?x64], index, f32[?x?] result".parse().expect("a signature");
        let text = header("a-b.h", &[("scale".into(), signature)]);
        let comment = "/* buffers[0]: f32[?x64]\n * sizes[0]: its dimension 0\n * sizes[1]: an index\n \
                       * buffers[1]: f32[?x?] result\n * sizes[2]: its dimension 0\n * sizes[3]: its dimension 1\n */\n\
                       extern void scale(const lw_runtime *runtime,";
        assert!(text.contains(comment), "{text}");
        assert!(text.contains("#ifndef LOOPWRIGHT_A_B_H\n#define LOOPWRIGHT_A_B_H\n"), "{text}");
        assert!(text.contains("extern int64_t scale_workspace(const int64_t *sizes);"), "{text}");
    }
}
