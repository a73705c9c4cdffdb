//! The command line: the only module that prints.
