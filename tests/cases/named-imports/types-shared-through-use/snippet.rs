let row = source::take();
let page = target::put(row);
source::check(page)
