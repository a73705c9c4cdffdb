a::emit("1"); b::emit("2");
