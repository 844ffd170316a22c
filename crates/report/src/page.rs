//! A page of headings, tables and positions for whoever has no [`crate::ReportInput`]: the same look, three renderings.

use crate::input::Position;
use crate::{html, markdown, text};
use evenhand_artifact::Verdict;
use std::fmt::Write as _;

/// What stands on a page, from top to bottom. All texts are plain; each rendering escapes them.
#[derive(Clone, Debug)]
pub enum Block {
    /// A heading.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A table; a heading that begins with `#` is a column of numbers.
    Table {
        /// Headings.
        head: &'static [&'static str],
        /// Rows, each as long as the heading.
        rows: Vec<Vec<String>>,
    },
    /// Positions, drawn as hands.
    Positions(Vec<Position>),
}

/// A page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its heading.
    pub title: String,
    /// The verdict over all, if there is one.
    pub verdict: Option<Verdict>,
    /// One sentence that says what there is to know.
    pub headline: String,
    /// The rest.
    pub blocks: Vec<Block>,
}

/// A verdict's sign and word.
#[must_use]
pub fn verdict_text(verdict: Verdict) -> String {
    format!("{} {}", text::mark(verdict), verdict.name())
}

impl Page {
    /// Plain text for a terminal, without control codes.
    #[must_use]
    pub fn text(&self) -> String {
        let mut page = format!("{}\n", plain(&self.title));
        if let Some(v) = self.verdict {
            let _ = writeln!(page, "{}", verdict_text(v));
        }
        let _ = writeln!(page, "{}", plain(&self.headline));
        for block in &self.blocks {
            page.push('\n');
            match block {
                Block::Heading(text) => {
                    let text = plain(text);
                    let _ = writeln!(page, "{text}\n{}", "-".repeat(text.chars().count()));
                }
                Block::Text(text) => {
                    let _ = writeln!(page, "{}", plain(text));
                }
                Block::Table { head, rows } => page += &columns(head, rows),
                Block::Positions(list) => list.iter().for_each(|p| page += &position(p)),
            }
        }
        page
    }

    /// Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let esc = text::markdown;
        let mut page = format!("# {}\n\n", esc(&self.title));
        if let Some(v) = self.verdict {
            let _ = writeln!(page, "**{}**\n", verdict_text(v));
        }
        let _ = writeln!(page, "{}\n", esc(&self.headline));
        for block in &self.blocks {
            match block {
                Block::Heading(text) => {
                    let _ = writeln!(page, "## {}\n", esc(text));
                }
                Block::Text(text) => {
                    let _ = writeln!(page, "{}\n", esc(text));
                }
                Block::Table { head, rows } => {
                    let rows = rows.iter().map(|row| row.iter().map(|c| esc(c)).collect());
                    page += &markdown::table(head, rows);
                }
                Block::Positions(list) => list.iter().for_each(|p| page += &markdown::position(p)),
            }
        }
        page.truncate(page.trim_end().len());
        page + "\n"
    }

    /// One offline HTML file.
    #[must_use]
    pub fn html(&self) -> String {
        let esc = text::html;
        let mut page = html::opening(&self.title);
        if let Some(v) = self.verdict {
            let _ = writeln!(page, "<p>{}</p>", html::badge(v));
        }
        let _ = writeln!(page, "<p class=\"headline\">{}</p>", esc(&self.headline));
        for block in &self.blocks {
            match block {
                Block::Heading(text) => {
                    let _ = writeln!(page, "<h2>{}</h2>", esc(text));
                }
                Block::Text(text) => {
                    let _ = writeln!(page, "<p>{}</p>", esc(text));
                }
                Block::Table { head, rows } => {
                    let rows = rows.iter().map(|row| row.iter().map(|c| esc(c)).collect());
                    page += &html::table(head, rows);
                }
                Block::Positions(list) => {
                    let each: String = list.iter().map(html::position).collect();
                    let _ = writeln!(page, "<div class=\"positions\">\n{each}</div>");
                }
            }
        }
        page + html::CLOSING
    }
}

/// A line without control characters.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// A table with its columns under each other.
fn columns(head: &[&str], rows: &[Vec<String>]) -> String {
    let names: Vec<String> = head
        .iter()
        .map(|h| h.trim_start_matches('#').to_owned())
        .collect();
    let named = names.iter().any(|n| !n.is_empty()).then_some(names);
    let lines: Vec<Vec<String>> = named
        .into_iter()
        .chain(rows.iter().cloned())
        .map(|row| row.iter().map(|cell| plain(cell)).collect())
        .collect();
    let width = |i: usize| {
        let cells = lines.iter().filter_map(|row| row.get(i));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut out = String::new();
    for row in &lines {
        let mut line = String::new();
        for ((cell, width), head) in row.iter().zip(&widths).zip(head) {
            let space = " ".repeat(width - cell.chars().count());
            let _ = match head.starts_with('#') {
                true => write!(line, "  {space}{cell}"),
                false => write!(line, "  {cell}{space}"),
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

fn position(p: &Position) -> String {
    let gain = p
        .gain
        .map(|g| format!(" ({g:+} points in that round)"))
        .unwrap_or_default();
    let mut out = format!("  {}{gain}\n", plain(&p.place));
    for (name, value) in &p.fields {
        let _ = writeln!(out, "    {}: {}", plain(name), plain(value));
    }
    let (candidate, incumbent) = (plain(&p.candidate), plain(&p.incumbent));
    let _ = writeln!(out, "    candidate: {candidate}; incumbent: {incumbent}");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        Page {
            title: "a <b>\u{1b}[31m".to_owned(),
            verdict: Some(Verdict::Fails),
            headline: "what | is".to_owned(),
            blocks: vec![
                Block::Heading("Numbers".to_owned()),
                Block::Table {
                    head: &["name", "#value"],
                    rows: vec![
                        vec!["é".to_owned(), "1".to_owned()],
                        vec!["long".to_owned(), "-100".to_owned()],
                    ],
                },
                Block::Positions(vec![Position {
                    place: "seed 1".to_owned(),
                    fields: vec![("hand".to_owned(), "3C 12D".to_owned())],
                    candidate: "3C".to_owned(),
                    incumbent: "pass".to_owned(),
                    gain: Some(4),
                }]),
            ],
        }
    }

    #[test]
    fn text_has_columns_and_no_control_codes() {
        let text = page().text();
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(
            text.contains("  name  value\n  é         1\n  long   -100\n"),
            "{text}"
        );
        assert!(text.contains("seed 1 (+4 points in that round)\n    hand: 3C 12D\n"));
    }

    #[test]
    fn markup_is_escaped_and_hands_are_drawn() {
        let (markdown, html) = (page().markdown(), page().html());
        assert!(markdown.contains("# a &lt;b&gt;") && markdown.contains("what \\| is"));
        assert!(markdown.contains("| --- | --: |"), "{markdown}");
        assert!(html.contains("a &lt;b&gt;") && !html.contains("<b>\u{1b}"));
        assert!(html.contains("class=\"tiles\"") && html.ends_with("</html>\n"));
    }
}
