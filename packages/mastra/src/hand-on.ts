import { RequestContext } from '@mastra/core/request-context';
import { KEY } from './turns.ts';

const byKey: ReadonlySet<unknown> = new Set(
  ['set', 'get', 'has', 'delete'].flatMap((name) => [name, `${name}Raw`]),
);

/**
 * A request context for a tool: the same values, which it may change, but not the same turn. The tool may hand it on to another agent, whose
 * hooks keep the name of their turn in it.
 */
export function handOn(context: RequestContext): RequestContext {
  const own = new RequestContext();
  const listShared = (): [string, unknown][] => [...context.entries()].filter(([key]) => key !== KEY);
  const clear = (): void => {
    for (const [key] of listShared()) context.delete(key);
    own.clear();
  };
  return new Proxy(context, {
    get(target, name) {
      if (name === 'constructor') return RequestContext;
      if (name === 'clear') return clear;
      if (byKey.has(name)) {
        const method = Reflect.get(target, name, target) as (...args: unknown[]) => unknown;
        return (key: unknown, ...rest: unknown[]) =>
          Reflect.apply(method, key === KEY ? own : target, [key, ...rest]);
      }
      const all = new RequestContext<unknown>([...listShared(), ...own.entries()]);
      const value: unknown = Reflect.get(all, name, all);
      return typeof value === 'function' ? (value.bind(all) as unknown) : value;
    },
  });
}
