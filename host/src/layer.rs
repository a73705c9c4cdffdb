//! Layer: the defences of the verifier, by name.
//!
//! Each of them stands, always: [`stands`] is a constant here, and the branches that ask for it are compiled away. The
//! package `tests/weakened` compiles the same sources with `--cfg lacuna_weakened` and can take layers away, one by one
//! or together, so that tests show what each of them is needed for. No feature of this crate does that.

/// A defence that some test needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// Code is found in an answer, not taken for the whole of it.
    Extract,
    /// The token screen before any parser.
    Screen,
    /// `std`, `core` and `alloc` are the curated ones.
    Std,
    /// `-F unsafe_code`.
    Lint,
    /// No word of the compiler is used before its list of opened files is the expected one.
    DepInfo,
    /// Only places in the snippet are shown, and no advice about anything outside.
    Spans,
    /// The compiler runs without rights, without environment and with limits.
    Confinement,
    /// A component is made for the scope's own world alone: a world that the module brings is dropped.
    World,
    /// The module and the component are compared with the scope.
    Link,
}

/// Whether a layer is in force.
#[cfg(not(lacuna_weakened))]
pub(crate) const fn stands(_: Layer) -> bool {
    true
}

/// What of this decides verdicts: part of the keys under which they are kept.
#[cfg(not(lacuna_weakened))]
pub(crate) const fn settings() -> &'static str {
    ""
}

#[cfg(lacuna_weakened)]
pub(crate) use weakened::{settings, stands};

#[cfg(lacuna_weakened)]
#[expect(
    clippy::disallowed_methods,
    reason = "a build for tests: which layers are off is told by the environment, and a wrong name must not pass"
)]
mod weakened {
    use std::sync::OnceLock;

    use super::Layer;

    /// Comma-separated names of the layers that are off in this process.
    const VARIABLE: &str = "LACUNA_LAYERS_OFF";

    static OFF: OnceLock<String> = OnceLock::new();

    /// Whether a layer is in force in this process.
    pub(crate) fn stands(layer: Layer) -> bool {
        let name = name(layer);
        !settings().split(',').any(|off| off == name)
    }

    /// The names of the layers that are off.
    pub(crate) fn settings() -> &'static str {
        OFF.get_or_init(|| {
            let off = std::env::var(VARIABLE).unwrap_or_default();
            for word in off.split(',').filter(|word| !word.is_empty()) {
                assert!(
                    ALL.iter().any(|layer| name(*layer) == word),
                    "{VARIABLE}: no layer `{word}`"
                );
            }
            off
        })
    }

    const ALL: [Layer; 9] = [
        Layer::Extract,
        Layer::Screen,
        Layer::Std,
        Layer::Lint,
        Layer::DepInfo,
        Layer::Spans,
        Layer::Confinement,
        Layer::World,
        Layer::Link,
    ];

    fn name(layer: Layer) -> &'static str {
        match layer {
            Layer::Extract => "extract",
            Layer::Screen => "screen",
            Layer::Std => "std",
            Layer::Lint => "lint",
            Layer::DepInfo => "dep-info",
            Layer::Spans => "spans",
            Layer::Confinement => "confinement",
            Layer::World => "world",
            Layer::Link => "link",
        }
    }
}
