let take = move || s;
vec![take(), take()]
