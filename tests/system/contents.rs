//! A test file that nobody names is never run: this notices.

use std::fs;

#[test]
fn every_file_is_in_the_table_of_contents() {
    let folder = evenhand_tests::root().join("tests/system");
    let main = fs::read_to_string(folder.join("main.rs")).expect("main.rs is readable");
    for entry in fs::read_dir(&folder).expect("the folder is readable") {
        let name = entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("UTF-8");
        let Some(module) = name.strip_suffix(".rs").filter(|m| *m != "main") else {
            continue;
        };
        assert!(
            main.contains(&format!("mod {module};")),
            "main.rs does not name {name}"
        );
        assert!(
            main.contains(&format!("`{name}`")),
            "main.rs's table does not list {name}"
        );
    }
}
