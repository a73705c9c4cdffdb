let Reply::Done(text) = r;
text
