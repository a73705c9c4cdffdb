//! What is documentation and what is not; what is built in.

use super::*;

#[test]
fn plain_comments_are_not_told_to_a_model() {
    let plan = Fixture::wit(
        "// password: hunter2
package t:h;
/// The task. // This too.
// Not this.
/* Nor this. */
world hole {
  // Nor that.
  import lacuna:text/url@0.1.0; // nor the end of a line
  export f: func() -> string;
}",
    )
    .plan();
    assert_eq!(plan.holes[0].task, "The task. // This too.");
    assert_eq!(plan.holes[0].exports[0].functions[0].docs, "");
}

#[test]
fn an_unknown_built_in_interface_is_answered_with_those_that_exist() {
    let fault = wit_error("world hole { import lacuna:text/foo@0.1.0; export f: func(); }");
    assert!(fault.contains("lacuna:text/regex@0.1.0"), "{fault}");
    assert!(fault.contains("lacuna:text/csv@0.1.0"), "{fault}");
}
