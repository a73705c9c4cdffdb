//! Handles that `for` goes through: a resource whose `next` gives an option is what other languages call an iterator.
//!
//! Only `IntoIterator` is written for it. With `Iterator` itself every handle would have some seventy methods more, and
//! those that take the value (`count`, `last`) are found before a method of the resource that has the same name.

use syn::{FnArg, ImplItem, ItemImpl, PathArguments, ReturnType, Type, Visibility, parse_quote};

/// `IntoIterator` for the handle `own` and for a reference to it, if one of its methods is
/// `next: func() -> option<T>` or `next: func() -> result<option<T>, E>`, whose items are then `Result<T, E>`.
pub(super) fn cursor(own: &syn::Ident, block: &ItemImpl) -> Vec<ItemImpl> {
    let next = block.items.iter().find_map(|item| match item {
        ImplItem::Fn(function) if function.sig.ident == "next" => Some(function),
        _ => None,
    });
    let Some(next) = next.filter(|next| {
        let inputs = &next.sig.inputs;
        let receiver = matches!(inputs.first(), Some(FnArg::Receiver(receiver)) if receiver.reference.is_some());
        matches!(next.vis, Visibility::Public(_))
            && next.sig.asyncness.is_none()
            && receiver
            && inputs.len() == 1
    }) else {
        return Vec::new();
    };
    let ReturnType::Type(_, result) = &next.sig.output else {
        return Vec::new();
    };
    let (item, call): (Type, syn::Expr) = if let Some([item]) = arguments(result, "Option") {
        ((*item).clone(), parse_quote!(#own::next(handle)))
    } else if let Some([inner, error]) = arguments(result, "Result")
        && let Some([item]) = arguments(inner, "Option")
    {
        (
            parse_quote!(::core::result::Result<#item, #error>),
            parse_quote!(#own::next(handle).transpose()),
        )
    } else {
        return Vec::new();
    };
    vec![
        parse_quote! {
            impl ::core::iter::IntoIterator for #own {
                type Item = #item;
                type IntoIter = ::lacuna_rt::Nexts<#own, #item>;
                fn into_iter(self) -> Self::IntoIter {
                    ::lacuna_rt::Nexts::new(self, |handle| #call)
                }
            }
        },
        parse_quote! {
            impl<'a> ::core::iter::IntoIterator for &'a #own {
                type Item = #item;
                type IntoIter = ::lacuna_rt::Nexts<&'a #own, #item>;
                fn into_iter(self) -> Self::IntoIter {
                    ::lacuna_rt::Nexts::new(self, |handle| #call)
                }
            }
        },
    ]
}

/// The types in `Name<A, B>`, if there are `N`.
fn arguments<'a, const N: usize>(ty: &'a Type, name: &str) -> Option<[&'a Type; N]> {
    let Type::Path(path) = ty else { return None };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let types: Vec<&Type> = arguments
        .args
        .iter()
        .filter_map(|argument| match argument {
            syn::GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
        .collect();
    types.try_into().ok()
}
