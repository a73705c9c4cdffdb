fn eat(f: File) -> u32 { drop(f); 1 }
eat(f)