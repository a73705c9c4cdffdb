fn a() {} // TODO(ada): faster
// todo: not this
//TODO(bob):   trim me  
