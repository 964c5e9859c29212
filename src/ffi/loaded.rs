//! The program and the libraries that this process has loaded.

use std::ffi::{CStr, c_int, c_void};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// `NT_GNU_BUILD_ID`: a note with the digest that the linker has made of a program or library.
const BUILD_ID: u32 = 3;

/// One text for each loaded object. Two builds of an object have different texts: they contain its build id, or, if the linker
/// made none, the path, size and time of its file.
pub fn loaded_objects() -> Vec<String> {
    let mut found: Vec<String> = vec![];
    // SAFETY: `visit` has the type that libc calls, and gets the list, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut found).cast()) };
    found
}

/// Adds the text of an object.
unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: libc passes a description that is live during the call, with a name that ends with NUL and as many headers as
    // it states. `found` is the list of `loaded_objects`.
    unsafe {
        let info = &*info;
        let name = match info.dlpi_name.is_null() {
            true => String::new(),
            false => CStr::from_ptr(info.dlpi_name).to_string_lossy().into_owned(),
        };
        // The kernel's object changes with the kernel, and compiles nothing.
        if !name.starts_with("linux-vdso") {
            let headers = match info.dlpi_phdr.is_null() {
                true => &[],
                false => std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()),
            };
            let notes = headers.iter().filter(|it| it.p_type == libc::PT_NOTE);
            let is_mapped = |it: &&libc::Elf64_Phdr| headers.iter().any(|load| encloses(load, it));
            let id = notes.filter(is_mapped).find_map(|header| {
                let start = (info.dlpi_addr + header.p_vaddr) as usize as *const u8;
                build_id(std::slice::from_raw_parts(start, header.p_filesz as usize))
            });
            (*found.cast::<Vec<String>>()).push(id.unwrap_or_else(|| identity_of_file(&name)));
        }
    }
    0
}

/// True if a segment is loaded from the file, and has all bytes of another one.
fn encloses(load: &libc::Elf64_Phdr, other: &libc::Elf64_Phdr) -> bool {
    let end = |it: &libc::Elf64_Phdr| it.p_vaddr.saturating_add(it.p_filesz);
    load.p_type == libc::PT_LOAD && load.p_vaddr <= other.p_vaddr && end(other) <= end(load)
}

/// The build id among the notes of a segment.
fn build_id(mut notes: &[u8]) -> Option<String> {
    let word = |bytes: &[u8], at: usize| -> Option<u32> {
        Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
    };
    loop {
        let (name, content, kind) = (word(notes, 0)?, word(notes, 4)?, word(notes, 8)?);
        let name_end = 12 + name as usize;
        let start = name_end.next_multiple_of(4);
        let end = start + content as usize;
        if kind == BUILD_ID && notes.get(12..name_end)? == b"GNU\0" {
            return Some(notes.get(start..end)?.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        notes = notes.get(end.next_multiple_of(4)..)?;
    }
}

/// The path, size and time of the file of an object; the program has no name.
fn identity_of_file(name: &str) -> String {
    let path = match name {
        "" => std::env::current_exe().unwrap_or_default(),
        name => Path::new(name).to_owned(),
    };
    let found = fs::metadata(&path).map(|it| (it.size(), it.mtime(), it.mtime_nsec()));
    format!("{} {found:?}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_identified_by_their_builds() {
        let found = loaded_objects();
        // The test program, LLVM and MLIR at least.
        assert!(found.len() >= 3, "{found:?}");
        assert_eq!(found, loaded_objects());
        let mut distinct = found.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), found.len(), "{found:?}");
    }

    #[test]
    fn a_build_id_is_found_behind_other_notes() {
        let note = |kind: u32, name: &[u8], content: &[u8]| {
            let mut note = vec![];
            for word in [name.len() as u32, content.len() as u32, kind] {
                note.extend(word.to_ne_bytes());
            }
            for part in [name, content] {
                note.extend(part);
                note.resize(note.len().next_multiple_of(4), 0);
            }
            note
        };
        let other = note(5, b"GNU\0", &[1; 16]);
        let foreign = note(BUILD_ID, b"Go\0", &[9; 6]);
        let wanted = note(BUILD_ID, b"GNU\0", &[0xab, 0x01, 0xff]);
        let all = [other.clone(), foreign.clone(), wanted.clone()].concat();
        assert_eq!(build_id(&all).as_deref(), Some("ab01ff"));
        assert_eq!(build_id(&[other, foreign].concat()), None);
        assert_eq!(build_id(&all[..all.len() - 4]), None, "it is cut off");
        assert_eq!(build_id(&[]), None);
    }

    #[test]
    fn a_file_without_build_id_is_identified_by_its_time() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let name = file.path().to_string_lossy();
        let before = identity_of_file(&name);
        let time = std::time::SystemTime::UNIX_EPOCH;
        file.as_file().set_modified(time).expect("it is ours");
        assert_ne!(before, identity_of_file(&name));
    }
}
