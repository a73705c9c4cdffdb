//! Session: one run of a plan: holes, attempts, budget, trace.
