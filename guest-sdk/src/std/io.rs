//! Reading and writing in memory. `stdout` and `stderr` are the hole's log; there is no `stdin`.

use std::fmt;

pub use ::std::io::{
    BufRead, BufReader, BufWriter, Bytes, Chain, Cursor, Empty, Error, ErrorKind, IntoInnerError,
    IoSlice, IoSliceMut, LineWriter, Lines, Read, Repeat, Result, Seek, SeekFrom, Sink, Split,
    Take, Write, copy, empty, read_to_string, repeat, sink,
};

/// `use std::io::prelude::*;`
pub mod prelude {
    pub use ::std::io::prelude::{BufRead, Read, Seek, Write};
}

/// The log, as a writer.
pub fn stdout() -> Stdout {
    Stdout(())
}

/// The log, as a writer.
pub fn stderr() -> Stderr {
    Stderr(())
}

macro_rules! log_writer {
    ($($name:ident, $lock:ident, $lifetime:lifetime;)*) => {$(
        /// Writes to the hole's log.
        pub struct $name(());

        /// Writes to the hole's log.
        pub struct $lock<$lifetime>(std::marker::PhantomData<&$lifetime ()>);

        impl $name {
            /// There is nothing to lock: an instance has one thread.
            pub fn lock(&self) -> $lock<'static> {
                $lock(std::marker::PhantomData)
            }
        }

        log_writer!(@write $name, $name);
        log_writer!(@write &$name, $name);
        log_writer!(@write $lock<'_>, $lock);
    )*};
    (@write $type:ty, $name:ident) => {
        impl Write for $type {
            fn write(&mut self, bytes: &[u8]) -> Result<usize> {
                lacuna_rt::log(&String::from_utf8_lossy(bytes));
                Ok(bytes.len())
            }

            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }

    };
}

log_writer! {
    Stdout, StdoutLock, 'a;
    Stderr, StderrLock, 'a;
}

impl fmt::Debug for Stdout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stdout")
    }
}

impl fmt::Debug for Stderr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stderr")
    }
}
