/** A store whose first row of a tool is not written. */
export function failOnce<Store extends object>(store: Store): Store {
  let hasFailed = false;
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...given: readonly unknown[]) => {
        if (name === 'append' && !hasFailed && hasResult(given[2])) {
          hasFailed = true;
          throw new Error('disk full');
        }
        return Reflect.apply(value, target, given);
      };
    },
  });
}

function hasResult(rows: unknown): boolean {
  const { messages = [] } = rows as { readonly messages?: readonly { readonly role: string }[] };
  return messages.some(({ role }) => role === 'tool');
}
