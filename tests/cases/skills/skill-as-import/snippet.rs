skills::clamp(x) + 1
