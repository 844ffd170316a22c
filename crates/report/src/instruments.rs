//! What the instruments left beside the records of an experiment.

use crate::input::Ablation;
use evenhand_artifact::{ArtifactError, KnobValue, Value, canonical};
use evenhand_stats::{Estimate, Pairing};

/// The lines of an ablation's record, in its order (by harm); `None` when it is of other weights or another table than
/// these, or not such a record.
///
/// # Errors
/// When the bytes are no canonical document; `file` names them.
pub fn ablations(
    file: &str,
    bytes: &[u8],
    knobs: &[KnobValue],
    tables: &[String],
) -> Result<Option<Vec<Ablation>>, ArtifactError> {
    let value = canonical::parse(file, bytes)?;
    let text = |name: &str| value.get(name).and_then(Value::as_text);
    let known = text("format") == Some("evenhand-ablation/1");
    let own = value
        .get("knobs")
        .and_then(Value::as_list)
        .is_some_and(|list| {
            let named = list.iter().map(|knob| {
                let name = knob.get("name").and_then(Value::as_text);
                name.zip(knob.get("value").and_then(Value::as_int))
            });
            named.eq(knobs.iter().map(|k| Some((k.name.as_str(), k.value))))
        });
    let same_table = match tables {
        [] => true,
        [one, ..] => text("table") == Some(one.as_str()),
    };
    if !(known && own && same_table) {
        return Ok(None);
    }
    let lines = value.get("ablation").and_then(|a| a.get("lines"));
    let lines = lines.and_then(Value::as_list).unwrap_or(&[]);
    Ok(Some(lines.iter().filter_map(line).collect()))
}

fn line(line: &Value) -> Option<Ablation> {
    let name = line.get("name")?.as_text()?;
    let difference = line.get("difference")?;
    let unchanged = line.get("finding")?.as_text()? == "no-decision-changed";
    Some(Ablation {
        name: match line.get("what")?.as_text()? {
            "knob" => format!("{name} = 0"),
            "also" => name.to_owned(),
            _ => format!("without {name}"),
        },
        estimate: estimate(difference.get("estimate")?)?,
        pairing: Pairing::Paired,
        adjusted_p_ppm: difference
            .get("holm_ppm")
            .and_then(Value::as_int)
            .and_then(|p| u32::try_from(p).ok()),
        flags: if unchanged {
            vec!["no decision changed".to_owned()]
        } else {
            Vec::new()
        },
    })
}

fn estimate(value: &Value) -> Option<Estimate> {
    let int = |name: &str| value.get(name).and_then(Value::as_int);
    let ends = value.get("interval_micro").and_then(Value::as_list);
    Some(Estimate {
        n: int("n")?.try_into().ok()?,
        mean_micro: int("mean_micro")?,
        interval_micro: ends.and_then(|ends| match ends {
            [low, high] => low.as_int().zip(high.as_int()),
            _ => None,
        }),
        sd_micro: int("sd_micro"),
    })
}
