log::emit("b"); 7
