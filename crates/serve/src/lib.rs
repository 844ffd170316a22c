//! The bots for servers in any language: views in, one JSON object a line; decisions out, one JSON
//! object a line, in order. See [`answer`] for the fields.

pub mod answer;
mod envelope;
mod list;

use answer::{Desk, Settings};
use anyhow::Context;
use clap::Parser;
use evenhand_bot::{GAMES, Served, Verb, dispatch, policies};
use evenhand_cli::Exit;
use evenhand_cli::spec::nearest;
use std::io::{BufRead, ErrorKind, Write};

/// Reads views, one JSON object a line, and answers each with a decision on a line of its own
#[derive(Parser, Clone, Debug)]
#[command(
    name = "decide",
    version,
    after_help = "Example:\n  decide --game lexio --policy hard --explain < views.jsonl\n\n\
        A line that is no view, or a view of a table for which the policy has nothing frozen, is answered by\n\
        {\"error\":\"...\",\"line\":7}, and the next line goes on.\n\n\
        Exit codes: 0 every line was answered by a decision, 3 usage or input error (of a line, too),\n\
        70 internal fault."
)]
pub struct Args {
    /// Print the policies of each game and exit
    #[arg(long)]
    pub list: bool,
    /// The game
    #[arg(long, required_unless_present = "list")]
    pub game: Option<String>,
    /// The policy, as `--list` prints it
    #[arg(long, required_unless_present = "list")]
    pub policy: Option<String>,
    /// Add the plan, every legal play, and each candidate with its terms
    #[arg(long)]
    pub explain: bool,
    /// Work units that one decision may use; the game's own limit if left out
    #[arg(long, value_name = "UNITS")]
    pub work_limit: Option<u64>,
    /// Milliseconds that one decision may take before the fallback decides; decisions then depend
    /// on the machine
    #[arg(long, value_name = "MS")]
    pub deadline_ms: Option<u64>,
    /// With --list: print JSON
    #[arg(long, requires = "list")]
    pub json: bool,
}

/// Runs the command on standard input and output.
///
/// # Errors
/// An unknown game or policy, and failures of input or output.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    if args.list {
        let text = if args.json {
            list::json()?
        } else {
            list::text()
        };
        evenhand_cli::print(&text)?;
        return Ok(Exit::Holds);
    }
    // clap has seen to it that both are there.
    let (game, policy) = (
        args.game.unwrap_or_default(),
        args.policy.unwrap_or_default(),
    );
    let settings = Settings {
        policy,
        explain: args.explain,
        work_limit: args.work_limit,
        deadline_ms: args.deadline_ms,
    };
    match dispatch(&game, Serve(settings)) {
        Some(result) => result,
        None => {
            let hint = match nearest(&game, GAMES.iter().copied()) {
                Some(near) => format!(", did you mean {near:?}?"),
                None => String::new(),
            };
            anyhow::bail!("no game {game:?}{hint}; there are: {}", GAMES.join(", "))
        }
    }
}

struct Serve(Settings);

impl Verb for Serve {
    type Out = anyhow::Result<Exit>;

    fn run<G: Served>(self) -> Self::Out {
        let served: Vec<&str> = policies()
            .into_iter()
            .filter(|listed| listed.game == G::NAME)
            .map(|listed| listed.policy)
            .collect();
        if !served.contains(&self.0.policy.as_str()) {
            let hint = match nearest(&self.0.policy, served.iter().copied()) {
                Some(near) => format!(", did you mean {near:?}?"),
                None => String::new(),
            };
            anyhow::bail!(
                "{} has no policy {:?}{hint}; there are: {}",
                G::NAME,
                self.0.policy,
                served.join(", ")
            );
        }
        let mut desk = Desk::<G>::new(self.0);
        let all_read = answer_lines(&mut desk, std::io::stdin().lock(), std::io::stdout().lock())?;
        Ok(if all_read { Exit::Holds } else { Exit::Usage })
    }
}

/// Answers every line of `input`; tells whether each was a view. Each answer is flushed, since the
/// server waits for it. A reader that went away ends the work in silence.
///
/// # Errors
/// Failures of input or output.
pub fn answer_lines<G: Served>(
    desk: &mut Desk<G>,
    mut input: impl BufRead,
    mut output: impl Write,
) -> anyhow::Result<bool> {
    let (mut line, mut all_read) = (Vec::new(), true);
    let mut read = 0;
    for number in 1.. {
        line.clear();
        if input
            .read_until(b'\n', &mut line)
            .context("standard input")?
            == 0
        {
            break;
        }
        read = number;
        // A Windows editor's mark is no part of the first view.
        let view = match line.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) if number == 1 => rest,
            _ => &line,
        };
        let (mut text, is_view) = desk.answer(view, number);
        all_read &= is_view;
        text.push('\n');
        let written = output
            .write_all(text.as_bytes())
            .and_then(|()| output.flush());
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            written => written.context("standard output")?,
        }
    }
    if read == 0 {
        evenhand_cli::note("standard input held no view");
    }
    Ok(all_read)
}
