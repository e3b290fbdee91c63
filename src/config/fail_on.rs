//! The threshold from which a run fails: on the command line and in `crdlint.yaml` the same words.

use clap::ValueEnum;

use crate::finding::Severity;

/// From which severity on a run fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors.
    #[default]
    Error,
    /// Warnings and errors.
    Warning,
    /// Anything.
    Note,
    /// Findings never make it fail.
    Never,
}

impl FailOn {
    /// The words, in the order of the enum.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("error", Self::Error),
        ("warning", Self::Warning),
        ("note", Self::Note),
        ("never", Self::Never),
    ];

    /// Whether a finding of this severity makes the run fail.
    pub fn fails(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity >= Severity::Error,
            Self::Warning => severity >= Severity::Warning,
            Self::Note => true,
            Self::Never => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_file_are_those_of_the_command_line() {
        let words = FailOn::value_variants().iter().map(|v| v.to_possible_value().unwrap());
        let words: Vec<_> = words.map(|value| value.get_name().to_owned()).collect();
        assert_eq!(words, FailOn::WORDS.map(|(word, _)| word));
        for (word, value) in FailOn::WORDS {
            assert_eq!(FailOn::from_str(word, false), Ok(value));
        }
    }
}
