//! Exported resources: how a value of the snippet's type lies behind its representation.

/// What a type needs to be an exported resource. Every type has it.
pub trait Resource: Sized + 'static {
    /// What lies in memory.
    type Rep: ResourceRep<Self>;
}

impl<T: 'static> Resource for T {
    // An option, so that the value can be taken while the allocation waits for the destructor.
    type Rep = Option<T>;
}

/// Access to the value in its representation.
///
/// # Safety
/// The pointers given are to a live representation; the generated code keeps to that.
#[allow(clippy::missing_safety_doc, reason = "said once, on the trait")]
pub unsafe trait ResourceRep<T> {
    fn rep_new(value: T) -> Self;
    unsafe fn rep_as_ref<'a>(rep: *const Self) -> &'a T;
    unsafe fn rep_as_mut<'a>(rep: *mut Self) -> &'a mut T;
    unsafe fn rep_take(rep: *mut Self) -> T;
}

const TAKEN: &str = "the resource was already taken";

// SAFETY: the methods only follow the pointer they are given.
unsafe impl<T> ResourceRep<T> for Option<T> {
    fn rep_new(value: T) -> Self {
        Some(value)
    }

    unsafe fn rep_as_ref<'a>(rep: *const Self) -> &'a T {
        // SAFETY: live, as the trait asks.
        unsafe { &*rep }.as_ref().expect(TAKEN)
    }

    unsafe fn rep_as_mut<'a>(rep: *mut Self) -> &'a mut T {
        // SAFETY: live, as the trait asks.
        unsafe { &mut *rep }.as_mut().expect(TAKEN)
    }

    unsafe fn rep_take(rep: *mut Self) -> T {
        // SAFETY: live, as the trait asks.
        unsafe { &mut *rep }.take().expect(TAKEN)
    }
}
