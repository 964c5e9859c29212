//! The command line, as far as it is not that of MLIR's driver.

use loopwright::schedule::trace::Spelling;
use std::ffi::OsString;

/// Printed before the driver's own help.
const HELP: &str = "\
Traces of schedules, which are files of a transform script (plain: only steps by name) or of JSON:
  lw-opt MODULE --sched-apply=FILE
      Apply a trace, in its place among the other passes.
  lw-opt --sched-convert=(script|json|rust) FILE [-o FILE]
      Print a trace in a spelling.

";

/// What to do.
pub enum Command {
    /// Run MLIR's driver with these arguments.
    Optimize(Vec<OsString>),
    Convert(Convert),
}

/// Print a trace in a spelling.
pub struct Convert {
    pub spelling: Spelling,
    pub trace: String,
    pub output: Option<String>,
}

impl Command {
    /// Reads the arguments of the process, its name first. The error is what is wrong with them.
    pub fn parse(arguments: Vec<OsString>) -> Result<Command, String> {
        let mode = |argument: &OsString| {
            let text = argument.to_str()?.trim_start_matches('-').split_once('=')?.0;
            (text == "sched-convert" && is_flag(argument)).then_some(())
        };
        if arguments.iter().find_map(mode).is_some() {
            return Words::of(&arguments)?.convert();
        }
        if arguments.iter().any(|argument| argument == "--help" || argument == "-help") {
            print!("{HELP}");
        }
        Ok(Command::Optimize(arguments.into_iter().map(with_option_name).collect()))
    }
}

/// `--sched-apply=FILE` is short for the pass with that option.
fn with_option_name(argument: OsString) -> OsString {
    let file = argument.to_str().filter(|_| is_flag(&argument)).and_then(|text| {
        let file = text.trim_start_matches('-').strip_prefix("sched-apply=")?;
        (!file.starts_with("trace=") && !file.starts_with("explain")).then_some(file)
    });
    match file {
        Some(file) => format!("--sched-apply=trace=\"{file}\"").into(),
        None => argument,
    }
}

fn is_flag(argument: &OsString) -> bool {
    argument.to_str().is_some_and(|text| text.starts_with('-') && text != "-")
}

/// The words of a command that is not for MLIR's driver.
struct Words {
    flags: Vec<(String, Option<String>)>,
    files: Vec<String>,
}

impl Words {
    fn of(arguments: &[OsString]) -> Result<Words, String> {
        let mut words = Words { flags: vec![], files: vec![] };
        let mut arguments = arguments.iter().skip(1);
        while let Some(argument) = arguments.next() {
            let text = argument.to_str().ok_or("an argument is no text")?;
            if !is_flag(argument) {
                words.files.push(text.to_owned());
                continue;
            }
            let text = text.trim_start_matches('-');
            match text.split_once('=') {
                Some((flag, value)) => {
                    words.flags.push((flag.to_owned(), Some(value.to_owned())));
                }
                None if text == "o" => {
                    let file = arguments.next().and_then(|file| file.to_str());
                    let file = file.ok_or("-o names no file")?.to_owned();
                    words.flags.push(("o".into(), Some(file)));
                }
                None => words.flags.push((text.to_owned(), None)),
            }
        }
        Ok(words)
    }

    /// The value of a flag, which is then known.
    fn take(&mut self, flag: &str) -> Result<Option<String>, String> {
        let Some(place) = self.flags.iter().position(|(name, _)| name == flag) else {
            return Ok(None);
        };
        let (_, value) = self.flags.remove(place);
        value.map(Some).ok_or_else(|| format!("--{flag} has no value"))
    }

    /// Nothing may be left over.
    fn finish<const N: usize>(self, what: &str) -> Result<[String; N], String> {
        if let Some((flag, _)) = self.flags.first() {
            return Err(format!("--{flag} has no meaning beside --{what}"));
        }
        let found = self.files.len();
        self.files.try_into().map_err(|_| format!("--{what} takes {N} file(s), found {found}"))
    }

    fn convert(mut self) -> Result<Command, String> {
        let word = self.take("sched-convert")?.unwrap_or_default();
        let spelling = spelling("sched-convert", &word)?;
        let output = self.take("o")?;
        let [trace] = self.finish("sched-convert")?;
        Ok(Command::Convert(Convert { spelling, trace, output }))
    }
}

fn spelling(flag: &str, word: &str) -> Result<Spelling, String> {
    Spelling::from_word(word)
        .ok_or_else(|| format!("'{word}' for --{flag}, expected one of script, json, rust"))
}
