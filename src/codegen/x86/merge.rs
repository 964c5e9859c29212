//! Merges relocatable objects into one, as `ld -r` does.
//!
//! Sections with the same name and flags are one section of the result. A name that one object defines and others refer to is
//! one symbol of the result. Hidden symbols become local: only the parts of the code know them. Sections that the linker may
//! merge by content are not marked as such any more. Symbols get the names that the caller states for each object.

use super::super::CodegenError;
use super::Object;
use object::read::elf::ElfFile64;
use object::write::{self, SectionId, SymbolId, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, Object as _, ObjectSection, ObjectSymbol,
    RelocationTarget, SectionFlags, SectionIndex, SectionKind, SymbolFlags, SymbolIndex,
    SymbolKind, SymbolScope, elf,
};
use std::collections::HashMap;

/// The names of symbols in the result, by those in an object; the others stay as they are.
pub(super) type SymbolNames = HashMap<String, String>;

/// The object that has all sections and symbols of some objects.
pub(super) fn merge(objects: &[(Object, SymbolNames)]) -> Result<Object, CodegenError> {
    merged(objects)
        .map(Object)
        .map_err(|error| CodegenError::Emit(format!("the parts cannot be merged: {error}")))
}

fn merged(objects: &[(Object, SymbolNames)]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let files = objects.iter().map(|(object, _)| ElfFile64::parse(object.bytes()));
    let files: Vec<ElfFile64<Endianness>> = files.collect::<Result<_, _>>()?;
    let mut out = write::Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let mut parts = vec![];
    let mut known = HashMap::new();
    let mut shared: HashMap<Vec<u8>, SymbolId> = HashMap::new();
    for (file, (_, names)) in files.iter().zip(objects) {
        let sections = copy_sections(file, &mut out, &mut known)?;
        let symbols = copy_definitions(file, names, &sections, &mut out, &mut shared)?;
        parts.push((sections, symbols));
    }
    for ((file, (_, names)), (sections, mut symbols)) in files.iter().zip(objects).zip(parts) {
        refer(file, names, &mut symbols, &mut out, &mut shared)?;
        copy_relocations(file, &sections, &symbols, &mut out)?;
    }
    Ok(out.write()?)
}

/// For each section of an object, the section of the result and the place in it where its bytes are.
type Sections = HashMap<SectionIndex, (SectionId, u64)>;
/// For each symbol of an object, that of the result, and what is between the two.
type Symbols = HashMap<SymbolIndex, (SymbolId, u64)>;
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// `SHT_LLVM_ADDRSIG`: a table of symbols by their indices, a hint for linkers.
const ADDRESS_SIGNIFICANCE: u32 = 0x6fff_4c03;

/// Copies the sections that have content; the writer makes the others. `known` are the sections of the result.
fn copy_sections(
    file: &ElfFile64<Endianness>,
    out: &mut write::Object,
    known: &mut HashMap<(Vec<u8>, u64), SectionId>,
) -> Outcome<Sections> {
    let mut copied = Sections::new();
    for section in file.sections() {
        let name = section.name_bytes()?.to_vec();
        let kind = match section.kind() {
            SectionKind::Metadata | SectionKind::Elf(ADDRESS_SIGNIFICANCE) => continue,
            SectionKind::ReadOnlyString => SectionKind::ReadOnlyData,
            SectionKind::OtherString => SectionKind::Other,
            kind => kind,
        };
        let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
        let sh_flags = sh_flags & !u64::from(elf::SHF_MERGE | elf::SHF_STRINGS);
        let id = *known.entry((name.clone(), sh_flags)).or_insert_with(|| {
            let id = out.add_section(vec![], name, kind);
            out.section_mut(id).flags = SectionFlags::Elf { sh_flags };
            id
        });
        let new = out.section_mut(id);
        let start = match new.is_bss() {
            true => new.append_bss(section.size(), section.align()),
            false => new.append_data(section.data()?, section.align()),
        };
        copied.insert(section.index(), (id, start));
    }
    Ok(copied)
}

/// The name of a symbol in the result.
fn name_of<'o>(symbol: &impl ObjectSymbol<'o>, names: &SymbolNames) -> Outcome<Vec<u8>> {
    let name = symbol.name_bytes()?;
    let new = str::from_utf8(name).ok().and_then(|name| names.get(name));
    Ok(new.map_or(name, |new| new.as_bytes()).to_vec())
}

/// Copies the symbols that an object defines. Adds those that other objects may refer to to `shared`.
fn copy_definitions(
    file: &ElfFile64<Endianness>,
    names: &SymbolNames,
    sections: &Sections,
    out: &mut write::Object,
    shared: &mut HashMap<Vec<u8>, SymbolId>,
) -> Outcome<Symbols> {
    let mut copied = Symbols::new();
    for symbol in file.symbols() {
        let (section, start) = match symbol.section() {
            object::SymbolSection::Undefined => continue,
            _ if symbol.kind() == SymbolKind::File => continue,
            object::SymbolSection::Section(index) => match sections.get(&index) {
                Some((section, start)) => (SymbolSection::Section(*section), *start),
                None => continue,
            },
            other => return Err(format!("a symbol is in section {other:?}").into()),
        };
        if let (SymbolKind::Section, SymbolSection::Section(section)) = (symbol.kind(), section) {
            copied.insert(symbol.index(), (out.section_symbol(section), start));
            continue;
        }
        let name = name_of(&symbol, names)?;
        let visibility = match symbol.flags() {
            SymbolFlags::Elf { st_other, .. } => st_other & 3,
            _ => elf::STV_DEFAULT,
        };
        let is_shared = !symbol.is_local();
        let scope = match is_shared && visibility == elf::STV_DEFAULT {
            true => SymbolScope::Dynamic,
            false => SymbolScope::Compilation,
        };
        let kind = match symbol.kind() {
            SymbolKind::Unknown => SymbolKind::Label,
            kind => kind,
        };
        let id = out.add_symbol(write::Symbol {
            name: name.clone(),
            value: start + symbol.address(),
            size: symbol.size(),
            kind,
            scope,
            weak: symbol.is_weak(),
            section,
            flags: SymbolFlags::None,
        });
        if is_shared && shared.insert(name.clone(), id).is_some() {
            return Err(format!("{} is defined twice", String::from_utf8_lossy(&name)).into());
        }
        copied.insert(symbol.index(), (id, 0));
    }
    Ok(copied)
}

/// Adds the symbols that an object refers to: definitions of other objects, or symbols that no object defines.
fn refer(
    file: &ElfFile64<Endianness>,
    names: &SymbolNames,
    symbols: &mut Symbols,
    out: &mut write::Object,
    shared: &mut HashMap<Vec<u8>, SymbolId>,
) -> Outcome<()> {
    for symbol in file.symbols().filter(|symbol| symbol.is_undefined()) {
        let name = name_of(&symbol, names)?;
        let new = || {
            out.add_symbol(write::Symbol {
                name: name.clone(),
                value: 0,
                size: 0,
                kind: SymbolKind::Unknown,
                scope: SymbolScope::Unknown,
                weak: symbol.is_weak(),
                section: SymbolSection::Undefined,
                flags: SymbolFlags::None,
            })
        };
        let id = *shared.entry(name.clone()).or_insert_with(new);
        symbols.insert(symbol.index(), (id, 0));
    }
    Ok(())
}

/// Copies the relocations of all sections.
fn copy_relocations(
    file: &ElfFile64<Endianness>,
    sections: &Sections,
    symbols: &Symbols,
    out: &mut write::Object,
) -> Outcome<()> {
    for section in file.sections() {
        let Some((new, start)) = sections.get(&section.index()) else { continue };
        for (offset, relocation) in section.relocations() {
            let target = match relocation.target() {
                RelocationTarget::Symbol(index) => symbols.get(&index).copied(),
                _ => None,
            };
            let (symbol, distance) = target.ok_or("a relocation is to no symbol")?;
            let (offset, flags) = (start + offset, relocation.flags());
            let addend = relocation.addend() + distance as i64;
            out.add_relocation(*new, write::Relocation { offset, symbol, addend, flags })?;
        }
    }
    Ok(())
}
