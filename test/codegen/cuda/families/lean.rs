//! The resources of kernels as NVIDIA's assembler reports them: registers, local memory, and the width of accesses.

use super::{Bars, Call, Family, all};
use crate::assembler::{self, Assembled};
use loopwright::codegen::cuda::GpuTarget;

/// The resources of a kernel in the assembler's report.
struct Usage<'r> {
    kernel: &'r str,
    registers: u32,
    /// Stack, spill stores and spill loads, in bytes.
    memory: [u32; 3],
}

/// The resources of each kernel in an assembler's report.
fn usages(report: &str) -> Vec<Usage<'_>> {
    let of_kernel = |text| {
        let (kernel, rest): (&str, &str) = str::split_once(text, '\'')?;
        let number = |behind: &str| {
            let digits = behind.trim_start().split(|c: char| !c.is_ascii_digit()).next();
            digits.and_then(|digits| digits.parse().ok()).expect("a number")
        };
        let before = |what: &str| {
            let (start, _) = rest.split_once(what).unwrap_or_else(|| panic!("{report}"));
            number(start.trim_end().rsplit([' ', ',', '\n']).next().unwrap_or_default())
        };
        let (_, used) = rest.split_once("Used ")?;
        let memory = ["bytes stack frame", "bytes spill stores", "bytes spill loads"].map(before);
        Some(Usage { kernel, registers: number(used), memory })
    };
    report.split("Compiling entry function '").skip(1).filter_map(of_kernel).collect()
}

/// The instructions of a kernel.
fn code<'s>(listing: &'s str, kernel: &str) -> &'s str {
    let start = format!(".text.{kernel}:");
    let (_, rest) = listing.split_once(&start).unwrap_or_else(|| panic!("there is no {kernel}"));
    rest.split(".section").next().unwrap_or(rest)
}

/// The machine instruction for a PTX instruction.
fn mnemonic(ptx: &str) -> &'static str {
    match ptx {
        "ld.global" => " LDG.",
        "st.global" => " STG.",
        other => panic!("{other} is no access to global memory"),
    }
}

impl Family {
    /// The violations of the limits by kernels for a large size and for dynamic sizes.
    fn fat(&self, chip: &str) -> Vec<String> {
        let device = GpuTarget::new(chip, 64).expect("a chip of the list");
        let name = format!("{}_large", self.name);
        let calls: [Call; 1] = [(name.clone(), &self.large)];
        let program = match self.program(&calls, &device) {
            Ok(program) => program,
            Err(why) => return vec![why],
        };
        let Some(assembler) = assembler::get() else { return vec![] };
        let Assembled { report, cubin } = match assembler.assemble(&program.ptx, chip) {
            Ok(assembled) => assembled,
            Err(why) => return vec![format!("{name}: {why}")],
        };
        let usages = usages(&report);
        assert_eq!(usages.len(), program.ptx.matches(".entry ").count(), "{report}");
        let mut wrong = vec![];
        for Usage { kernel, registers, memory } in &usages {
            if *memory != [0; 3] {
                wrong
                    .push(format!("{kernel} for {chip}: stack, spill stores and loads {memory:?}"));
            }
            if *registers > self.registers {
                wrong.push(format!(
                    "{kernel} for {chip}: {registers} registers, at most {}",
                    self.registers
                ));
            }
        }
        let Some(Bars { vectors, .. }) = self.bars else { return wrong };
        let Some(listing) = assembler::instructions(&cubin) else { return wrong };
        for Usage { kernel, .. } in usages.iter().filter(|it| it.kernel.starts_with(&name)) {
            let code = code(&listing, kernel);
            for access in vectors.iter().map(|ptx| mnemonic(ptx)) {
                let mut lines = code.lines().filter(|line| line.contains(access)).peekable();
                if lines.peek().is_none() || !lines.all(|line| line.contains(".128")) {
                    wrong.push(format!("{kernel} for {chip}:{access} that is not of 128 bits"));
                }
            }
        }
        wrong
    }
}

#[test]
fn kernels_of_families_are_lean() {
    let chips = ["sm_80", "sm_90a"];
    let families = all();
    let wrong: Vec<String> = families
        .iter()
        .flat_map(|family| chips.into_iter().flat_map(|chip| family.fat(chip)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
