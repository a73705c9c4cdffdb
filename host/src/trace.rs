//! The trace: one JSON object a line (CONTRACTS section 3).
