/* FIXME(ada): leak */
let x = "TODO()"; // TODO(): nobody
