//! Capability: the host's side of granted imports. May use what a grant names: one folder through cap-std.
