match p { P::R => 1, P::W => 2, _ => 3 }
