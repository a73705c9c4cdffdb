fn main() {
    // start

    run();
}
