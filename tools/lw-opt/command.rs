//! The command line of `lw-opt`, except the options of MLIR's driver.

use crate::help;
use crate::log::LogOptions;
use crate::version::version;
use loopwright::schedule::trace::Spelling;
use loopwright::schedule::trace::observer::Duties;
use std::ffi::OsString;

/// The command to run.
pub enum Command {
    /// Print a text.
    Print(String),
    Optimize(Optimize),
    Convert(Convert),
    Minimize(Minimize),
    Space(Space),
    Redraw(Redraw),
    Diff(Diff),
}

/// Run MLIR's driver.
pub struct Optimize {
    /// The arguments for the driver.
    pub arguments: Vec<OsString>,
    /// What to observe of schedule steps and passes.
    pub duties: Duties,
    /// Verify the results of functions after each pass.
    pub numeric: bool,
    /// Print the trace in this spelling.
    pub print_trace: Option<Spelling>,
}

/// Print a trace in a spelling.
pub struct Convert {
    pub spelling: Spelling,
    pub trace: String,
    pub output: Option<String>,
}

/// Print a trace without steps that have no effect.
pub struct Minimize {
    pub trace: String,
    pub module: String,
    pub output: Option<String>,
}

/// Print the sets from which the decisions of a trace are drawn.
pub struct Space {
    pub trace: String,
    pub module: String,
}

/// Print a trace with other decisions.
pub struct Redraw {
    pub trace: String,
    pub seed: i64,
    pub module: String,
    pub output: Option<String>,
}

/// Print the differences of two traces.
pub struct Diff {
    pub traces: [String; 2],
    pub module: Option<String>,
}

impl Command {
    /// Parses the arguments of the process, its name first. The error describes what is wrong with them.
    pub fn parse(arguments: Vec<OsString>) -> Result<(Command, LogOptions), String> {
        let (log, arguments) = without_log(arguments)?;
        Command::of(arguments).map(|command| (command, log))
    }

    fn of(arguments: Vec<OsString>) -> Result<Command, String> {
        let name = |argument: &OsString| {
            let text = argument.to_str().filter(|_| is_flag(argument))?.trim_start_matches('-');
            Some(text.split('=').next().unwrap_or(text).to_owned())
        };
        let names: Vec<String> = arguments.iter().filter_map(name).collect();
        for (flag, read) in [
            ("sched-convert", Words::convert as fn(Words) -> Result<Command, String>),
            ("sched-minimize", Words::minimize),
            ("sched-space", Words::space),
            ("sched-redraw", Words::redraw),
            ("sched-diff", Words::diff),
        ] {
            if names.iter().any(|name| name == flag) {
                return read(Words::of(&arguments)?);
            }
        }
        if names.iter().any(|name| name == "loopwright-help") {
            return Ok(Command::Print(help::own()));
        }
        if names.iter().any(|name| name == "version") {
            return Ok(Command::Print(format!("lw-opt {}\n", version())));
        }
        if names.iter().any(|name| name == "help") {
            print!("{}", help::OPTIONS);
        }
        Optimize::of(arguments).map(Command::Optimize)
    }
}

impl Optimize {
    fn of(arguments: Vec<OsString>) -> Result<Optimize, String> {
        let mut command = Optimize {
            arguments: vec![],
            duties: Duties::default(),
            numeric: false,
            print_trace: None,
        };
        for argument in arguments {
            let text = argument.to_str().filter(|_| is_flag(&argument)).unwrap_or_default();
            let text = text.trim_start_matches('-');
            if text == "sched-verify" {
                command.duties.verifies = true;
            } else if text == "pass-report" {
                command.duties.reports_passes = true;
            } else if let Some(word) = text.strip_prefix("loop-cost=") {
                if word != "delta" {
                    return Err(format!(
                        "found '{word}' for --loop-cost, expected delta or no value"
                    ));
                }
                command.duties.prints_costs = true;
            } else if text == "verify-each=numeric" {
                command.numeric = true;
            } else if let Some(word) = text.strip_prefix("sched-print-trace") {
                let word = word.trim_start_matches('=');
                command.duties.records = true;
                command.print_trace = Some(spelling("sched-print-trace", word)?);
            } else {
                command.arguments.push(with_option_name(argument));
            }
        }
        let is_output =
            |it: &OsString| it.to_str().is_some_and(|text| text == "-o" || text.starts_with("-o="));
        if command.print_trace.is_some() && !command.arguments.iter().any(is_output) {
            command.arguments.extend(["-o".into(), "/dev/null".into()]);
        }
        Ok(command)
    }
}

/// The options of the log, and the other arguments.
fn without_log(arguments: Vec<OsString>) -> Result<(LogOptions, Vec<OsString>), String> {
    let (mut log, mut others) = (LogOptions::default(), vec![]);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_str().filter(|_| is_flag(&argument)).unwrap_or_default();
        let text = text.trim_start_matches('-');
        let (flag, value) = text.split_once('=').map_or((text, None), |(a, b)| (a, Some(b)));
        if !matches!(flag, "log" | "trace-out") {
            others.push(argument);
            continue;
        }
        let value = value.map(OsString::from).or_else(|| arguments.next());
        let value = value.ok_or_else(|| format!("--{flag} has no value"))?;
        match flag {
            "log" => log.log = Some(value.to_string_lossy().into_owned()),
            _ => log.trace_out = Some(value.into()),
        }
    }
    Ok((log, others))
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

/// The words of a command that is not passed to MLIR's driver.
struct Words {
    flags: Vec<(String, Option<String>)>,
    files: Vec<String>,
}

impl Words {
    fn of(arguments: &[OsString]) -> Result<Words, String> {
        let mut words = Words { flags: vec![], files: vec![] };
        let mut arguments = arguments.iter().skip(1);
        while let Some(argument) = arguments.next() {
            let text = argument.to_str().ok_or("an argument is not valid text")?;
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
                    let file = file.ok_or("-o has no file name")?.to_owned();
                    words.flags.push(("o".into(), Some(file)));
                }
                None => words.flags.push((text.to_owned(), None)),
            }
        }
        Ok(words)
    }

    /// Removes a flag and returns its value.
    fn take(&mut self, flag: &str) -> Result<Option<String>, String> {
        let Some(place) = self.flags.iter().position(|(name, _)| name == flag) else {
            return Ok(None);
        };
        let (_, value) = self.flags.remove(place);
        value.map(Some).ok_or_else(|| format!("--{flag} has no value"))
    }

    /// The files; an error if a flag is left.
    fn finish(self, what: &str) -> Result<Vec<String>, String> {
        match self.flags.first() {
            Some((flag, _)) => Err(format!("--{flag} has no effect with --{what}")),
            None => Ok(self.files),
        }
    }

    fn convert(mut self) -> Result<Command, String> {
        let flag = "sched-convert";
        let word = self.take(flag)?.unwrap_or_default();
        let spelling = spelling(flag, &word)?;
        let output = self.take("o")?;
        let [trace] = <[String; 1]>::try_from(self.finish(flag)?)
            .map_err(|found| files(flag, "a trace", found.len()))?;
        Ok(Command::Convert(Convert { spelling, trace, output }))
    }

    fn minimize(mut self) -> Result<Command, String> {
        let flag = "sched-minimize";
        let trace = self.take(flag)?.unwrap_or_default();
        let output = self.take("o")?;
        let [module] = <[String; 1]>::try_from(self.finish(flag)?)
            .map_err(|found| files(flag, "a trace and a module", found.len() + 1))?;
        Ok(Command::Minimize(Minimize { trace, module, output }))
    }

    fn space(mut self) -> Result<Command, String> {
        let flag = "sched-space";
        let trace = self.take(flag)?.unwrap_or_default();
        let [module] = <[String; 1]>::try_from(self.finish(flag)?)
            .map_err(|found| files(flag, "a trace and a module", found.len() + 1))?;
        Ok(Command::Space(Space { trace, module }))
    }

    fn redraw(mut self) -> Result<Command, String> {
        let flag = "sched-redraw";
        let trace = self.take(flag)?.unwrap_or_default();
        let seed = self.take("seed")?.unwrap_or_default();
        let seed =
            seed.parse().map_err(|_| format!("'{seed}' for --seed is not a whole number"))?;
        let output = self.take("o")?;
        let [module] = <[String; 1]>::try_from(self.finish(flag)?)
            .map_err(|found| files(flag, "a trace and a module", found.len() + 1))?;
        Ok(Command::Redraw(Redraw { trace, seed, module, output }))
    }

    fn diff(mut self) -> Result<Command, String> {
        let flag = "sched-diff";
        self.flags.retain(|(name, value)| name != flag || value.is_some());
        let mut found = self.finish(flag)?;
        if !(2..=3).contains(&found.len()) {
            return Err(files(flag, "two traces and, if given, a module", found.len()));
        }
        let module = if found.len() == 3 { found.pop() } else { None };
        let traces = <[String; 2]>::try_from(found).expect("two are left");
        Ok(Command::Diff(Diff { traces, module }))
    }
}

fn files(flag: &str, expected: &str, found: usize) -> String {
    format!("--{flag} takes {expected}, found {found} files")
}

fn spelling(flag: &str, word: &str) -> Result<Spelling, String> {
    Spelling::from_word(word)
        .ok_or_else(|| format!("found '{word}' for --{flag}, expected one of script, json, rust"))
}
