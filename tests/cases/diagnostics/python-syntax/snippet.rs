def run(xs):
    return sum(xs)
