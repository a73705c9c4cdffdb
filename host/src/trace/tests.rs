//! What is written, and what is read back.

mod read;
mod write;
