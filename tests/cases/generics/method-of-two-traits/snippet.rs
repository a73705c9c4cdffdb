trait Pilot { fn fly(&self) -> String { "pilot".into() } }
trait Wizard { fn fly(&self) -> String { "wizard".into() } }
struct Human;
impl Pilot for Human {}
impl Wizard for Human {}
Human.fly()
