//! The words that a rule file may use for its category, subject, installers, severity and fix.
//!
//! `build.rs` includes this file to read `rules/*.yaml`, so it uses nothing of the crate. A word is written here once;
//! a test holds `rules/schema.json` to it.

use serde::Deserialize;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $( $(#[$word_doc:meta])* $variant:ident = $word:literal, )* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        pub enum $name {
            $( $(#[$word_doc])* #[serde(rename = $word)] $variant, )*
        }

        impl $name {
            /// Every word there is, in the order of the enum.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word as rule files and JSON write it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

words! {
    /// What is at stake.
    Category {
        /// Objects or their data are deleted or silently lost.
        DataLoss = "data-loss",
        /// A version of Kubernetes, Helm or a client refuses or misreads it.
        Compatibility = "compatibility",
        /// Things are applied in an order in which they fail.
        Ordering = "ordering",
        /// A permission is missing, or too wide.
        Access = "access",
        /// What runs differs from what git says.
        Drift = "drift",
        /// A size limit of Kubernetes or of an installer is near or passed.
        Size = "size",
        /// Nothing breaks by it, but somebody is misled.
        Hygiene = "hygiene",
        /// The input could not be read as it was meant; reported by the engine itself.
        Engine = "engine",
    }
}

words! {
    /// What a rule looks at.
    Subject {
        /// Any text that was read.
        File = "file",
        /// A Kubernetes object.
        Object = "object",
        /// A `CustomResourceDefinition`.
        Crd = "crd",
        /// A Helm chart.
        Chart = "chart",
        /// An Argo CD `Application`.
        Application = "application",
        /// A Flux `HelmRelease`.
        HelmRelease = "helm-release",
        /// A kustomization, Flux's or kustomize's.
        Kustomization = "kustomization",
        /// The repository as a whole.
        Repo = "repo",
        /// A change between two versions of a CRD.
        Change = "change",
    }
}

words! {
    /// Whose behaviour makes it fail.
    Installer {
        /// Helm 3.
        Helm3 = "helm3",
        /// Helm 4.
        Helm4 = "helm4",
        /// Argo CD.
        Argocd = "argocd",
        /// Flux.
        Flux = "flux",
    }
}

words! {
    /// The highest severity of a rule.
    Level {
        /// Goes wrong.
        Error = "error",
        /// Goes wrong for some users, or later.
        Warning = "warning",
        /// Worth knowing.
        Note = "note",
    }
}

words! {
    /// Whether `--fix` can mend it.
    Fixable {
        /// It cannot.
        None = "none",
        /// Yes, without changing what the file means otherwise.
        Safe = "safe",
        /// Yes, with `--unsafe-fixes`.
        Unsafe = "unsafe",
    }
}

impl Installer {
    /// The name as its makers write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Helm3 => "Helm 3",
            Self::Helm4 => "Helm 4",
            Self::Argocd => "Argo CD",
            Self::Flux => "Flux",
        }
    }
}
