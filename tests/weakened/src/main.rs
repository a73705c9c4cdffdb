//! `lacuna` without the layers that `LACUNA_LAYERS_OFF` names (`screen,lint`). For tests; never installed.

use std::process::ExitCode;

fn main() -> ExitCode {
    lacuna_weakened::cli::main()
}
