//! Verifies that a program can be run; one from a file may contain anything.

use super::{Constant, Function, Launch, Number, Operand, Program, Step};
use crate::gpu::MOST_SHARED;
use crate::kernel::{ArgumentType, Signature};
use crate::tensor::size_in_bytes;

/// The definitions visible at a point of a function: the defined numbers, and the ranks of the defined buffers.
#[derive(Clone, Default)]
struct Scope {
    /// The number of functions that may be called: those before this one, so that none calls itself.
    callable: usize,
    numbers: Vec<bool>,
    buffers: Vec<Option<usize>>,
}

impl Program {
    /// Checks that each step uses only what is defined before it, and that each constant has its elements.
    ///
    /// # Errors
    /// The position of the first violation, and what was expected there.
    pub fn check(&self) -> Result<(), String> {
        for (i, Constant { element_type, shape, bytes }) in self.constants.iter().enumerate() {
            if size_in_bytes(*element_type, shape) != Ok(bytes.len()) {
                let found = bytes.len();
                return Err(format!("constant {i} has {found} bytes, of {element_type}{shape:?}"));
            }
        }
        let of = |(place, function): (usize, &Function)| {
            let mut scope = Scope { callable: place, ..Scope::of(&function.signature) };
            self.check_steps(&function.steps, &mut scope)
                .map_err(|reason| format!("{}: {reason}", function.name))
        };
        self.functions.iter().enumerate().try_for_each(of)
    }

    fn check_steps(&self, steps: &[Step], scope: &mut Scope) -> Result<(), String> {
        steps.iter().try_for_each(|step| self.check_step(step, scope))
    }

    fn check_step(&self, step: &Step, scope: &mut Scope) -> Result<(), String> {
        match step {
            Step::Number { to, is } => {
                match *is {
                    Number::Constant(_) => {}
                    Number::Size { buffer, dimension } => {
                        let rank = scope.buffer(buffer)?;
                        if dimension >= rank {
                            return Err(format!(
                                "size {dimension} of buffer {buffer}, which has rank {rank}"
                            ));
                        }
                    }
                    Number::Operation { operands, .. } => scope.numbers(&operands)?,
                    Number::Choice { condition, yes, no } => {
                        scope.numbers(&[condition, yes, no])?;
                    }
                }
                define(&mut scope.numbers, *to, true)
            }
            Step::Constant { to, constant } => {
                let found = self.constants.get(*constant);
                let found = found.ok_or_else(|| format!("there is no constant {constant}"))?;
                define(&mut scope.buffers, *to, Some(found.shape.len()))
            }
            Step::Allocate { to, sizes, .. } => {
                scope.numbers(sizes)?;
                define(&mut scope.buffers, *to, Some(sizes.len()))
            }
            Step::Require { condition, sizes, .. } => {
                scope.numbers(&[*condition])?;
                scope.numbers(sizes)
            }
            Step::If { condition, yes, no } => {
                scope.numbers(&[*condition])?;
                // Definitions in a branch are local to it.
                self.check_steps(yes, &mut scope.clone())?;
                self.check_steps(no, &mut scope.clone())
            }
            Step::Launch(Launch { kernel, shared, .. }) if *shared > MOST_SHARED => Err(format!(
                "{kernel} requests {shared} bytes of shared memory, expected at most {MOST_SHARED}"
            )),
            Step::Launch(Launch { grid, block, arguments, .. }) => {
                scope.numbers(grid)?;
                scope.numbers(block)?;
                arguments.iter().try_for_each(|argument| scope.operand(argument))
            }
            Step::For { counter, from, below, by, body } => {
                scope.numbers(&[*from, *below, *by])?;
                let mut scope = scope.clone();
                define(&mut scope.numbers, *counter, true)?;
                self.check_steps(body, &mut scope)
            }
            Step::While { before, condition, body } => {
                let mut scope = scope.clone();
                self.check_steps(before, &mut scope)?;
                scope.numbers(&[*condition])?;
                self.check_steps(body, &mut scope)
            }
            Step::Call { function, arguments } => self.check_call(*function, arguments, scope),
            Step::Copy { from, to } => {
                [from, to].into_iter().try_for_each(|it| scope.buffer(*it).map(drop))
            }
            Step::Read { to, buffer } => {
                scope.buffer(*buffer)?;
                define(&mut scope.numbers, *to, true)
            }
            Step::Write { number, buffer } => {
                scope.buffer(*buffer)?;
                scope.numbers(&[*number])
            }
        }
    }

    fn check_call(
        &self,
        function: usize,
        arguments: &[Operand],
        scope: &Scope,
    ) -> Result<(), String> {
        let callee = self.functions[..scope.callable].get(function).ok_or_else(|| {
            format!("function {function} is called, expected one of the {} before", scope.callable)
        })?;
        arguments.iter().try_for_each(|argument| scope.operand(argument))?;
        let fits = |(argument, expected): (&Operand, &ArgumentType)| match (argument, expected) {
            (Operand::Number { .. }, ArgumentType::Index) => true,
            (Operand::Buffer(buffer), ArgumentType::Buffer(expected)) => {
                scope.buffer(*buffer) == Ok(expected.shape.len())
            }
            _ => false,
        };
        let expected = &callee.signature.arguments;
        match arguments.len() == expected.len() && arguments.iter().zip(expected).all(fits) {
            true => Ok(()),
            false => Err(format!("{} is called with other arguments than it has", callee.name)),
        }
    }
}

impl Scope {
    fn of(signature: &Signature) -> Scope {
        let mut scope = Scope::default();
        for argument in &signature.arguments {
            match argument {
                ArgumentType::Index => scope.numbers.push(true),
                ArgumentType::Buffer(buffer) => scope.buffers.push(Some(buffer.shape.len())),
            }
        }
        scope
    }

    fn numbers(&self, used: &[usize]) -> Result<(), String> {
        match used.iter().find(|number| self.numbers.get(**number) != Some(&true)) {
            Some(number) => Err(format!("number {number} is used, but not defined")),
            None => Ok(()),
        }
    }

    fn operand(&self, operand: &Operand) -> Result<(), String> {
        match *operand {
            Operand::Buffer(buffer) => self.buffer(buffer).map(drop),
            Operand::Number { bytes, .. } if !(1..=8).contains(&bytes) => {
                Err(format!("a number of {bytes} bytes, expected 1 to 8"))
            }
            Operand::Number { number, .. } => self.numbers(&[number]),
        }
    }

    /// The rank of a buffer.
    fn buffer(&self, buffer: usize) -> Result<usize, String> {
        let rank = self.buffers.get(buffer).copied().flatten();
        rank.ok_or_else(|| format!("buffer {buffer} is used, but not defined"))
    }
}

/// Defines an index. Definitions in branches leave gaps between indices; the size of a gap is limited.
fn define<T: Clone + Default>(defined: &mut Vec<T>, at: usize, value: T) -> Result<(), String> {
    const MOST: usize = 1 << 20;
    if at >= MOST {
        return Err(format!("index {at} is defined, expected an index below {MOST}"));
    }
    if defined.len() <= at {
        defined.resize(at + 1, T::default());
    }
    defined[at] = value;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::program::Operation;
    use crate::tensor::ElementType;

    fn check(steps: Vec<Step>) -> Result<(), String> {
        let signature = "f32[?x4], index".parse().expect("a signature");
        let function = Function { name: "f".into(), signature, steps };
        let constant =
            Constant { element_type: ElementType::F32, shape: vec![], bytes: vec![0; 4] };
        let program =
            Program { functions: vec![function], constants: vec![constant], ..Program::default() };
        program.check()
    }

    fn number(to: usize, is: Number) -> Step {
        Step::Number { to, is }
    }

    #[test]
    fn what_is_used_must_be_defined() {
        let sum = |operands| Number::Operation { operation: Operation::Add, operands };
        let branch = |yes, no| Step::If { condition: 0, yes, no };
        let asking = |shared, arguments| {
            let (kernel, grid, block) = ("k".into(), [0; 3], [0; 3]);
            Step::Launch(Launch { kernel, grid, block, shared, arguments })
        };
        let launch = |arguments| asking(0, arguments);
        let one = || number(1, Number::Constant(1));
        assert_eq!(check(vec![one(), number(2, sum([0, 1]))]), Ok(()));
        assert_eq!(check(vec![branch(vec![one()], vec![number(7, sum([0, 0]))])]), Ok(()));
        assert_eq!(check(vec![asking(MOST_SHARED, vec![])]), Ok(()));
        let cases = [
            (
                vec![asking(MOST_SHARED + 1, vec![])],
                "k requests 232449 bytes of shared memory, expected at most 232448",
            ),
            (
                vec![asking(u32::MAX, vec![])],
                "k requests 4294967295 bytes of shared memory, expected at most 232448",
            ),
            (vec![number(1, sum([0, 1]))], "number 1 is used, but not defined"),
            (
                vec![branch(vec![one()], vec![]), number(2, sum([0, 1]))],
                "number 1 is used, but not defined",
            ),
            (
                vec![number(1, Number::Size { buffer: 1, dimension: 0 })],
                "buffer 1 is used, but not defined",
            ),
            (
                vec![number(1, Number::Size { buffer: 0, dimension: 2 })],
                "size 2 of buffer 0, which has rank 2",
            ),
            (vec![Step::Constant { to: 1, constant: 1 }], "there is no constant 1"),
            (vec![launch(vec![Operand::Buffer(3)])], "buffer 3 is used, but not defined"),
            (
                vec![launch(vec![Operand::Number { number: 0, bytes: 9 }])],
                "a number of 9 bytes, expected 1 to 8",
            ),
            (
                vec![number(usize::MAX, Number::Constant(0))],
                "index 18446744073709551615 is defined, expected an index below 1048576",
            ),
        ];
        for (steps, expected) in cases {
            assert_eq!(check(steps), Err(format!("f: {expected}")));
        }
    }

    #[test]
    fn loops_and_calls_use_what_is_defined() {
        let counted = |by, body| Step::For { counter: 1, from: 0, below: 0, by, body };
        let repeated = |condition, body| {
            let before = vec![Step::Read { to: 1, buffer: 0 }];
            Step::While { before, condition, body }
        };
        let write = |number| Step::Write { number, buffer: 0 };
        assert_eq!(check(vec![counted(0, vec![write(1)])]), Ok(()));
        assert_eq!(check(vec![repeated(1, vec![write(1)])]), Ok(()));
        for (steps, expected) in [
            (vec![counted(3, vec![])], "number 3 is used, but not defined"),
            (vec![counted(0, vec![]), write(1)], "number 1 is used, but not defined"),
            (vec![repeated(2, vec![])], "number 2 is used, but not defined"),
            (vec![Step::Copy { from: 0, to: 1 }], "buffer 1 is used, but not defined"),
            (vec![Step::Read { to: 1, buffer: 4 }], "buffer 4 is used, but not defined"),
            (
                vec![Step::Call { function: 0, arguments: vec![] }],
                "function 0 is called, expected one of the 0 before",
            ),
        ] {
            assert_eq!(check(steps), Err(format!("f: {expected}")));
        }
        let function = |name: &str, signature: &str, steps| {
            let signature = signature.parse().expect("a signature");
            Function { name: name.into(), signature, steps }
        };
        let call = |arguments| Step::Call { function: 0, arguments };
        let called = |signature: &str, arguments| {
            let functions = vec![
                function("g", signature, vec![]),
                function("f", "f32[?x4], index", vec![call(arguments)]),
            ];
            Program { functions, ..Program::default() }.check()
        };
        let (matrix, index) = (Operand::Buffer(0), Operand::Number { number: 0, bytes: 8 });
        assert_eq!(called("f32[?x?], index", vec![matrix, index]), Ok(()));
        let other = "f: g is called with other arguments than it has".to_owned();
        assert_eq!(called("f32[?x?], index", vec![index, matrix]), Err(other.clone()));
        assert_eq!(called("f32[?], index", vec![matrix, index]), Err(other.clone()));
        assert_eq!(called("f32[?x?], index", vec![matrix]), Err(other));
    }

    #[test]
    fn a_constant_has_the_bytes_of_its_shape() {
        let constant =
            Constant { element_type: ElementType::F32, shape: vec![3], bytes: vec![0; 8] };
        let program = Program { constants: vec![constant], ..Program::default() };
        assert_eq!(program.check(), Err("constant 0 has 8 bytes, of f32[3]".into()));
    }
}
