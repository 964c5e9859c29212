//! The description of this machine: a file that is given, or the one that is kept, or a measurement, which is then kept.
//!
//! ```text
//! $LOOPWRIGHT_MACHINE                                    a file with measurements to use instead of one's own
//! $XDG_CACHE_HOME/loopwright/machine-4f0c..e1.json       kept; without the variable, in $HOME/.cache
//! ```
//! The digits are the digest of what the system reports. If that changes, the machine is measured again.

use super::{Caches, CpuTarget, Description, probe};
use loopwright_runtime::{replace, user_cache};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread::available_parallelism;
use tracing::{info, warn};

/// The directory in which Linux describes the caches of the first core.
const CACHES: &str = "/sys/devices/system/cpu/cpu0/cache";

/// Increased when a measurement means something else than before.
const VERSION: u32 = 2;

/// This machine: what the environment variable LOOPWRIGHT_MACHINE names, or what an earlier process has measured and
/// kept, or what is measured now, in about 0.4 s. Its result is the same for the whole process.
///
/// # Errors
/// If the file of the variable cannot be read, is no description, or is of another processor; if there is no memory to
/// measure in.
pub fn describe_host() -> Result<&'static Description, String> {
    static DESCRIPTION: LazyLock<Result<Description, String>> =
        LazyLock::new(|| match env::var_os("LOOPWRIGHT_MACHINE").filter(|path| !path.is_empty()) {
            Some(path) => given(Path::new(&path)),
            None => kept_or_measured(user_cache::folder().as_deref()),
        });
    DESCRIPTION.as_ref().map_err(Clone::clone)
}

/// The number of cores that this process may use.
pub fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// The description in a file, which must be of this machine's processor.
fn given(path: &Path) -> Result<Description, String> {
    let error = |message| format!("LOOPWRIGHT_MACHINE: {message}");
    let described = Description::read(path).map_err(error)?;
    let host = CpuTarget::host();
    if let Some(cpu) = described.cpu.as_ref().filter(|cpu| **cpu != host.cpu) {
        return Err(error(format!(
            "{} describes processor {cpu}, and this machine has {}",
            path.display(),
            host.cpu
        )));
    }
    let sorted = |features: &str| features.split(',').map(str::to_owned).collect::<BTreeSet<_>>();
    match described.features.as_ref().filter(|it| sorted(it) != sorted(&host.features)) {
        Some(_) => Err(error(format!(
            "{} describes a processor with other features than this machine's",
            path.display()
        ))),
        None => Ok(described),
    }
}

/// The description that a folder has of this machine, or a measurement, which is then written there. A folder that cannot
/// be written costs only the time to measure again.
fn kept_or_measured(folder: Option<&Path>) -> Result<Description, String> {
    let (host, caches, cores) = (CpuTarget::host(), Caches::read(Path::new(CACHES)), cores());
    let path = folder.map(|folder| {
        let identity = format!("{VERSION} {host:?} {caches:?} {cores}");
        let digest = Sha256::digest(identity);
        let digits: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        folder.join(format!("machine-{digits}.json"))
    });
    if let Some(kept) = path.as_ref().and_then(|path| Description::read(path).ok()) {
        return Ok(kept);
    }
    let measured = probe::measure(&host, caches, cores)?;
    info!(target: "loopwright::machine", machine = %measured.summary(), "measured");
    let keep = |path: &PathBuf| {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
            replace::remove_abandoned(folder);
        }
        replace::file(path, |mut file| file.write_all(measured.text().as_bytes()))
    };
    if let Some(Err(error)) = path.as_ref().map(keep) {
        warn!(target: "loopwright::machine", %error, "the measurement is not kept");
    }
    Ok(measured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_is_kept_and_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new");
        let measured = kept_or_measured(Some(&path)).expect("there is memory");
        let files: Vec<_> = fs::read_dir(&path).expect("it is a folder").flatten().collect();
        assert_eq!(files.len(), 1);
        let changed = Description { streaming_from_bytes: Some(12345), ..measured };
        fs::write(files[0].path(), changed.text()).expect("it is a file");
        assert_eq!(kept_or_measured(Some(&path)), Ok(changed));
        fs::write(files[0].path(), "{").expect("it is a file");
        assert!(kept_or_measured(Some(&path)).is_ok_and(|it| it.rates.is_some()), "damaged");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_error() {
        assert!(kept_or_measured(Some(Path::new("/proc/none"))).is_ok());
    }

    #[test]
    fn a_given_file_must_be_of_this_processor() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(&file, "{\"cores\": 3}").expect("it is a file");
        assert_eq!(given(file.path()).map(|it| it.cores), Ok(3));
        fs::write(&file, "{\"cpu\": \"i486\", \"cores\": 3}").expect("it is a file");
        let error = given(file.path()).expect_err("it is old");
        let features = Description {
            cpu: Some(CpuTarget::host().cpu),
            features: Some("+none".into()),
            cores: 3,
            caches: None,
            streaming_from_bytes: None,
            rates: None,
        };
        fs::write(&file, features.text()).expect("it is a file");
        assert!(given(file.path()).is_err_and(|it| it.contains("with other features")));
        let own = Description { features: Some(CpuTarget::host().features), ..features };
        fs::write(&file, own.text()).expect("it is a file");
        assert_eq!(given(file.path()), Ok(own));
        assert!(error.contains("describes processor i486, and this machine has "), "{error}");
    }
}
