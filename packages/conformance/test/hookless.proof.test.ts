import { type AnyHook, type LifecycleName, lifecycleTable } from '@spec/hooks';
import { describe, expect, test, vi } from 'vitest';
import type { Case } from '../src/case.ts';
import { cases } from '../src/cases/index.ts';
import { broken } from '../src/faults/break.ts';
import { judge } from '../src/judge.ts';
import { runCase } from '../src/run-case.ts';
import type { Setup, SubagentSetup, Subject } from '../src/subject.ts';
import { ourRuntime } from './our-runtime.ts';

/** A runtime that stores messages, calls models and runs tools, and of hooks knows only some. */
function knowing(isKnown: (hook: AnyHook) => boolean): Subject {
  return broken(ourRuntime('memory'), (setup) => ({ setup: keepKnown(setup, isKnown) }));
}

function keepKnown(setup: Setup, isKnown: (hook: AnyHook) => boolean): Setup {
  const { hooks = [], policies = [], subagent, otherSide } = setup;
  const known = { hooks: hooks.filter(isKnown), policies: policies.filter(isKnown) };
  const ids = new Set([...known.hooks, ...known.policies].map(({ id }) => id));
  return {
    ...setup,
    ...known,
    ...naming(setup, ids),
    ...(subagent === undefined ? {} : { subagent: { ...subagent, ...naming(subagent, ids) } }),
    ...(otherSide === undefined ? {} : { otherSide: { ...otherSide, ...naming(otherSide, ids) } }),
  };
}

type Naming = Pick<SubagentSetup, 'promptHooks' | 'agentHooks'>;

/** The hooks that a prompt and an agent name, as far as they are known. */
function naming({ promptHooks, agentHooks }: Naming, known: ReadonlySet<string>): Naming {
  const knownIn = (ids: readonly string[]): string[] => ids.filter((id) => known.has(id));
  return {
    ...(promptHooks === undefined ? {} : { promptHooks: knownIn(promptHooks) }),
    ...(agentHooks === undefined ? {} : { agentHooks: knownIn(agentHooks) }),
  };
}

async function passedBy(subject: Subject, chosen: readonly Case[]): Promise<ReadonlySet<string>> {
  const { verdicts } = await judge(subject, { cases: chosen, concurrency: 50, timeLimit: 1_000 });
  return new Set(verdicts.filter(({ outcome }) => outcome !== 'failed').map(({ id }) => id));
}

/** Whether a case has hooks to run; one that has none is about what a runtime does by itself. */
async function bringsHooks(one: Case): Promise<boolean> {
  const good = ourRuntime('memory');
  let brought = 0;
  const open: Subject['open'] = (setup) => {
    brought += (setup.hooks?.length ?? 0) + (setup.policies?.length ?? 0);
    return good.open(setup);
  };
  await runCase(one, { ...good, open });
  return brought > 0;
}

test('a case passes where no hook runs only if it has none to run', { timeout: 120_000 }, async () => {
  const passed = await passedBy(
    knowing(() => false),
    cases,
  );
  const empty: string[] = [];
  for (const one of cases.filter(({ id }) => passed.has(id))) if (await bringsHooks(one)) empty.push(one.id);
  expect(empty, 'cases whose hooks need not run').toEqual([]);
  expect(passed.size, 'cases without hooks').toBeGreaterThan(10);
});

/** Cases that are about a hook which does not run in them. */
const withoutARun: ReadonlySet<string> = new Set([
  'definition.every_type_of_the_specification_is_a_type', // Each can be registered and named; a turn has some.
]);

vi.setConfig({ maxConcurrency: 4 }); // Most of the time is spent waiting for hooks that do not come.

describe.concurrent('a case fails where the hooks are unknown that it says it is about', () => {
  test.each(Object.keys(lifecycleTable) as LifecycleName[])('%s', { timeout: 120_000 }, async (name) => {
    const chosen = cases.filter(({ id, hooks = [] }) => hooks.includes(name) && !withoutARun.has(id));
    const passed = await passedBy(
      knowing((hook) => hook?.hook !== name),
      chosen,
    );
    expect([...passed]).toEqual([]);
  });
});
