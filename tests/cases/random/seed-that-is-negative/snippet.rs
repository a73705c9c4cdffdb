random::float()
