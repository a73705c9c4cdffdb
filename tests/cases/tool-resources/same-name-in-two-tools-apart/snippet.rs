use inbox::Item as Letter;
fn title(l: &Letter, i: &outbox::Item) -> String { l.title() + &i.title() }
let letter: Letter = inbox::next();
let parcel = outbox::next();
outbox::send(&parcel);
title(&letter, &parcel)
