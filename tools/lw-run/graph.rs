//! A picture of the kernels of a model and of the buffers that flow between them: `--dump-graph FILE.svg|.dot|.html`.
//!
//! SVG and HTML show the kernels from top to bottom in the order in which they run. A value that only the next kernel reads is
//! an arrow between the two; other values are arcs to the right of the boxes. This layout takes linear time, so it also shows
//! models of thousands of kernels. DOT is for layouts by Graphviz.

use crate::options::Options;
use crate::profile::{Profile, Row, shown};
use loopwright::analysis::kernels::{Kernel, KernelWork, Source};
use loopwright_runtime::replace;
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

/// At most so many schedule blocks are in a box.
const MOST_BLOCKS: usize = 6;

/// The pixels of a line of text, of a letter (a little more than monospace fonts of 12 pixels have), between a box and its
/// text, and between boxes.
const LINE: usize = 16;
const LETTER: usize = 8;
const MARGIN: usize = 8;
const GAP: usize = 30;
/// The pixels between arcs.
const ARC: usize = 14;

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Dot,
    Html,
}

/// Checks the name of the file.
pub fn check(path: &Path) -> Result<(), String> {
    match format(path) {
        Some(_) => Ok(()),
        None => Err(format!(
            "--dump-graph {}: expected a name that ends in .svg, .dot or .html",
            path.display()
        )),
    }
}

fn format(path: &Path) -> Option<Format> {
    match path.extension().and_then(OsStr::to_str) {
        Some("svg") => Some(Format::Svg),
        Some("dot") => Some(Format::Dot),
        Some("html") => Some(Format::Html),
        _ => None,
    }
}

/// Writes the picture, if the options ask for it.
pub fn draw(
    options: &Options,
    kernels: &[Kernel],
    profile: Option<&Profile>,
) -> Result<(), String> {
    let Some(path) = &options.dump_graph else { return Ok(()) };
    let title = options.model().display().to_string();
    let graph = Graph::of(kernels, profile);
    let text = match format(path) {
        Some(Format::Svg) => graph.svg(&title),
        Some(Format::Html) => graph.html(&title),
        _ => graph.dot(),
    };
    replace::files(&[(path, text.as_bytes())]).map_err(|(path, error)| {
        format!("lw-run: error: --dump-graph: {}: cannot be written: {error}", path.display())
    })
}

/// What a picture shows.
struct Graph {
    boxes: Vec<KernelBox>,
    flows: Vec<Flow>,
}

/// A kernel as lines of text, the first of which is its name.
struct KernelBox {
    function: String,
    lines: Vec<String>,
    /// The part of the time of a call, from 0 to 1, if it was measured.
    share: Option<f64>,
}

/// A value that a kernel reads from another one.
struct Flow {
    from: usize,
    to: usize,
    label: String,
}

impl Graph {
    fn of(kernels: &[Kernel], profile: Option<&Profile>) -> Graph {
        let row = |number: usize| {
            profile.and_then(|it| it.kernels.iter().find(|row| row.number == number))
        };
        let call = profile.map_or(0.0, |it| it.call_us);
        let boxes = kernels.iter().enumerate().map(|(number, kernel)| {
            let row = row(number);
            KernelBox {
                function: kernel.function.clone(),
                lines: lines(kernel, row),
                share: row.filter(|_| call > 0.0).map(|row| row.time_us / call),
            }
        });
        let reads = kernels.iter().enumerate().flat_map(|(to, kernel)| {
            kernel.reads.iter().filter_map(move |read| match read.from {
                Source::Kernel(from) => Some(Flow { from, to, label: read.ty.clone() }),
                _ => None,
            })
        });
        Graph { boxes: boxes.collect(), flows: reads.collect() }
    }

    /// True if kernels of several functions are shown.
    fn has_functions(&self) -> bool {
        self.boxes.windows(2).any(|pair| pair[0].function != pair[1].function)
    }

    fn dot(&self) -> String {
        let mut text = "digraph kernels {\n  node [shape=box fontname=\"monospace\"];\n".to_owned();
        let functions = self.boxes.chunk_by(|one, next| one.function == next.function);
        let mut number = 0;
        for (cluster, boxes) in functions.enumerate() {
            let name = quoted(&boxes[0].function);
            let _ = writeln!(text, "  subgraph cluster_{cluster} {{\n    label={name};");
            for kernel in boxes {
                let lines: Vec<String> = kernel.lines.iter().map(|line| escaped(line)).collect();
                let _ = writeln!(text, "    k{number} [label=\"{}\\l\"];", lines.join("\\l"));
                number += 1;
            }
            text += "  }\n";
        }
        for Flow { from, to, label } in &self.flows {
            let _ = writeln!(text, "  k{from} -> k{to} [label={}];", quoted(label));
        }
        text + "}\n"
    }

    fn svg(&self, title: &str) -> String {
        let letters = self.boxes.iter().flat_map(|it| &it.lines).map(|line| line.chars().count());
        let width = letters.max().unwrap_or(0).max(title.chars().count()) * LETTER + 2 * MARGIN;
        let (tops, height) = self.tops();
        let mut body = String::new();
        let _ = writeln!(body, "<text x=\"{MARGIN}\" y=\"{LINE}\">{}</text>", xml(title));
        for (kernel, top) in self.boxes.iter().zip(&tops) {
            kernel.svg(*top, width, self.has_functions(), &mut body);
        }
        let middle = |number: usize| tops[number] + self.boxes[number].height() / 2;
        let mut lanes: Vec<usize> = vec![];
        for flow in &self.flows {
            let Flow { from, to, label } = flow;
            let label = xml(label);
            if to.checked_sub(*from) == Some(1) {
                let (x, top) = (MARGIN + width / 2, tops[*from] + self.boxes[*from].height());
                let _ = writeln!(
                    body,
                    "<path d=\"M {x} {top} V {}\" marker-end=\"url(#end)\"/>\
                     <text x=\"{}\" y=\"{}\">{label}</text>",
                    tops[*to],
                    x + MARGIN,
                    top + LINE
                );
                continue;
            }
            // The first lane that is free from this kernel on.
            let lane = lanes.iter().position(|end| end <= from).unwrap_or_else(|| {
                lanes.push(0);
                lanes.len() - 1
            });
            lanes[lane] = *to;
            let x = MARGIN + width;
            let _ = writeln!(
                body,
                "<path d=\"M {x} {} H {} V {} H {x}\" marker-end=\"url(#end)\"><title>{label}</title></path>",
                middle(*from),
                x + (lane + 1) * ARC,
                middle(*to) - LINE / 2
            );
        }
        let whole = width + 2 * MARGIN + (lanes.len() + 1) * ARC;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole}\" height=\"{height}\" \
             viewBox=\"0 0 {whole} {height}\">\n\
             <style>text {{ font: 12px monospace }} rect {{ stroke: #444 }} \
             path {{ stroke: #666; fill: none }} .name {{ font-weight: bold }}</style>\n\
             <defs><marker id=\"end\" markerWidth=\"8\" markerHeight=\"6\" refX=\"8\" refY=\"3\" orient=\"auto\">\
             <polygon points=\"0 0, 8 3, 0 6\" fill=\"#666\"/></marker></defs>\n{body}</svg>\n"
        )
    }

    /// The top of each box, and the height of the picture.
    fn tops(&self) -> (Vec<usize>, usize) {
        let mut next = LINE + GAP;
        let tops = self.boxes.iter().map(|kernel| {
            let top = next;
            next += kernel.height() + GAP;
            top
        });
        (tops.collect(), next)
    }

    fn html(&self, title: &str) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title></head>\n<body>\n{1}</body></html>\n",
            xml(title),
            self.svg(title)
        )
    }
}

impl KernelBox {
    fn height(&self) -> usize {
        self.lines.len() * LINE + MARGIN
    }

    fn svg(&self, top: usize, width: usize, has_functions: bool, body: &mut String) {
        // From white to orange.
        let other = 255.0 - 200.0 * self.share.unwrap_or(0.0).clamp(0.0, 1.0);
        let (green, blue) = ((255.0 + other) / 2.0, other);
        let _ = writeln!(
            body,
            "<rect x=\"{MARGIN}\" y=\"{top}\" width=\"{width}\" height=\"{}\" rx=\"4\" \
             fill=\"rgb(255,{green:.0},{blue:.0})\"/>",
            self.height()
        );
        for (i, line) in self.lines.iter().enumerate() {
            let y = top + (i + 1) * LINE;
            let class = if i == 0 { " class=\"name\"" } else { "" };
            let place = if i == 0 && has_functions {
                format!("{line} in {}", self.function)
            } else {
                line.clone()
            };
            let _ = writeln!(
                body,
                "<text x=\"{}\" y=\"{y}\"{class}>{}</text>",
                2 * MARGIN,
                xml(&place)
            );
        }
    }
}

/// The lines of a kernel; `row` is what was measured.
fn lines(kernel: &Kernel, row: Option<&Row>) -> Vec<String> {
    let mut lines = vec![kernel.name.clone()];
    let mut blocks = kernel.blocks.iter().take(MOST_BLOCKS).cloned().collect::<Vec<_>>().join(", ");
    if kernel.blocks.len() > MOST_BLOCKS {
        blocks += &format!(" and {} more", kernel.blocks.len() - MOST_BLOCKS);
    }
    lines.push(blocks);
    lines.push(format!("from {}", shown(&kernel.sources)));
    let inputs: Vec<String> = kernel
        .reads
        .iter()
        .filter_map(|read| match &read.from {
            Source::Argument => Some(format!("{}: {}", read.name, read.ty)),
            Source::Call(function) => Some(format!("{}: {} of {function}", read.name, read.ty)),
            Source::Weight => Some(format!("weight {}", read.ty)),
            Source::Kernel(_) => None,
        })
        .collect();
    if !inputs.is_empty() {
        lines.push(format!("reads {}", inputs.join(", ")));
    }
    let results: Vec<String> =
        kernel.results.iter().map(|it| format!("{}: {}", it.name, it.ty)).collect();
    if !results.is_empty() {
        lines.push(format!("writes {}", results.join(", ")));
    }
    if let Some(KernelWork { float_ops, bytes }) = kernel.work(&[]) {
        lines.push(format!("{} float operations, {} bytes", grouped(float_ops), grouped(bytes)));
    }
    lines.extend(row.map(|row| row.measured()));
    lines.retain(|line| !line.is_empty());
    lines
}

/// A number with commas between thousands.
fn grouped(number: i128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Text of an SVG or HTML file.
fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text inside of the quotes of a DOT file.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(flows: &[(usize, usize)]) -> Graph {
        let boxes = (0..4).map(|i| KernelBox {
            function: "main".into(),
            lines: vec![format!("k<{i}>"), "\"a\\b\"".into()],
            share: (i == 1).then_some(0.5),
        });
        let flow =
            |(from, to): &(usize, usize)| Flow { from: *from, to: *to, label: "2xf32".into() };
        Graph { boxes: boxes.collect(), flows: flows.iter().map(flow).collect() }
    }

    #[test]
    fn names_are_escaped() {
        let graph = graph(&[(0, 1)]);
        assert!(graph.svg("a & b").contains(">a &amp; b<"));
        assert!(graph.svg("").contains(">k&lt;0&gt;<"));
        assert!(graph.dot().contains(r#"k0 [label="k<0>\l\"a\\b\"\l"];"#), "{}", graph.dot());
        assert!(graph.dot().contains("k0 -> k1 [label=\"2xf32\"];"));
        assert!(graph.html("<t>").contains("<title>&lt;t&gt;</title>"));
    }

    #[test]
    fn arcs_that_overlap_have_lanes_of_their_own() {
        let lanes = |flows: &[(usize, usize)]| {
            let svg = graph(flows).svg("");
            let mut lanes: Vec<&str> = svg.lines().filter(|line| line.contains(" H ")).collect();
            lanes.iter_mut().for_each(|line| *line = line.split(" H ").nth(1).unwrap_or(""));
            lanes.iter_mut().for_each(|line| *line = line.split(' ').next().unwrap_or(""));
            lanes.sort_unstable();
            lanes.dedup();
            lanes.len()
        };
        assert_eq!(lanes(&[(0, 1), (1, 2)]), 0);
        assert_eq!(lanes(&[(0, 2), (2, 4 - 1)]), 1);
        assert_eq!(lanes(&[(0, 2), (1, 3)]), 2);
    }

    #[test]
    fn a_box_is_as_dark_as_its_part_of_the_time() {
        let svg = graph(&[]).svg("");
        assert_eq!(svg.matches("rgb(255,255,255)").count(), 3);
        assert_eq!(svg.matches("rgb(255,205,155)").count(), 1);
    }

    #[test]
    fn numbers_have_commas() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
