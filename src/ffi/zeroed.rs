//! The variables of an object that are zero before its code runs, such as transformed weights, in memory with huge pages.
//! LLVM's linker would write zeros to small pages, and each page would be copied to a huge one afterwards.

use loopwright_runtime::tensor::{ElementType, Tensor};
use object::LittleEndian as LE;
use object::elf::{FileHeader64, SHT_NOBITS, SHT_SYMTAB, STB_GLOBAL, SectionHeader64, Sym64};
use object::read::elf::{FileHeader, SectionHeader, Sym};

/// Smaller sections stay in the object: they have no huge page.
const LEAST_BYTES: u64 = 2 << 20;

/// Variables that were taken out of an object.
pub struct ZeroedVariables {
    /// The names and addresses.
    addresses: Vec<(String, u64)>,
    /// Only the code that uses the variables reads and writes them.
    _memory: Tensor,
}

impl ZeroedVariables {
    /// Makes the variables of an ELF object undefined symbols, and allocates them. `None`, and an unchanged object, if all are
    /// small, or if a symbol of their section is local, so that code may refer to it without a name.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn take(object: &mut [u8]) -> Result<Option<ZeroedVariables>, String> {
        let Some(found) = ZeroedSection::find(object) else { return Ok(None) };
        let mut memory = Tensor::zeros(ElementType::I8, &[found.bytes])
            .map_err(|error| format!("variables do not fit: {error}"))?;
        let start = memory.bytes_mut().as_mut_ptr().expose_provenance();
        found.take(object);
        let address = |symbol: ZeroedSymbol| (symbol.name, (start + symbol.start) as u64);
        let addresses = found.symbols.into_iter().map(address).collect();
        Ok(Some(ZeroedVariables { addresses, _memory: memory }))
    }

    /// The names and addresses.
    pub fn addresses(&self) -> impl Iterator<Item = (&str, u64)> {
        self.addresses.iter().map(|(name, address)| (name.as_str(), *address))
    }
}

/// The section of variables that are zero.
struct ZeroedSection {
    bytes: usize,
    /// Where its header is in the object.
    header: usize,
    symbols: Vec<ZeroedSymbol>,
}

/// A symbol of this section.
struct ZeroedSymbol {
    name: String,
    /// Where the variable begins in the section.
    start: usize,
    /// Where the entry of the symbol table is in the object.
    entry: usize,
}

impl ZeroedSection {
    /// The section of an object, if all its symbols can be taken. What is no ELF object is reported when it is linked.
    fn find(object: &[u8]) -> Option<ZeroedSection> {
        let header = FileHeader64::<LE>::parse(object).ok()?;
        let sections = header.sections(LE, object).ok()?;
        let is_zeroed = |it: &SectionHeader64<LE>| {
            it.sh_type(LE) == SHT_NOBITS && it.sh_size(LE) >= LEAST_BYTES
        };
        let (index, section) = sections.enumerate().find(|(_, section)| is_zeroed(section))?;
        let table = sections.symbols(LE, object, SHT_SYMTAB).ok()?;
        let entries = sections.section(table.section()).ok()?.sh_offset(LE) as usize;
        let mut symbols = vec![];
        for (i, symbol) in table.enumerate() {
            if usize::from(symbol.st_shndx(LE)) != index.0 {
                continue;
            }
            (symbol.st_bind() == STB_GLOBAL).then_some(())?;
            // The linker refuses a symbol that ends beyond its section.
            let end = symbol.st_value(LE).checked_add(symbol.st_size(LE))?;
            (end <= section.sh_size(LE)).then_some(())?;
            let name = symbol.name(LE, table.strings()).ok()?;
            symbols.push(ZeroedSymbol {
                name: String::from_utf8(name.to_vec()).ok()?,
                start: symbol.st_value(LE) as usize,
                entry: entries + i.0 * size_of::<Sym64<LE>>(),
            });
        }
        let headers = header.e_shoff(LE) as usize;
        Some(ZeroedSection {
            bytes: section.sh_size(LE) as usize,
            header: headers + index.0 * size_of::<SectionHeader64<LE>>(),
            symbols,
        })
    }

    /// Makes the symbols undefined and the section empty.
    fn take(&self, object: &mut [u8]) {
        let mut zero = |start: usize, bytes: usize| object[start..start + bytes].fill(0);
        zero(self.header + std::mem::offset_of!(SectionHeader64<LE>, sh_size), 8);
        for symbol in &self.symbols {
            zero(symbol.entry + std::mem::offset_of!(Sym64<LE>, st_shndx), 2);
            zero(symbol.entry + std::mem::offset_of!(Sym64<LE>, st_value), 8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::write::{Object, StandardSection, Symbol, SymbolSection};
    use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};

    /// An object with two variables of `bytes` bytes, the second of which is global.
    fn object(bytes: u64, first: SymbolScope) -> Vec<u8> {
        let mut object = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
        let section = object.section_id(StandardSection::UninitializedData);
        for (name, scope) in [("first", first), ("second", SymbolScope::Dynamic)] {
            let symbol = object.add_symbol(Symbol {
                name: name.into(),
                value: 0,
                size: 0,
                kind: SymbolKind::Data,
                scope,
                weak: false,
                section: SymbolSection::Undefined,
                flags: SymbolFlags::None,
            });
            object.add_symbol_bss(symbol, section, bytes, 64);
        }
        object.write().expect("an object")
    }

    #[test]
    fn large_variables_become_undefined() {
        const BYTES: u64 = 3 << 20;
        let mut bytes = object(BYTES, SymbolScope::Dynamic);
        let taken = ZeroedVariables::take(&mut bytes).expect("memory").expect("variables");
        let [(first, start), (second, next)] = taken.addresses().collect::<Vec<_>>()[..] else {
            panic!("two variables");
        };
        assert_eq!((first, second, next - start), ("first", "second", BYTES));
        assert!(start.is_multiple_of(LEAST_BYTES));
        assert!(ZeroedVariables::take(&mut bytes).expect("nothing to allocate").is_none());
        let header = FileHeader64::<LE>::parse(&*bytes).expect("ELF");
        let sections = header.sections(LE, &*bytes).expect("sections");
        let table = sections.symbols(LE, &*bytes, SHT_SYMTAB).expect("symbols");
        let globals = table.iter().filter(|symbol| symbol.st_bind() == STB_GLOBAL);
        assert!(globals.map(|symbol| symbol.is_undefined(LE)).eq([true, true]));
    }

    /// A symbol table whose last symbol ends beyond its section.
    fn damaged() -> Vec<u8> {
        let mut bytes = object(3 << 20, SymbolScope::Dynamic);
        let found = ZeroedSection::find(&bytes).expect("variables");
        let size = found.symbols[1].entry + std::mem::offset_of!(Sym64<LE>, st_size);
        bytes[size..size + 8].fill(0xff);
        bytes
    }

    #[test]
    fn small_local_and_damaged_variables_and_other_files_do_not_change() {
        for before in [
            object(1 << 19, SymbolScope::Dynamic),
            object(3 << 20, SymbolScope::Compilation),
            damaged(),
            b"no object".to_vec(),
            vec![],
        ] {
            let mut after = before.clone();
            assert!(ZeroedVariables::take(&mut after).expect("nothing to allocate").is_none());
            assert_eq!(after, before);
        }
    }
}
