/** Returns a function that makes a value when it is first called, and returns the same one from then on. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Returns a function that makes a value for an object when it is first called with it, and returns the same one from then on. */
export function onceFor<Of extends object, Value extends object>(make: () => Value): (of: Of) => Value {
  const made = new WeakMap<Of, Value>();
  return (of) => {
    let found = made.get(of);
    if (!found) made.set(of, (found = make()));
    return found;
  };
}
