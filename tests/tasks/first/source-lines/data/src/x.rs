// only
