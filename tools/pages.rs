//! The man page of a tool, and its completions for bash, zsh and fish: they are generated from the command line, and
//! committed.

use crate::Options;
use crate::committed::assert_up_to_date;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

/// The command line of this tool, with a version that does not depend on the commit.
fn command() -> Command {
    Options::command().version(env!("CARGO_PKG_VERSION"))
}

/// Renders the man page.
fn page() -> String {
    let mut text = vec![];
    Man::new(command()).render(&mut text).expect("a vector can be written");
    String::from_utf8(text).expect("a man page is text")
}

/// Generates the completions for a shell.
fn completions(shell: Shell) -> String {
    let mut text = vec![];
    clap_complete::generate(shell, &mut command(), command().get_name(), &mut text);
    String::from_utf8(text).expect("completions are text")
}

/// The options that `--help` lists, each with its flag as the man page and the completions spell it.
fn flags() -> Vec<String> {
    let mut command = command();
    command.build();
    let shown = command.get_arguments().filter(|it| !it.is_hide_set());
    shown.filter_map(Arg::get_long).map(str::to_owned).collect()
}

#[test]
fn the_man_page_has_each_option() {
    let (name, page) = (command().get_name().to_owned(), page());
    for flag in flags() {
        let spelling = format!("\\-\\-{}", flag.replace('-', "\\-"));
        assert!(page.contains(&spelling), "{flag} is not in the man page");
    }
    assert_up_to_date(&format!("tools/man/{name}.1"), &page);
}

#[test]
fn the_completions_have_each_option() {
    let name = command().get_name().to_owned();
    for (shell, file, prefix) in [
        (Shell::Bash, format!("bash/{name}"), "--"),
        (Shell::Zsh, format!("zsh/_{name}"), "--"),
        (Shell::Fish, format!("fish/{name}.fish"), "-l "),
    ] {
        let text = completions(shell);
        for flag in flags() {
            assert!(
                text.contains(&format!("{prefix}{flag}")),
                "{flag} is not completed by {shell}"
            );
        }
        assert_up_to_date(&format!("tools/completions/{file}"), &text);
    }
}
