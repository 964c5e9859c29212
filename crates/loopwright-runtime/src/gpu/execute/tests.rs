//! The operations that a call submits, recorded by a fake device.

use super::*;
use crate::gpu::program::{Constant, Operation};
use crate::kernel::Argument::{Index, Input, Output};
use crate::kernel::CallError;
use crate::tensor::{ElementType, Tensor};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

type Launched = (String, [u32; 3], [u32; 3], u32, Vec<Vec<u8>>);

/// Memory is a copy of what was written. The kernel `fill` writes 7 to all of it.
#[derive(Default)]
struct Recorder {
    memory: Shared,
    launched: Rc<RefCell<Vec<Launched>>>,
    recorded: Cell<usize>,
}

type Shared = Rc<RefCell<Vec<Vec<u8>>>>;

struct Cells {
    at: usize,
    all: Shared,
}

struct Kernels {
    memory: Shared,
    launched: Rc<RefCell<Vec<Launched>>>,
}

impl Device for Recorder {
    fn name(&self) -> String {
        "recorder".into()
    }

    fn capability(&self) -> (u32, u32) {
        (8, 0)
    }

    fn load(&self, chip: &str, ptx: &str) -> Result<Box<dyn Code>, GpuError> {
        match ptx {
            "bad" => Err(GpuError::Load { chip: chip.into(), reason: "it is bad".into() }),
            _ => Ok(Box::new(Kernels {
                memory: self.memory.clone(),
                launched: self.launched.clone(),
            })),
        }
    }

    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>, GpuError> {
        self.memory.borrow_mut().push(vec![0xCD; bytes]);
        let at = self.memory.borrow().len() - 1;
        Ok(Box::new(Cells { at, all: self.memory.clone() }))
    }

    fn take_profiles(&self) -> Vec<(String, String)> {
        vec![]
    }

    fn finish(&self) -> Result<(), GpuError> {
        Ok(())
    }

    fn record(
        &self,
        launches: &mut dyn FnMut() -> Result<(), GpuError>,
    ) -> Result<Option<Box<dyn Replay>>, GpuError> {
        self.recorded.set(self.recorded.get() + 1);
        launches().map(|()| None)
    }

    fn time(
        &self,
        launches: &mut dyn FnMut() -> Result<(), GpuError>,
    ) -> Result<Duration, GpuError> {
        launches().map(|()| Duration::from_micros(3))
    }
}

impl Memory for Cells {
    fn address(&self) -> u64 {
        0x1000 * (self.at as u64 + 1)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), GpuError> {
        self.all.borrow_mut()[self.at][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn copy_from(&mut self, other: &dyn Memory, bytes: usize) -> Result<(), GpuError> {
        let mut copy = vec![0; bytes];
        other.read(&mut copy)?;
        self.write(&copy)
    }

    fn read(&self, bytes: &mut [u8]) -> Result<(), GpuError> {
        bytes.copy_from_slice(&self.all.borrow()[self.at][..bytes.len()]);
        Ok(())
    }
}

impl Code for Kernels {
    fn launch(&self, launch: &Launch) -> Result<(), GpuError> {
        if launch.kernel == "fill" {
            self.memory.borrow_mut().iter_mut().for_each(|cells| cells.fill(7));
        }
        let Launch { kernel, grid, block, shared, arguments } = launch;
        let launched = ((*kernel).to_owned(), *grid, *block, *shared, arguments.clone());
        self.launched.borrow_mut().push(launched);
        Ok(())
    }
}

fn program(signature: &str, steps: Vec<Step>) -> Program {
    let signature = signature.parse().expect("a signature");
    let constant = Constant { element_type: ElementType::I8, shape: vec![2], bytes: vec![5, 6] };
    let function = Function { name: "main".into(), signature, steps };
    Program {
        chip: "sm_80".into(),
        ptx: "good".into(),
        constants: vec![constant],
        functions: vec![function],
    }
}

fn number(to: usize, is: Number) -> Step {
    Step::Number { to, is }
}

fn launch(kernel: &str, grid: usize, arguments: Vec<Operand>) -> Step {
    let (kernel, grid, block) = (kernel.into(), [grid, 0, 0], [0, 0, 0]);
    Step::Launch(LaunchStep { kernel, grid, block, shared: 512, arguments })
}

fn tensor(shape: &[usize]) -> Tensor {
    Tensor::zeros(ElementType::I8, shape).expect("it is small")
}

fn prepared(
    program: &Program,
    arguments: &mut [Argument],
) -> Result<(Vec<Launched>, usize), GpuError> {
    let device = Recorder::default();
    let executable = Executable::load(program, &device)?;
    executable.prepare("main", arguments)?.run()?;
    let allocated = device.memory.borrow().len();
    Ok((device.launched.take(), allocated))
}

#[test]
fn numbers_are_computed_of_sizes_and_indices() {
    // Number 0 and buffers 0 and 1 are the arguments.
    let steps = vec![
        number(1, Number::Size { buffer: 0, dimension: 1 }),
        number(2, Number::Operation { operation: Operation::CeilDivide, operands: [1, 0] }),
        number(3, Number::Choice { condition: 2, yes: 1, no: 0 }),
        launch(
            "k",
            2,
            vec![
                Operand::Buffer(1),
                Operand::Number { number: 3, bytes: 4 },
                Operand::Number { number: 1, bytes: 8 },
            ],
        ),
    ];
    let program = program("i8[2x?], index, i8[?] result", steps);
    let (a, mut b) = (tensor(&[2, 9]), tensor(&[3]));
    let (launched, _) =
        prepared(&program, &mut [Input(&a), Index(4), Output(&mut b)]).expect("it runs");
    // The constant of the program precedes the arguments.
    let addresses =
        [0x3000u64.to_le_bytes().to_vec(), vec![9, 0, 0, 0], vec![9, 0, 0, 0, 0, 0, 0, 0]];
    assert_eq!(launched, [("k".to_owned(), [3, 4, 4], [4, 4, 4], 512, addresses.to_vec())]);
}

#[test]
fn a_branch_is_taken_by_its_number() {
    let steps = |condition| {
        vec![
            number(0, Number::Constant(1)),
            number(1, Number::Constant(condition)),
            Step::If {
                condition: 1,
                yes: vec![number(2, Number::Constant(2)), launch("yes", 2, vec![])],
                no: vec![number(3, Number::Constant(3)), launch("no", 3, vec![])],
            },
        ]
    };
    for (condition, kernel, blocks) in [(0, "no", 3), (1, "yes", 2), (-1, "yes", 2)] {
        let program = program("", steps(condition));
        let (launched, _) = prepared(&program, &mut []).expect("it runs");
        assert_eq!(launched, [(kernel.to_owned(), [blocks, 1, 1], [1, 1, 1], 512, vec![])]);
    }
}

#[test]
fn what_a_function_allocates_is_there_for_all_its_launches() {
    let steps = vec![
        number(0, Number::Constant(1)),
        number(1, Number::Size { buffer: 0, dimension: 0 }),
        Step::Allocate { to: 1, element_type: ElementType::F64, sizes: vec![1, 1] },
        Step::Constant { to: 2, constant: 0 },
        number(2, Number::Size { buffer: 1, dimension: 1 }),
        number(3, Number::Size { buffer: 2, dimension: 0 }),
        launch("one", 2, vec![Operand::Buffer(1)]),
        launch("two", 3, vec![Operand::Buffer(1), Operand::Buffer(2)]),
    ];
    let program = program("i8[?]", steps);
    let a = tensor(&[6]);
    let (launched, allocated) = prepared(&program, &mut [Input(&a)]).expect("it runs");
    let [constant, temporary] = [0x1000u64, 0x3000].map(|at| at.to_le_bytes().to_vec());
    assert_eq!(allocated, 3);
    assert_eq!(launched[0], ("one".into(), [6, 1, 1], [1, 1, 1], 512, vec![temporary.clone()]));
    assert_eq!(launched[1], ("two".into(), [2, 1, 1], [1, 1, 1], 512, vec![temporary, constant]));
}

#[test]
fn results_come_back_and_inputs_stay() {
    let steps = vec![number(0, Number::Constant(1)), launch("fill", 0, vec![])];
    let program = program("i8[3], i8[2] result", steps);
    let (a, mut b) = (tensor(&[3]), tensor(&[2]));
    let device = Recorder::default();
    let executable = Executable::load(&program, &device).expect("it loads");
    let mut arguments = [Input(&a), Output(&mut b)];
    let mut call = executable.prepare("main", &mut arguments).expect("they fit");
    call.run().expect("it runs");
    call.results(&mut arguments).expect("they are read");
    call.record().expect("it runs");
    assert_eq!(call.time(), Ok(Duration::from_micros(3)));
    assert_eq!((device.recorded.get(), device.launched.borrow().len()), (1, 3));
    assert_eq!((a.bytes(), b.bytes()), (&[0, 0, 0][..], &[7, 7][..]));
}

#[test]
fn a_program_without_kernels_needs_no_code() {
    let run = |steps| {
        let program = Program { ptx: String::new(), ..program("i8[2] result", steps) };
        let (device, mut b) = (Recorder::default(), tensor(&[2]));
        let executable = Executable::load(&program, &device)?;
        let call = executable.prepare("main", &mut [Output(&mut b)])?;
        call.run()
    };
    assert_eq!(run(vec![]), Ok(()));
    let error = run(vec![number(0, Number::Constant(1)), launch("fill", 0, vec![])]);
    let message = "the program for sm_80 is not valid: it launches fill, and has no PTX";
    assert_eq!(error.expect_err("there is no code").to_string(), message);
}

/// Thread i stores element i of what nothing has written, except thread 0.
const PARTLY_UNDEFINED: &str = ".version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    .shared .align 4 .b8 tile[16];
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd1, %rd1, %rd2;
    mov.u64 %rd3, tile;
    add.s64 %rd3, %rd3, %rd2;
    ld.shared.u32 %r2, [%rd3];
    setp.eq.u32 %p1, %r1, 0;
    selp.b32 %r3, 5, %r2, %p1;
    st.global.u32 [%rd1], %r3;
    ret;
}
";

#[test]
fn an_undefined_result_names_its_argument_and_element() {
    let launch = LaunchStep {
        kernel: "k".into(),
        grid: [0; 3],
        block: [1, 0, 0],
        shared: 0,
        arguments: vec![Operand::Buffer(1)],
    };
    let result = |threads: i64, size: usize| {
        let numbers = [(0, 1), (1, threads)].map(|(to, is)| number(to, Number::Constant(is)));
        let steps = [&numbers[..], &[Step::Launch(launch.clone())]].concat();
        let mut program = program("i8[1], i32[?x1] result", steps);
        program.ptx = PARTLY_UNDEFINED.into();
        let (a, mut b) =
            (tensor(&[1]), Tensor::zeros(ElementType::I32, &[size, 1]).expect("it is small"));
        let device = crate::gpu::Emulator::new(0);
        let executable = Executable::load(&program, &device).expect("it loads");
        let mut arguments = [Input(&a), Output(&mut b)];
        let call = executable.prepare("main", &mut arguments).expect("they fit");
        call.run().expect("no fault");
        call.results(&mut arguments)
    };
    assert_eq!(result(1, 1), Ok(()));
    let error = result(4, 4).expect_err("three elements are undefined");
    let expected = "main: argument 1 receives a result that is undefined at [1, 0], and in 12 bytes in all: no kernel \
                    has written a defined value there";
    assert_eq!(error.to_string(), expected);
}

/// A program whose function `twice` launches `k` with the number that it is called with as the number of blocks, and
/// `main` after it.
fn calling(signature: &str, steps: Vec<Step>) -> Program {
    let mut program = program(signature, steps);
    let callee = Function {
        name: "twice".into(),
        signature: "index, i8[2]".parse().expect("a signature"),
        steps: vec![number(1, Number::Constant(1)), {
            let (grid, block) = ([0, 1, 1], [1, 1, 1]);
            let arguments = vec![Operand::Buffer(0)];
            Step::Launch(LaunchStep { kernel: "k".into(), grid, block, shared: 0, arguments })
        }],
    };
    program.functions.insert(0, callee);
    program
}

fn call(number: usize, buffer: usize) -> Step {
    let arguments = vec![Operand::Number { number, bytes: 8 }, Operand::Buffer(buffer)];
    Step::Call { function: 0, arguments }
}

#[test]
fn a_loop_calls_a_function_for_each_of_its_values() {
    let counted = |from, below, by| -> Result<Vec<u32>, GpuError> {
        let is = |(to, value)| number(to, Number::Constant(value));
        let mut steps: Vec<Step> = [(1, from), (2, below), (3, by)].into_iter().map(is).collect();
        let body = vec![call(4, 0)];
        steps.push(Step::For { counter: 4, from: 1, below: 2, by: 3, body });
        let (program, a) = (calling("index, i8[2]", steps), tensor(&[2]));
        let (launched, _) = prepared(&program, &mut [Index(0), Input(&a)])?;
        Ok(launched.into_iter().map(|(_, grid, ..)| grid[0]).collect())
    };
    assert_eq!(counted(2, 9, 3), Ok(vec![2, 5, 8]));
    assert_eq!(counted(2, 2, 1), Ok(vec![]));
    assert_eq!(counted(i64::MAX - 1, i64::MAX, 2).map_err(|it| it.to_string()), {
        let most = "[2147483647, 65535, 65535]";
        Err(format!(
            "k needs a grid of [{}, 1, 1] thread blocks, expected each from 1 to {most}",
            i64::MAX - 1
        ))
    });
    let error = counted(1, 2, 0).expect_err("it would not end").to_string();
    let expected =
        "the program for sm_80 is not valid: main: a loop counts by 0, expected more than 0";
    assert_eq!(error, expected);
}

#[test]
fn a_loop_ends_when_the_number_in_memory_is_0() {
    // Buffer 1 is the number; each iteration subtracts 3.
    let by = |operands| Number::Operation { operation: Operation::Subtract, operands };
    let steps = vec![
        number(0, Number::Constant(3)),
        number(1, Number::Constant(0)),
        Step::While {
            before: vec![
                Step::Read { to: 2, buffer: 0 },
                number(3, Number::Operation { operation: Operation::Less, operands: [1, 2] }),
            ],
            condition: 3,
            body: vec![
                number(4, by([2, 0])),
                Step::Write { number: 4, buffer: 0 },
                Step::Copy { from: 0, to: 1 },
            ],
        },
    ];
    let run = |start: i64, times: usize| {
        let program = program("i8[] result, i8[1] result", steps.clone());
        let device = Recorder::default();
        let mut number = Tensor::from_i64s(ElementType::I8, &[], &[start]).expect("small");
        let mut copy = tensor(&[1]);
        let executable = Executable::load(&program, &device).expect("it loads");
        let mut arguments = [Output(&mut number), Output(&mut copy)];
        let mut call = executable.prepare("main", &mut arguments).expect("they fit");
        (0..times).for_each(|_| call.run().expect("it runs"));
        call.record().expect("it runs");
        call.results(&mut arguments).expect("they are read");
        (number.get_i64(0), copy.get_i64(0), device.recorded.get())
    };
    // Nothing is recorded, because what happens depends on the number.
    assert_eq!(run(7, 1), (-2, -2, 0));
    assert_eq!(run(6, 2), (0, 0, 0));
    assert_eq!(run(-5, 1), (-5, 0, 0));
}

#[test]
fn memory_of_steps_that_run_again_is_kept() {
    let steps = vec![
        number(0, Number::Constant(2)),
        number(1, Number::Constant(0)),
        number(2, Number::Constant(1)),
        Step::For {
            counter: 3,
            from: 1,
            below: 0,
            by: 2,
            body: vec![
                Step::Allocate { to: 1, element_type: ElementType::I8, sizes: vec![0] },
                Step::Copy { from: 0, to: 1 },
            ],
        },
    ];
    let (program, a) = (program("i8[2]", steps), tensor(&[2]));
    let (_, allocated) = prepared(&program, &mut [Input(&a)]).expect("it runs");
    assert_eq!(allocated, 3, "the constant, the argument and one buffer");
}

#[test]
fn what_cannot_be_is_refused() {
    let message = |signature: &str, steps: Vec<Step>, arguments: &mut [Argument]| {
        prepared(&program(signature, steps), arguments).expect_err("it is refused").to_string()
    };
    let one = || number(0, Number::Constant(1));
    let is = |value| number(1, Number::Constant(value));
    for value in [0, -1, 2_147_483_648] {
        assert_eq!(
            message("", vec![one(), is(value), launch("k", 1, vec![])], &mut []),
            format!(
                "k needs a grid of [{value}, 1, 1] thread blocks, expected each from 1 to [2147483647, 65535, 65535]"
            )
        );
    }
    let quotient = Number::Operation { operation: Operation::Divide, operands: [0, 1] };
    assert_eq!(
        message("", vec![one(), is(0), number(2, quotient)], &mut []),
        "main: the quotient of 1 by 0 is not a 64-bit number"
    );
    let (long, short) = (tensor(&[9]), tensor(&[2]));
    assert_eq!(
        message(
            "i8[?], i8[2]",
            vec![Step::Copy { from: 0, to: 1 }],
            &mut [Input(&long), Input(&short)]
        ),
        "the program for sm_80 is not valid: main: 9 bytes are copied to 2"
    );
    assert_eq!(
        message("i8[?]", vec![Step::Read { to: 0, buffer: 0 }], &mut [Input(&long)]),
        "the program for sm_80 is not valid: main: a number has 9 bytes in memory, expected 1 to 8"
    );
    let called = calling("index, i8[?]", vec![call(0, 0)]);
    assert_eq!(
        prepared(&called, &mut [Index(1), Input(&long)]).expect_err("another size").to_string(),
        "the program for sm_80 is not valid: main: twice is called with a buffer of [9]"
    );
    for value in [-1, i64::MAX] {
        let sizes = Step::Allocate { to: 0, element_type: ElementType::F32, sizes: vec![1] };
        assert_eq!(
            message("", vec![one(), is(value), sizes], &mut []),
            format!("main: a buffer of [{value}] elements does not fit in memory")
        );
    }
    assert_eq!(
        message("i8[3]", vec![], &mut [Index(1)]),
        "main: argument 0 is an index, expected i8[3] (C2)"
    );
    let bad = Program { ptx: "bad".into(), ..program("", vec![]) };
    let error = prepared(&bad, &mut []).expect_err("it is bad");
    assert_eq!(error.to_string(), "the device rejects the PTX for sm_80: it is bad");
    let (device, program) = (Recorder::default(), program("", vec![]));
    let executable = Executable::load(&program, &device).expect("it loads");
    let error = executable.prepare("other", &mut []).err();
    assert_eq!(error, Some(GpuError::NoFunction("other".into())));
    let count = CallError::Count { kernel: "main".into(), found: 1, expected: 0 };
    let error = executable.prepare("main", &mut [Index(1)]).err();
    assert_eq!(error, Some(GpuError::Call(count)));
}
