let mut x = x;
x.a.reverse();
x.b.reverse();
x.c.reverse();
x.d.reverse();
x.e.reverse();
x.f.reverse();
x.g.reverse();
x.h.reverse();
x.i.reverse();
x.j.reverse();
x
