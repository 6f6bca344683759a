import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Adds to a copy of the repository, by touching the files that CONTRIBUTING.md names and no other; types and tests must hold then. */

const root = fileURLToPath(new URL('..', import.meta.url));
const LEFT_OUT = new Set(['node_modules', 'dist', '.turbo', '.git']);
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

let copy = '';
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'spec-hooks-adding-'));
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const folder of ['packages', 'examples']) {
    for (const name of readdirSync(join(root, folder))) {
      const modules = join(folder, name, 'node_modules');
      if (existsSync(join(root, modules)))
        cpSync(join(root, modules), join(copy, modules), { recursive: true, verbatimSymlinks: true });
    }
  }
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What CONTRIBUTING.md says of adding one thing, and the changes that may be made for it. */
interface Adding {
  /** Puts text before what stands in a file. @param named how the row names the file, or what it is a part of */
  before(file: string, named: string, anchor: string, added: string): void;
  /** Writes a file that is new. */
  file(file: string, named: string, text: string): void;
}

function adding(what: string): Adding {
  const row = contributing.split('\n').find((line) => line.startsWith(`| ${what} |`));
  if (row === undefined) throw new Error(`CONTRIBUTING.md no longer says where to add ${what}`);
  const mustName = (file: string, named: string): void => {
    expect(row, `CONTRIBUTING.md must name ${file} for ${what}`).toContain(named);
  };
  return {
    before(file, named, anchor, added) {
      mustName(file, named);
      const path = join(copy, file);
      const text = readFileSync(path, 'utf8');
      if (!text.includes(anchor))
        throw new Error(`${file} no longer has "${anchor}": give this test another place`);
      writeFileSync(
        path,
        text.replace(anchor, () => `${added}${anchor}`),
      );
    },
    file(file, named, text) {
      mustName(file, named);
      writeFileSync(join(copy, file), text);
    },
  };
}

function mustPass(program: string, ...args: readonly string[]): void {
  const path = join(root, 'node_modules', program);
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 240_000,
  });
  expect(status, `${program} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
}

/** The tests that walk through what was added; all three in one copy, for most of the time goes into looking at the types of all. */
test('a rule action, a dialect and a hook need what CONTRIBUTING.md names, and no more', {
  timeout: 300_000,
}, () => {
  const walking = [...addRuleAction(), ...addDialect(), ...addHook(), 'packages/cli/src'];
  mustPass('typescript-native/bin/tsc', '-p', 'tsconfig.json', '--noEmit');
  mustPass(
    'vitest/vitest.mjs',
    'run',
    '--project=unit',
    '--project=spawning',
    'scripts/names-in-tables.test.ts',
    ...walking,
  );
});

/** Its name and its row. */
function addRuleAction(): string[] {
  const file = 'packages/rules/src/actions.ts';
  const { before } = adding("a rule's action");
  before(file, file, "'deny' | 'allow'", "'ask' | ");
  const row = `  ask: {
    stance: 'guards',
    decides: 'ask',
    defaultReason: (id) => \`The rule "\${id}" wants a person to look at this.\`,
    events: ['PreToolUse', 'UserPromptSubmit'],
  },
`;
  before(file, file, '  allow: {', row);
  const asks = `import type { Hook } from '@spec/hooks';
import { runHook, toolCall } from '@spec/hooks/testing';
import { expect, test } from 'vitest';
import { createRules } from './index.ts';

test('a rule asks a person', async () => {
  const { hooks } = await createRules([{ id: 'look', action: 'ask', matcher: '^Bash$' }]);
  const guard = hooks[0] as Hook<'before_tool_call'>;
  const { result } = await runHook(guard, toolCall('Bash', { command: 'ls' }));
  expect(result).toMatchObject({ decision: 'ask', reason: 'The rule "look" wants a person to look at this.' });
});
`;
  writeFileSync(join(copy, 'packages/rules/src/asks.test.ts'), asks);
  return ['asks', 'document', 'evaluate'].map((name) => `packages/rules/src/${name}.test.ts`);
}

const plainDialect = `import { compileMatcher } from '@spec/hooks';
import type { JsonObject, JsonValue } from 'type-fest';
import { dialectTraits } from '../dialect-traits.ts';
import { isObject } from '../json-object.ts';
import type { CommandEntry, Dialect } from '../normal-form.ts';
import { compileFileRegex } from '../regexes.ts';
import { allEffects } from './flat.ts';

function gatesIn({ hooks }: JsonObject): readonly JsonObject[] {
  const list: JsonValue = isObject(hooks) ? (hooks.Gate ?? []) : [];
  return Array.isArray(list) ? list.filter(isObject).filter(({ run }) => typeof run === 'string') : [];
}

/** A dialect of gates: \`{ "hooks": { "Gate": [{ "run": "…", "tool": "^Bash$" }] } }\`. */
export const plain: Dialect = {
  ...dialectTraits.plain,
  name: 'plain',
  recognises: (content) => gatesIn(content).length > 0,
  read: (file) => ({
    findings: [],
    entries: gatesIn(file.content).map(({ run, tool, timeout }, i): CommandEntry => ({
      id: file.entryId('plain', 'Gate', i),
      dialect: 'plain',
      layer: file.layer,
      position: file.findPosition(['hooks', 'Gate', i]),
      eventName: 'Gate',
      event: 'before_tool_call',
      handler: { type: 'command', command: run as string },
      ...(typeof tool === 'string' ? { matcher: tool } : {}),
      priority: 0,
      timeoutMs: typeof timeout === 'number' ? timeout : 5_000,
      effects: allEffects('block'),
      rewrite: 'none',
      isAwaited: true,
    })),
  }),
  compile(entry) {
    const { matcher, handler } = entry;
    const tools =
      typeof matcher === 'string' ? compileMatcher(\`/\${matcher}/\`, { regex: compileFileRegex }) : undefined;
    return {
      entry,
      mismatch: ({ tool }) => (tool === undefined || tools?.test(tool) !== false ? undefined : tools.explain(tool)),
      invocation: () => ({ handler, payload: '{}', env: {}, payloadVariables: {} }),
      answer: ({ exitCode }) =>
        exitCode === 0 ? {} : { failure: { effect: 'onExit', why: \`it exited with \${exitCode}\` } },
    };
  },
  strategy: () => 'serial',
};
`;

const plainWriter = `import { exactRegex } from './matcher-model.ts';
import { createLists, defined, type Writer } from './writer.ts';

/** Writes the dialect \`plain\`. */
export const plainWriter: Writer = {
  events: [['Gate', 'before_tool_call']],
  write(entries) {
    const lists = createLists();
    const paths = entries.map(({ entry, eventName, model: { names, regex }, command: run }) =>
      lists.add(
        eventName,
        defined({
          run,
          tool: regex ?? (names === undefined ? undefined : exactRegex(names)),
          timeout: entry.timeoutMs,
        }),
      ),
    );
    return { content: { hooks: lists.hooks }, paths };
  },
};
`;

/** Its row, its file, what writes it, its matcher and samples. */
function addDialect(): string[] {
  const { before, file } = adding('a dialect of command hooks');
  const folder = 'packages/commands/src';
  const traits = `${folder}/dialect-traits.ts`;
  before(traits, traits, "  | 'settings'\n", "  | 'plain'\n");
  const row = `  plain: {
    answersInJson: false,
    timeoutUnit: 'milliseconds',
    input: 'nothing',
    inputSigns: /(?!)/,
    unreadAnswer: 'Hooks of this format block by their exit code',
  },
`;
  before(traits, traits, '  hub: {\n', row);
  file(`${folder}/dialects/plain.ts`, 'one file in `dialects`', plainDialect);
  const loading = `${folder}/load/dialects.ts`;
  before(loading, 'load/dialects.ts', 'createService(service),', 'plain, ');
  before(
    loading,
    'load/dialects.ts',
    'import { createService',
    "import { plain } from '../dialects/plain.ts';\n",
  );
  file(`${folder}/convert/plain.ts`, 'in `convert` what writes it', plainWriter);
  const converting = `${folder}/convert/convert.ts`;
  before(converting, '`convert`', '  service: serviceWriter', '  plain: plainWriter,\n');
  before(converting, '`convert`', 'import { serviceWriter', "import { plainWriter } from './plain.ts';\n");
  const matchers = `${folder}/convert/matcher-model.ts`;
  before(matchers, 'matcher-model.ts', '  service({ matcher })', '  plain: (entry) => readers.hub(entry),\n');
  const samples = `  plain: ofEvents(['Gate'], () =>
    record({ run: command, tool: some(regex), timeout: some(timeoutMs) }),
  ).map((hooks) => ({ hooks }) as unknown as JsonObject),
`;
  before(`${folder}/convert/convert.sampled.test.ts`, 'convert.sampled.test.ts', '  service: fc\n', samples);
  const reads = `import { expect, test } from 'vitest';
import { convert } from './convert.ts';

test('a gate is known by its shape', () => {
  const gate = { hooks: { Gate: [{ run: 'exit 2', tool: '^Bash$' }] } };
  const hooks = { PreToolUse: [{ matcher: '^Bash$', command: 'exit 2', continueOnError: false }] };
  expect(convert(gate, { to: 'hub' }).content).toEqual({ hooks });
});
`;
  writeFileSync(join(copy, folder, 'convert/gate.test.ts'), reads);
  return ['convert', 'load', 'dialects'].map((room) => `${folder}/${room}`);
}

/** Its signature, its row, its call, its arguments and a case. */
function addHook(): string[] {
  const { before } = adding('a hook type');
  const next = '  after_session_started: ';
  const signature = '  after_turn_ended: (state: State, answer: string) => Promise<void>;\n';
  before('packages/hooks/src/vocabulary/control.ts', '`control.ts`', `${next}(state`, signature);
  const row = `  after_turn_ended: {
    kind: 'observe',
    onFailure: 'continue',
    args: [shapes.text],
    trigger: 'After a turn was completed',
    purpose: 'Count answers',
    failure: recorded,
    section: 'design §4.2',
  },
`;
  before('packages/hooks/src/lifecycle/table.ts', 'lifecycle/table.ts', `${next}{`, row);
  const turn = 'packages/runtime/src/turn/turn.ts';
  const call =
    "{\n      await core.runtime.executor.run('after_turn_ended', core.scope, view, text ?? '');\n      ";
  before(
    turn,
    '`executor.run(…)` call in the room of the runtime',
    "return { status: 'completed', text };",
    call,
  );
  before(turn, '`executor.run(…)` call in the room of the runtime', '    countStep(', '    }\n');
  const order = 'packages/runtime/test/turn-hooks.test.ts';
  before(order, order, "'after_notification'],", "'after_turn_ended', ");
  const picture = 'scripts/turn-picture.ts';
  before(picture, picture, "'before_stop']", "'after_turn_ended', ");
  const given = "  after_turn_ended: ({ payload: { fields } }) => [textIn(fields, 'answer') ?? ''],\n";
  const cli = 'packages/cli/src';
  before(`${cli}/event/hook-arguments.ts`, 'event/hook-arguments.ts', `${next}async`, given);
  const sample = "  after_turn_ended: { parameters: ['answer'], values: `'Done.'` },\n";
  before(`${cli}/new/templates.ts`, 'new/templates.ts', `${next}{`, sample);
  for (const framework of ['ai-sdk', 'langchain', 'mastra', 'openai-agents']) {
    const honours = `packages/${framework}/src/honours.ts`;
    before(honours, '`src/honours.ts`', "  | 'after_thread_created'\n", "  | 'after_turn_ended'\n");
    const honour = "  after_turn_ended: { no: 'the framework has turns of its own.' },\n";
    before(honours, '`src/honours.ts`', '  after_thread_created: {', honour);
  }
  const failing = `  {
    section: 'control after_turn_ended',
    level: 'ours',
    needs: ['control'],
    hooks: ['after_turn_ended'],
    failing: ['after_turn_ended'],
    id: 'after_turn_ended.failure_changes_nothing',
    says: 'A hook that fails leaves the turn completed.',
    async run({ open }) {
      const broken = counted('after_turn_ended', () => Promise.reject(new Error('no luck')));
      const trial = await open(scoped([broken.hook]));
      const { status } = await trial.send('Go');
      happened(broken.runs, 'a run of the hook');
      same(status, 'completed', 'how the turn ended');
    },
  },
`;
  const cases = 'packages/conformance/src/cases/control/notifications.ts';
  before(cases, 'one conformance case', "  {\n    ...about,\n    id: 'after_notification.failure", failing);
  return [
    'packages/hooks/src/lifecycle',
    'packages/hooks/src/define',
    'packages/hooks/test/small-parts.test.ts',
    ...['abort', 'turn-hooks', 'secrets'].map((name) => `packages/runtime/test/${name}.test.ts`),
    'packages/conformance/src',
    'packages/conformance/test/our-runtime-memory.test.ts',
    'packages/commands/src/members/gates.test.ts',
  ];
}
