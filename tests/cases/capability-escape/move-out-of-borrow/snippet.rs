*f
