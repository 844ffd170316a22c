//! Whole-system tests live in `system/`.
