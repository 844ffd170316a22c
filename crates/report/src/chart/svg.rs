//! A drawing under construction.

use crate::text::html;
use std::fmt::Write as _;

/// An SVG element whose text is read out: `role="img"`, labelled by its title and description.
pub(super) struct Svg {
    body: String,
    width: f64,
    height: f64,
}

/// How a text is anchored.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    /// An empty drawing; lengths are in its own units, it grows with the page.
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self {
            body: String::new(),
            width,
            height,
        }
    }

    pub(super) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let _ = write!(
            self.body,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
    }

    pub(super) fn dot(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        let _ = write!(
            self.body,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>"
        );
    }

    pub(super) fn rect(&mut self, class: &str, (x, y): (f64, f64), (w, h): (f64, f64)) {
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\"/>"
        );
    }

    /// An open line (`polyline`) or a closed area (`polygon`).
    pub(super) fn path(&mut self, closed: bool, class: &str, points: &[(f64, f64)]) {
        let tag = if closed { "polygon" } else { "polyline" };
        let _ = write!(self.body, "<{tag} class=\"{class}\" points=\"");
        for (i, (x, y)) in points.iter().enumerate() {
            let _ = write!(self.body, "{}{x:.1},{y:.1}", if i > 0 { " " } else { "" });
        }
        self.body.push_str("\"/>");
    }

    pub(super) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = write!(
            self.body,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            html(text)
        );
    }

    /// The element; `id` is unique on the page.
    pub(super) fn finish(self, id: &str, title: &str, description: &str) -> String {
        format!(
            "<svg viewBox=\"0 0 {:.0} {:.0}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\" \
             xmlns=\"http://www.w3.org/2000/svg\"><title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>{}</svg>",
            self.width,
            self.height,
            html(title),
            html(description),
            self.body
        )
    }
}
