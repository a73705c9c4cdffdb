//! The `lacuna` binary: parses, calls the library, prints.

use std::process::ExitCode;

fn main() -> ExitCode {
    lacuna::cli::main()
}
