let nothing = None;
nothing.is_none()
