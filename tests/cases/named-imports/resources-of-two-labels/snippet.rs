let cursor = source::open();
let page = target::append(&cursor);
target::check(page)
