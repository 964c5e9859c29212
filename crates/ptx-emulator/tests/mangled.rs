//! Fuzzing with mangled PTX: it is refused or runs, with or without a fault, and never panics.

use ptx_emulator::{Argument, Device, LaunchConfig, Module};

const TEXTS: &[&str] = &[
    include_str!("kernels/calls.ptx"),
    include_str!("kernels/tensor_core.ptx"),
    include_str!("kernels/reduction.ptx"),
    include_str!("kernels/shared.ptx"),
];

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Words and punctuation, including the text between them.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || "%_$.".contains(c);
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        found.push(&rest[..end]);
        rest = &rest[end..];
    }
    found
}

#[test]
fn mangled_texts_never_panic() {
    let mut random = Random(5);
    let (mut refused, mut ran) = (0, 0);
    for round in 0..1500 {
        let text = TEXTS[round % TEXTS.len()];
        let mut pieces = pieces(text);
        for _ in 0..=random.below(3) {
            let (at, other) = (random.below(pieces.len()), random.below(pieces.len()));
            match random.below(4) {
                0 => {
                    pieces.remove(at);
                }
                1 => pieces.swap(at, other),
                2 => pieces[at] = pieces[other],
                _ => {
                    pieces.insert(at, ["{", "}", "-1", "[", "%r1", "0", ";", "_"][random.below(8)])
                }
            }
        }
        match Module::parse(&pieces.concat()) {
            Err(_) => refused += 1,
            Ok(module) => {
                launch_all(&module);
                ran += 1;
            }
        }
    }
    assert!(refused > 100 && ran > 100, "{refused} refused, {ran} ran");
}

/// Texts that exceed the host's stack or memory, and numbers that overflow.
#[test]
fn hostile_texts_are_refused() {
    let kernel = |globals: &str, body: &str| {
        format!(
            ".version 8.0\n.target sm_90a\n.address_size 64\n{globals}\n.visible .entry k()\n{{\n.reg .b32 %r<9>;
            .reg .b64 %rd<9>; .reg .pred %p<9>;\n{body}\nret;\n}}"
        )
    };
    let many = |part: &str| part.repeat(200_000);
    let one = ".param .b8 x[1]; ";
    let takes_4096 = ".func f(.param .b8 y[4096]) { ret; }";
    let gives_1000 = ".func (.param .b8 z[1000]) f() { ret; }";
    for (globals, body, reason) in [
        ("", format!("setp.eq.and.u32 %p1, 0, 0, {}%p2;", many("!")), "nested more than 64 deep"),
        ("", format!("mov.b32 %r1, {};", many("{")), "nested more than 64 deep"),
        ("", format!("mov.b32 %r1, {}%r1;", many("%r1|")), "nested more than 64 deep"),
        ("", format!("call ({};", many("(")), "nested more than 64 deep"),
        (&format!(".global .b32 x = {};", many("{")), String::new(), "nested more than 64 deep"),
        ("", ".reg .b32 %q<4000000000>;".into(), "a kernel has more than 262144 registers"),
        ("", ".reg .b32 %q<4294967297>;".into(), "found 4294967297, expected at most 4294967295"),
        (
            "",
            ".reg .b32 %q<200000>; .reg .b64 %s<200000>;".into(),
            "a kernel has more than 262144 registers",
        ),
        (
            "",
            ".local .b8 l[268435455];".into(),
            "l does not fit: 268435455 bytes after 0, but local memory has 524288",
        ),
        (
            takes_4096,
            format!("{one} call f, (x);"),
            "f takes arguments of [4096] bytes and has results of [], found [1] and []",
        ),
        (
            gives_1000,
            format!("{one} call (x), f, ();"),
            "f takes arguments of [] bytes and has results of [1000], found [] and [1]",
        ),
    ] {
        let found = Module::parse(&kernel(globals, &body)).err().map(|it| it.to_string());
        let found = found.unwrap_or_else(|| panic!("{reason}: accepted"));
        assert!(found.ends_with(reason), "{found}");
    }
    // Texts that look similar but are valid.
    let text = kernel("", "st.release.cta.shared.u32 [%rd1+-256], %r1;");
    let text = text.replace(".visible .entry k()", &format!("{}.entry k()", many(".visible ")));
    for text in [text.clone(), text.replace("k()", "k() .maxntid 65536, 65536, 2")] {
        launch_all(&Module::parse(&text).unwrap_or_else(|error| panic!("{error}")));
    }
}

#[test]
fn calls_may_part_and_meet_but_not_return_to_where_they_come_from() {
    // Each function calls the next one twice, so there are 2^30 call paths to the last one.
    let declared: String = (0..=30).map(|i| format!(".func f{i}();\n")).collect();
    let calls =
        |i: usize| format!(".func f{i}() {{ call f{0}, (); call f{0}, (); ret; }}\n", i + 1);
    let functions: String = (0..30).map(calls).collect();
    let text = |last: &str| {
        format!(
            ".version 8.0\n.target sm_90a\n{declared}{functions}.func f30() {{ {last} ret; }}
            .visible .entry k() {{ call f0, (); ret; }}"
        )
    };
    assert!(Module::parse(&text("")).is_ok());
    let found = Module::parse(&text("call f3, ();")).err().map(|it| it.to_string());
    assert_eq!(found.as_deref(), Some("line 64: the recursive call of f3 is not supported"));
}

fn launch_all(module: &Module) {
    let device = Device::new();
    let Ok(loaded) = device.load(module) else { return };
    let data = device.alloc(4096, 16).expect("little memory");
    device.memset(data, 0, 4096).expect("a buffer");
    for name in module.kernels().collect::<Vec<_>>() {
        let kernel = loaded.kernel(name).expect("one of its own");
        let argument = |bytes: u32| match bytes {
            8 => data.into(),
            _ => Argument::bytes(&vec![0; bytes as usize]),
        };
        let arguments: Vec<_> = kernel.parameters().iter().map(|it| argument(it.bytes)).collect();
        let config = LaunchConfig {
            grid: [2, 1, 1],
            block: [33, 1, 1],
            max_instructions: 2000,
            ..LaunchConfig::default()
        };
        // Whether the launch has a fault does not matter here.
        let _ = device.launch(&kernel, &config, &arguments);
    }
}
