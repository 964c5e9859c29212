//! The operands of an instruction as register indices. Immediates, addresses of variables and special registers become
//! registers that are initialised before a warp starts.

use super::scope::{Name, Scopes};
use super::{Decoder, Fixup, Place, Result};
use crate::fault::Role;
use crate::liveness::Mention;
use crate::parse::ParseError;
use crate::program::{Guard, Register, RegisterKind, RegisterUse, Special, Value};
use crate::syntax::{Instruction, Operand, Space, Type};
use half::{bf16, f16};

pub struct Operands<'d, 'a, 's> {
    decoder: &'d mut Decoder<'a>,
    scopes: &'s Scopes,
    instruction: &'s Instruction,
    fixup: Option<Fixup>,
    /// The number of operands that were requested, so that an extra operand is an error.
    used: usize,
    mentions: Vec<Mention>,
    uses: Vec<RegisterUse>,
    /// The number of the operand that was requested last.
    current: u8,
}

/// What an instruction's operands have in addition to their register indices.
pub(super) struct Finished {
    pub fixup: Option<Fixup>,
    pub mentions: Vec<Mention>,
    pub uses: Vec<RegisterUse>,
}

impl<'d, 'a, 's> Operands<'d, 'a, 's> {
    pub(super) fn new(
        decoder: &'d mut Decoder<'a>,
        scopes: &'s Scopes,
        instruction: &'s Instruction,
    ) -> Operands<'d, 'a, 's> {
        Operands {
            decoder,
            scopes,
            instruction,
            fixup: None,
            used: 0,
            mentions: vec![],
            uses: vec![],
            current: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.instruction.operands.len()
    }

    pub fn line(&self) -> u32 {
        self.instruction.line
    }

    pub(super) fn finish(self) -> Result<Finished> {
        match self.used < self.len() {
            true => Err(self.wrong(format!("{} operands, expected {}", self.len(), self.used))),
            false => Ok(Finished { fixup: self.fixup, mentions: self.mentions, uses: self.uses }),
        }
    }

    pub fn wrong(&self, reason: impl Into<String>) -> ParseError {
        let mnemonic = self.instruction.mnemonic.clone();
        ParseError::Operand { line: self.instruction.line, mnemonic, reason: reason.into() }
    }

    /// Refuses a form of the instruction that only later architectures have.
    pub fn expect_target(&self, first: u32, form: &str) -> Result<()> {
        let mnemonic = format!("{} {form}", self.instruction.mnemonic);
        self.decoder.check_target(first, &mnemonic, self.line())
    }

    pub fn get(&mut self, i: usize) -> Result<&'s Operand> {
        self.used = self.used.max(i + 1);
        self.current = i as u8;
        let missing = || self.wrong(format!("operand {} is missing", i + 1));
        self.instruction.operands.get(i).ok_or_else(missing)
    }

    /// All operands, of one type: a target followed by sources.
    pub fn all<const N: usize>(&mut self, ty: Type) -> Result<[u32; N]> {
        let mut found = [0; N];
        found[0] = self.target(0, ty)?;
        for (i, index) in found.iter_mut().enumerate().skip(1) {
            *index = self.source(i, ty)?;
        }
        Ok(found)
    }

    pub fn target(&mut self, i: usize, ty: Type) -> Result<u32> {
        let operand = self.get(i)?;
        self.target_of(operand, ty)
    }

    pub fn target_of(&mut self, operand: &Operand, ty: Type) -> Result<u32> {
        match operand {
            Operand::Sink => Ok(self.decoder.layout.unnamed(ty.bytes() == 8)),
            Operand::Name(name) => {
                let index = self.register(name, ty)?;
                self.mention(index, ty.bytes(), true);
                Ok(index)
            }
            _ => Err(self.wrong("the target is not a register")),
        }
    }

    pub fn source(&mut self, i: usize, ty: Type) -> Result<u32> {
        let operand = self.get(i)?;
        self.source_of(operand, ty)
    }

    pub fn source_of(&mut self, operand: &Operand, ty: Type) -> Result<u32> {
        match operand {
            Operand::Name(name)
                if matches!(self.scopes.find(name), Some(Name::Register { .. })) =>
            {
                let index = self.register(name, ty)?;
                self.mention(index, ty.bytes(), false);
                Ok(index)
            }
            _ => {
                let value = self.value(operand, ty)?;
                Ok(self.constant(value, ty.bytes() == 8))
            }
        }
    }

    /// A register with at least as many bits as the type, as loads, stores and conversions accept it.
    pub fn loose(&mut self, operand: &Operand, ty: Type, is_target: bool) -> Result<Register> {
        if let Operand::Name(name) = operand
            && let Some(Name::Register { index, ty: declared }) = self.scopes.find(name)
        {
            if declared.bytes() < ty.bytes() {
                return Err(self.width(name, *declared, ty));
            }
            self.mention(*index, declared.bytes(), is_target);
            return Ok(Register { index: *index, bytes: declared.bytes() });
        }
        let index = match is_target {
            true => self.target_of(operand, ty)?,
            false => self.source_of(operand, ty)?,
        };
        Ok(Register { index, bytes: ty.bytes() })
    }

    fn register(&mut self, name: &str, ty: Type) -> Result<u32> {
        match self.scopes.find(name) {
            Some(Name::Register { index, ty: declared }) if declared.bytes() == ty.bytes() => {
                Ok(*index)
            }
            Some(Name::Register { ty: declared, .. }) => Err(self.width(name, *declared, ty)),
            Some(_) => Err(self.wrong(format!("{name} is not a register"))),
            None => Err(self.wrong(format!("{name} is not declared"))),
        }
    }

    fn mention(&mut self, index: u32, bytes: u32, is_written: bool) {
        self.mentions.push(Mention { index, is_wide: bytes == 8, is_written });
        let kind = if bytes == 8 { RegisterKind::Wide } else { RegisterKind::Narrow };
        self.note_use(kind, index, 8 * bytes, is_written);
    }

    /// The register of a constant. It is no mention, because constants need no registers on hardware.
    fn constant(&mut self, value: Value, is_wide: bool) -> u32 {
        let index = self.decoder.constant(value, is_wide);
        let (kind, bits) = match is_wide {
            true => (RegisterKind::Wide, 64),
            false => (RegisterKind::Narrow, 32),
        };
        self.note_use(kind, index, bits, false);
        index
    }

    fn note_use(&mut self, kind: RegisterKind, index: u32, bits: u32, is_written: bool) {
        let operand = self.current;
        self.uses.push(RegisterUse { kind, index, bits, operand, is_written, required: None });
    }

    /// Makes it a fault if operand `i`, which was decoded before, is undefined.
    pub fn require(&mut self, i: usize, role: Role) {
        for it in self.uses.iter_mut().filter(|it| usize::from(it.operand) == i && !it.is_written) {
            it.required = Some(role);
        }
    }

    fn width(&self, name: &str, declared: Type, ty: Type) -> ParseError {
        let (found, expected) = (declared.bytes() * 8, ty.bytes() * 8);
        self.wrong(format!("{name} has {found} bits, expected {expected}"))
    }

    /// The value of an operand that is known before a warp starts.
    fn value(&mut self, operand: &Operand, ty: Type) -> Result<Value> {
        Ok(match operand {
            Operand::Integer(value) => Value::Bits(match ty {
                // An integer literal in a float operand is converted to its value.
                Type::F32 => u64::from((*value as i64 as f32).to_bits()),
                Type::F64 => (*value as i64 as f64).to_bits(),
                _ if ty.bytes() == 8 => *value,
                _ => value & (u64::MAX >> (64 - 8 * ty.bytes().min(4))),
            }),
            Operand::Float { double, single } => Value::Bits(float_bits(*double, *single, ty)),
            Operand::Name(name) if name == "WARP_SZ" => Value::Bits(32),
            Operand::Name(name) => self.address(name, 0)?,
            Operand::Offset(name, offset) => self.address(name, *offset)?,
            _ => return Err(self.wrong("an operand has the wrong form")),
        })
    }

    /// The address of a variable in its own space, or a special register.
    fn address(&mut self, name: &str, offset: i64) -> Result<Value> {
        if let Some(special) = special(name)
            && offset == 0
        {
            return Ok(Value::Special(special));
        }
        let at = |found: &Name| match found {
            Name::Shared(base) | Name::Local(base, _) | Name::KernelParameter(base) => {
                Some(Value::Bits(u64::from(*base).wrapping_add_signed(offset)))
            }
            Name::DynamicShared => Some(Value::DynamicShared(offset)),
            _ => None,
        };
        let value = match self.scopes.find(name) {
            Some(found) => at(found),
            None => {
                let symbols = self.decoder.symbols;
                let Some(number) = symbols.variables.get(name).copied() else {
                    return Err(self.wrong(format!("{name} is not declared")));
                };
                let variable = &symbols.file.variables[number];
                match variable.space {
                    Space::Global | Space::Const => Some(Value::Module(number, offset)),
                    Space::Shared => at(&self.decoder.layout.place_once(number, variable)?),
                    _ => None,
                }
            }
        };
        value.ok_or_else(|| self.wrong(format!("{name} has no address")))
    }

    /// The base register and the offset of `[base+offset]`.
    pub fn memory(&mut self, i: usize) -> Result<(Register, i64)> {
        let Operand::Address { base, offset, indices } = self.get(i)? else {
            return Err(self.wrong("an operand is not an address"));
        };
        if !indices.is_empty() {
            return Err(self.wrong("an address has coordinates"));
        }
        if let Operand::Name(name) = base.as_ref()
            && let Some(Name::Register { index, ty }) = self.scopes.find(name)
        {
            if ty.bytes() < 4 {
                return Err(self.wrong(format!("the address {name} has {} bits", ty.bytes() * 8)));
            }
            self.mention(*index, ty.bytes(), false);
            self.require(i, Role::Address);
            return Ok((Register { index: *index, bytes: ty.bytes() }, *offset));
        }
        let value = self.value(base, Type::B64)?;
        Ok((Register { index: self.constant(value, true), bytes: 8 }, *offset))
    }

    /// True if the base of an address is memory for call arguments or results, and not a parameter of the kernel.
    pub fn is_passed(&mut self, i: usize) -> Result<bool> {
        let Operand::Address { base, .. } = self.get(i)? else { return Ok(false) };
        let Operand::Name(name) = base.as_ref() else { return Ok(false) };
        Ok(matches!(self.scopes.find(name), Some(Name::Local(..))))
    }

    pub fn is_predicate(&self, operand: &Operand) -> bool {
        let Operand::Name(name) = operand else { return false };
        matches!(self.scopes.find(name), Some(Name::Predicate(_)))
    }

    pub fn predicate_named(&mut self, name: &str) -> Result<u32> {
        match self.scopes.find(name) {
            Some(Name::Predicate(index)) => Ok(*index),
            _ => Err(self.wrong(format!("{name} is not a predicate"))),
        }
    }

    /// A predicate, which may be negated or constant.
    pub fn guard(&mut self, i: usize) -> Result<Guard> {
        let operand = self.get(i)?;
        self.guard_of(operand)
    }

    pub fn guard_of(&mut self, operand: &Operand) -> Result<Guard> {
        Ok(match operand {
            Operand::Name(name) => {
                let predicate = self.predicate_named(name)?;
                self.note_use(RegisterKind::Predicate, predicate, 1, false);
                Guard { predicate, is_negated: false }
            }
            Operand::Not(inner) => {
                let Guard { predicate, is_negated } = self.guard_of(inner)?;
                Guard { predicate, is_negated: !is_negated }
            }
            // A constant predicate uses a predicate register that is never written, which is false.
            Operand::Integer(value) => Guard {
                predicate: self.decoder.layout.unnamed_predicate(),
                is_negated: *value != 0,
            },
            _ => return Err(self.wrong("an operand is not a predicate")),
        })
    }

    pub fn target_predicate(&mut self, i: usize) -> Result<u32> {
        let operand = self.get(i)?;
        self.target_predicate_of(operand)
    }

    pub fn target_predicate_of(&mut self, operand: &Operand) -> Result<u32> {
        match operand {
            Operand::Sink => Ok(self.decoder.layout.unnamed_predicate()),
            Operand::Name(name) => {
                let predicate = self.predicate_named(name)?;
                self.note_use(RegisterKind::Predicate, predicate, 1, true);
                Ok(predicate)
            }
            _ => Err(self.wrong("the target is not a predicate")),
        }
    }

    /// The predicate that holds the carry flag, for an instruction that reads or writes it.
    pub fn carry(&mut self, is_read: bool, is_written: bool) -> u32 {
        let Decoder { carry, layout, .. } = &mut *self.decoder;
        let predicate = *carry.get_or_insert_with(|| layout.unnamed_predicate());
        if is_read {
            self.note_use(RegisterKind::Predicate, predicate, 1, false);
        }
        if is_written {
            self.note_use(RegisterKind::Predicate, predicate, 1, true);
        }
        predicate
    }

    pub fn integer(&mut self, i: usize) -> Result<u64> {
        match self.get(i)? {
            Operand::Integer(value) => Ok(*value),
            _ => Err(self.wrong(format!("operand {} is not an integer", i + 1))),
        }
    }

    /// The elements of `{a, b}`, or a single operand.
    pub fn vector(&mut self, i: usize) -> Result<&'s [Operand]> {
        let operand = self.get(i)?;
        Ok(match operand {
            Operand::Vector(elements) => elements,
            other => std::slice::from_ref(other),
        })
    }

    pub fn labels(&mut self, names: &[String]) -> Result<()> {
        let number = |name: &String| {
            let undefined = || self.wrong(format!("there is no label {name}"));
            self.scopes.label(name).ok_or_else(undefined)
        };
        let numbers = names.iter().map(number).collect::<Result<_>>()?;
        self.fixup = Some(Fixup::Targets(numbers));
        Ok(())
    }

    /// The labels of `.branchtargets`.
    pub fn targets(&mut self, i: usize) -> Result<&'s [String]> {
        let Operand::Name(name) = self.get(i)? else {
            return Err(self.wrong("the targets have no name"));
        };
        match self.scopes.find(name) {
            Some(Name::Targets(labels)) => Ok(labels),
            _ => Err(self.wrong(format!("{name} is not a list of targets"))),
        }
    }

    /// Records the call of a function; arguments and results are ranges of local memory.
    pub fn call(&mut self, callee: &str, arguments: Vec<Place>, results: Vec<Place>) -> Result<()> {
        if !self.decoder.symbols.functions.contains_key(callee) {
            return Err(self.wrong(format!("there is no function {callee}")));
        }
        let line = self.line();
        let caller = self.decoder.current.clone();
        self.decoder.calls.push((caller, callee.into(), line));
        self.decoder.wanted.push(callee.into());
        self.fixup = Some(Fixup::Call { callee: callee.into(), arguments, results, line });
        Ok(())
    }

    /// The range of a variable in local memory.
    pub fn local(&mut self, operand: &Operand) -> Result<Place> {
        let Operand::Name(name) = operand else {
            return Err(self.wrong("an argument is not a .param variable"));
        };
        let place = self.scopes.find(name).and_then(Name::place);
        place.ok_or_else(|| self.wrong(format!("{name} is not a .param variable")))
    }

    pub fn note_fence(&mut self) {
        self.decoder.has_fences = true;
    }
}

fn float_bits(double: u64, single: Option<u32>, ty: Type) -> u64 {
    let value = f64::from_bits(double);
    match (ty, single) {
        (Type::F64, _) => double,
        (Type::F16, _) => u64::from(f16::from_f64(value).to_bits()),
        (Type::BF16, _) => u64::from(bf16::from_f64(value).to_bits()),
        // The bits as written, so that a NaN keeps its payload.
        (_, Some(bits)) => u64::from(bits),
        (Type::F32, None) => u64::from((value as f32).to_bits()),
        (_, None) => double,
    }
}

fn special(name: &str) -> Option<Special> {
    let axes = [
        ("%tid.", Special::ThreadId as fn(u8) -> Special),
        ("%ntid.", Special::BlockSize),
        ("%ctaid.", Special::BlockId),
        ("%nctaid.", Special::GridSize),
    ];
    for (prefix, of) in axes {
        if let Some(axis) = name.strip_prefix(prefix) {
            return ["x", "y", "z"].iter().position(|it| *it == axis).map(|i| of(i as u8));
        }
    }
    Some(match name {
        "%laneid" => Special::Lane,
        "%warpid" => Special::Warp,
        "%nwarpid" => Special::WarpCount,
        "%smid" => Special::Multiprocessor,
        "%nsmid" => Special::MultiprocessorCount,
        "%gridid" => Special::Grid,
        "%lanemask_eq" => Special::LaneMaskEqual,
        "%lanemask_lt" => Special::LaneMaskLess,
        "%lanemask_le" => Special::LaneMaskLessEqual,
        "%lanemask_gt" => Special::LaneMaskGreater,
        "%lanemask_ge" => Special::LaneMaskGreaterEqual,
        "%dynamic_smem_size" => Special::DynamicSharedSize,
        "%total_smem_size" => Special::TotalSharedSize,
        _ => return None,
    })
}
