let (from, to) = (source::open(), target::open());
let page = target::append(&to);
from.next().is_none() && to.next().is_none() && target::check(page)
