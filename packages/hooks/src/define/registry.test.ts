import { describe, expect, test } from 'vitest';
import { DefinitionError } from '../errors.ts';
import { type AnyHook, defineHook } from './define.ts';
import { notePlace } from './places.ts';
import { createRegistry } from './registry.ts';
import { emptyScope, type Scope, scopeOf } from './scope.ts';

const hookNamed = (id: string, options: object = {}): AnyHook =>
  defineHook({ hook: 'after_create_message', id, execute: async () => {}, ...options } as never) as AnyHook;

const [a, b, c, p, q] = ['a', 'b', 'c', 'p', 'q'].map((id) => hookNamed(id)) as [
  AnyHook,
  AnyHook,
  AnyHook,
  AnyHook,
  AnyHook,
];

const members = (scope: Scope): string[] =>
  (scope.after_create_message ?? []).map(({ hook, source }) => `${hook.id} ${source}`);

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return `${(error as DefinitionError).code}: ${(error as DefinitionError).message}`;
  }
  throw new Error('it was not refused');
}

describe('the scope of a prompt and an agent (specification §1.3)', () => {
  const registry = createRegistry({ hooks: [a, b, c] });
  const agent = { name: 'support', hooks: ['b', 'c'] };

  test('1. the hooks of the prompt, where it has a list', () => {
    expect(members(registry.scope({ prompt: { name: 'hello', hooks: ['c', 'a'] }, agent }))).toEqual([
      'c prompt:hello',
      'a prompt:hello',
    ]);
  });

  test('2. else those of the agent', () => {
    expect(members(registry.scope({ prompt: { name: 'hello' }, agent }))).toEqual([
      'b agent:support',
      'c agent:support',
    ]);
    expect(members(registry.scope({ agent }))).toEqual(['b agent:support', 'c agent:support']);
  });

  test('an empty list of the prompt is a list', () => {
    expect(members(registry.scope({ prompt: { name: 'hello', hooks: [] }, agent }))).toEqual([]);
  });

  test('a list that is null is none, as ?? has it', () => {
    expect(members(registry.scope({ prompt: { name: 'hello', hooks: null as never }, agent }))).toEqual([
      'b agent:support',
      'c agent:support',
    ]);
  });

  test('3. else none', () => {
    expect(registry.scope({ prompt: { name: 'hello' }, agent: { name: 'support' } })).toBe(emptyScope);
    expect(registry.scope()).toBe(emptyScope);
  });

  test('is made once for the same request, whatever the names', () => {
    const request = () => ({ prompt: { name: 'x', hooks: ['a', 'b'] } });
    expect(registry.scope(request())).toBe(registry.scope(request()));
    const odd = registry.scope({ prompt: { name: 'x\na', hooks: ['b'] } });
    expect(members(odd)).toEqual(['b prompt:x\na']);
    expect(members(registry.scope(request()))).toEqual(['a prompt:x', 'b prompt:x']);
  });

  test('refuses ids that nobody registered, naming the one that was meant', () => {
    const unknown = createRegistry({ hooks: [hookNamed('limit_messages'), a] });
    expect(refusal(() => unknown.scope({ prompt: { name: 'hello', hooks: ['limit_message'] } }))).toBe(
      'unknown_id: prompt:hello names the hook "limit_message", which nobody registered. Did you mean "limit_messages"?',
    );
    expect(refusal(() => unknown.scope({ agent: { name: 'x', hooks: ['something_else'] } }))).toBe(
      'unknown_id: agent:x names the hook "something_else", which nobody registered. Registered are: limit_messages, a.',
    );
    expect(refusal(() => createRegistry().scope({ agent: { name: 'x', hooks: ['zzzzz'] } }))).toContain(
      'Registered are: none.',
    );
  });

  test('refuses an id that is named twice, and what is no list of ids', () => {
    expect(refusal(() => registry.scope({ agent: { name: 'x', hooks: ['a', 'b', 'a'] } }))).toBe(
      'duplicate_id: agent:x names the hook "a" twice: name it once.',
    );
    for (const hooks of ['a', {}, [1]]) {
      expect(refusal(() => registry.scope({ prompt: { name: 'x', hooks: hooks as never } }))).toBe(
        'bad_definition: The hooks of prompt:x must be a list of ids, such as ["redact_cards"].',
      );
    }
  });
});

describe('policies', () => {
  test('run everywhere, before the scoped hooks, whatever the priorities', () => {
    const high = hookNamed('high', { priority: 9 });
    const registry = createRegistry({ hooks: [a, high], policies: [p, q] });
    expect(members(registry.scope())).toEqual(['p policy', 'q policy']);
    expect(members(registry.scope({ prompt: { name: 'x', hooks: [] } }))).toEqual(['p policy', 'q policy']);
    expect(members(registry.scope({ prompt: { name: 'x', hooks: ['a', 'high'] } }))).toEqual([
      'p policy',
      'q policy',
      'high prompt:x',
      'a prompt:x',
    ]);
  });

  test('that a prompt names too run once, as policies', () => {
    const registry = createRegistry({ hooks: [a], policies: [p] });
    expect(members(registry.scope({ prompt: { name: 'x', hooks: ['p', 'a'] } }))).toEqual([
      'p policy',
      'a prompt:x',
    ]);
  });

  test('a hook that is given as both is a policy', () => {
    expect(members(createRegistry({ hooks: [p], policies: [p, p] }).scope())).toEqual(['p policy']);
  });
});

describe('registration', () => {
  test('refuses two hooks with one id, of whatever names', () => {
    const twin = hookNamed('a', { hook: 'after_update_message' });
    expect(refusal(() => createRegistry({ hooks: [a], policies: [twin] }))).toBe(
      'duplicate_id: Two hooks have the id "a" (after_create_message and after_update_message). Ids are unique among all hooks: rename one.',
    );
  });

  test('names the files of two hooks with one id, where it knows them', () => {
    const loaded = hookNamed('limit');
    const other = hookNamed('limit', { hook: 'after_update_message' });
    notePlace(loaded, 'hooks/limit.ts:4');
    expect(() => createRegistry({ hooks: [loaded, other] })).toThrow(
      'Two hooks have the id "limit" (after_create_message at hooks/limit.ts:4 and after_update_message).',
    );
  });

  test('refuses what defineHook did not make', () => {
    const plain = { hook: 'after_create_message', id: 'plain', execute: () => {} };
    expect(refusal(() => createRegistry({ hooks: [plain as never] }))).toBe(
      'bad_hook: A registered hook must be made by defineHook; got an object with the id "plain". Write defineHook({ hook, id, execute }).',
    );
    expect(refusal(() => createRegistry({ hooks: [{ ...a, id: 'Copy' }] as never }))).toContain(
      'got an object with the id "Copy"',
    );
    expect(refusal(() => createRegistry({ policies: [[a] as never] }))).toBe(
      'bad_hook: A registered hook must be made by defineHook; got a list. Spread a list of hooks: "...redact()".',
    );
    expect(refusal(() => createRegistry({ policies: [null as never] }))).toContain('got null.');
    expect(refusal(() => createRegistry({ policies: [Object.create(null) as never] }))).toContain(
      'got an object.',
    );
  });

  test('has all hooks by id', () => {
    const registry = createRegistry({ hooks: [a], policies: [p] });
    expect([...registry.hooks.keys()]).toEqual(['a', 'p']);
    expect(registry.policies).toEqual([p]);
  });
});

describe('a swap', () => {
  test('is all or nothing, and leaves scopes that were handed out as they were', () => {
    const registry = createRegistry({ hooks: [a], policies: [p] });
    const request = { prompt: { name: 'x', hooks: ['a'] } };
    const before = registry.scope(request);
    const newA = hookNamed('a', { priority: 1 });
    registry.swap({ hooks: [newA] });
    expect(before.after_create_message?.[1]?.hook).toBe(a);
    expect(registry.scope(request).after_create_message?.[1]?.hook).toBe(newA);
    expect(refusal(() => registry.swap({ hooks: [b, hookNamed('b')] }))).toContain(
      'Two hooks have the id "b"',
    );
    expect(registry.scope(request).after_create_message?.[1]?.hook).toBe(newA);
  });

  test('of the policies alone keeps the hooks, and may bring new versions of them', () => {
    const registry = createRegistry({ hooks: [a], policies: [p] });
    const newP = hookNamed('p');
    registry.swap({ policies: [newP] });
    expect(registry.policies).toEqual([newP]);
    expect([...registry.hooks.keys()]).toEqual(['a', 'p']);
    registry.swap({ policies: [] });
    expect([...registry.hooks.keys()]).toEqual(['a']);
  });

  test('does not see later changes of the lists it was given', () => {
    const hooks = [a];
    const registry = createRegistry({ hooks });
    hooks.push(b);
    registry.swap({ policies: [p] });
    expect([...registry.hooks.keys()]).toEqual(['a', 'p']);
  });
});

test('a scope has no chain for a name without hooks, and lists are sorted one by one', () => {
  const [low, high] = [hookNamed('low', { priority: -1 }), hookNamed('high', { priority: 1 })];
  const list = (...hooks: AnyHook[]) => hooks.map((hook) => ({ hook, source: 's' }));
  const scope = scopeOf(list(low, a, high), list(hookNamed('top', { priority: 9 })));
  expect(members(scope)).toEqual(['high s', 'a s', 'low s', 'top s']);
  expect(Object.keys(scope)).toEqual(['after_create_message']);
  expect(Object.isFrozen(scope)).toBe(true);
  expect(Object.isFrozen(emptyScope)).toBe(true);
});
