let item = inbox::next();
outbox::send(&item);
item.title()
