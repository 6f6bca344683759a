import { isSample, pickShare } from '@spec/test-helpers';
import fc from 'fast-check';
import type { JsonObject } from 'type-fest';
import { describe, expect, test } from 'vitest';
import { occasion } from '../../test/settings-file.ts';
import { dialectNames, dialectTraits } from '../dialect-traits.ts';
import { dialectsWith } from '../load/dialects.ts';
import { isGuard } from '../members/guards.ts';
import type { CommandEntry, Dialect, DialectName, Occasion } from '../normal-form.ts';
import { parseSettings } from '../settings-file.ts';
import { type ConvertedFile, convert } from './convert.ts';
import type { Loss } from './losses.ts';
import { makeMatcherModel } from './matcher-model.ts';

const dialects = dialectsWith({ service: { environment: {} } });
const names = dialectNames;

function read(content: JsonObject, name: DialectName): readonly CommandEntry[] {
  const { settings } = parseSettings(JSON.stringify(content, null, 2), { file: 'a.json', layer: 'project' });
  const dialect = dialects.find((one) => one.name === name);
  return (settings && dialect?.read(settings).entries) ?? [];
}

/** What counts of an entry, without where it stands. */
function essence({
  id: _,
  position: _p,
  dialect: _d,
  layer: _l,
  matcher: _m,
  condition,
  ...entry
}: CommandEntry) {
  const { name: eventName, handler, ...rest } = { ...entry, name: entry.name };
  const { eventName: _e, ...kept } = rest;
  return {
    ...kept,
    eventName,
    handler: { ...handler, shell: undefined },
    condition: dialectTraits[_d].conditionIsCommand ? condition : undefined,
    model: makeMatcherModel({
      ...entry,
      id: _,
      position: _p,
      dialect: _d,
      layer: _l,
      ...(_m === undefined ? {} : { matcher: _m }),
      ...(condition === undefined ? {} : { condition }),
    } as CommandEntry),
  };
}

const word = fc.stringMatching(/^[A-Z][a-z_]{1,8}$/);
const command = fc.constantFrom(
  'true',
  'exit 2',
  './check.sh --all',
  'echo "a b" | cat',
  "printf '%s' x",
  'if [[ -n $X ]]; then exit 2; fi',
);
const timeoutMs = fc.constantFrom(500, 1_000, 2_500, 5_000, 30_000, 600_000);
const seconds = timeoutMs.map((ms) => ms / 1_000);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const record = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields).map((object) => JSON.parse(JSON.stringify(object)) as JsonObject);

const flatTools = (matcher: fc.Arbitrary<string>, key: string, more: Record<string, fc.Arbitrary<unknown>>) =>
  record({ command, matcher: some(matcher), timeout: some(timeoutMs), [key]: some(fc.boolean()), ...more });

const ofEvents = (events: readonly string[], entry: (event: string) => fc.Arbitrary<JsonObject>) =>
  fc.record(
    Object.fromEntries(
      events.map((event) => [event, fc.array(entry(event), { minLength: 1, maxLength: 3 })]),
    ),
    { requiredKeys: [] },
  );

const regex = fc.constantFrom('^mcp__', 'fetch|web_fetch', '^Bash$', '^(Bash|Edit)$', '.*', 'write_', 'a.c');
const toolList = fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join('|'));

const contents: { readonly [Name in DialectName]: fc.Arbitrary<JsonObject> } = {
  settings: ofEvents(
    ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'SessionEnd'],
    (event) =>
      event.includes('Tool')
        ? flatTools(
            fc.oneof(toolList, fc.constantFrom('Bash(git:*)', '*', '/^mcp__/', 'get_*')),
            'continueOnFailure',
            {
              condition: some(fc.constantFrom('test -f x', 'false')),
            },
          )
        : record({ command, timeout: some(timeoutMs) }),
  ).map((hooks) => ({ hooks }) as unknown as JsonObject),
  hub: ofEvents(
    ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop', 'AgentStart', 'AgentEnd'],
    (event) =>
      event.includes('Tool')
        ? flatTools(regex, 'continueOnError', {
            priority: some(fc.integer({ min: -3, max: 3 })),
            inputMatchers: some(fc.constant({ command: '^git', path: '\\.env$' })),
          })
        : record({
            command,
            timeout: some(timeoutMs),
            continueOnError: some(fc.boolean()),
            priority: some(fc.constant(5)),
          }),
  ).map((hooks) => ({ hooks }) as unknown as JsonObject),
  service: fc
    .tuple(
      record({
        defaultTimeout: some(seconds),
        timeoutBehavior: some(fc.constantFrom('ignore', 'deny', 'ask')),
        failureBehavior: some(fc.constantFrom('ignore', 'deny', 'ask')),
        maxConcurrentHooks: some(fc.integer({ min: 1, max: 9 })),
      }),
      ofEvents(
        [
          'PreToolUse',
          'PostToolUse',
          'PermissionRequest',
          'UserPromptSubmit',
          'Stop',
          'SubagentStop',
          'Notification',
          'Compaction',
        ],
        (event) =>
          record({
            name: some(word),
            ...(event.includes('Tool')
              ? {
                  matcher: some(
                    record({
                      tools: some(fc.oneof(toolList, regex)),
                      paths: some(fc.constant('**/.env*')),
                      commands: some(fc.constant('^git')),
                    }),
                  ),
                }
              : {}),
            hooks: fc.array(
              record({
                type: fc.constant('command'),
                command,
                timeout: some(seconds),
                statusMessage: some(word),
              }),
              { minLength: 1, maxLength: 2 },
            ),
          }),
      ),
    )
    .map(([config, events]) => ({ hooks: { ...config, ...events } as unknown as JsonObject })),
  claude: ofEvents(
    [
      'PreToolUse',
      'PostToolUse',
      'PostToolBatch',
      'UserPromptSubmit',
      'SessionStart',
      'SubagentStart',
      'SubagentStop',
      'Stop',
      'PreCompact',
      'Notification',
    ],
    (event) =>
      record({
        ...(event.includes('ToolUse') ? { matcher: some(fc.oneof(toolList, regex, fc.constant('*'))) } : {}),
        ...(event === 'SessionStart' ? { matcher: some(fc.constantFrom('startup', 'resume|clear')) } : {}),
        hooks: fc.array(
          fc.oneof(
            record({
              type: fc.constant('command'),
              command,
              timeout: some(seconds),
              statusMessage: some(word),
              async: some(fc.constant(true)),
              args: some(fc.constant(['a b', "it's", '-x'])),
              onFailure: some(fc.constantFrom('block', 'continue')),
              onTimeout: some(fc.constantFrom('block', 'ask', 'continue')),
              ...(event.includes('ToolUse')
                ? { if: some(fc.constantFrom('Bash(git *)', 'Edit(*.ts)', 'Bash')) }
                : {}),
            }),
            record({
              type: fc.constant('prompt'),
              prompt: fc.constant('Is it fine? $ARGUMENTS'),
              model: some(word),
            }),
            record({ type: fc.constant('http'), url: fc.constant('http://localhost/x') }),
          ),
          { minLength: 1, maxLength: 2 },
        ),
      }),
  ).map((hooks) => ({ hooks: hooks as unknown as JsonObject })),
  qwen: ofEvents(
    ['PreToolUse', 'PostToolUse', 'PermissionRequest', 'UserPromptSubmit', 'Stop', 'SubagentStart'],
    (event) =>
      record({
        ...(event.includes('ToolUse') ? { matcher: some(fc.oneof(toolList, regex, fc.constant('*'))) } : {}),
        sequential: some(fc.boolean()),
        hooks: fc.array(
          fc.oneof(
            record({
              type: fc.constant('command'),
              command,
              timeout: some(fc.oneof(seconds, fc.constant(60_000))),
              name: some(word),
              statusMessage: some(word),
              async: some(fc.constant(true)),
              env: some(fc.constant({ LEVEL: "it's 2" })),
            }),
            record({
              type: fc.constant('prompt'),
              prompt: fc.constant('Is it fine?'),
              timeout: some(seconds),
            }),
          ),
          { minLength: 1, maxLength: 2 },
        ),
      }),
  ).map((hooks) => ({ hooks: hooks as unknown as JsonObject })),
  codex: ofEvents(
    [
      'PreToolUse',
      'PostToolUse',
      'PermissionRequest',
      'UserPromptSubmit',
      'SessionStart',
      'Stop',
      'PreCompact',
    ],
    (event) =>
      record({
        ...(event.includes('ToolUse')
          ? { matcher: some(fc.oneof(toolList, regex, fc.constant('a-b'))) }
          : {}),
        hooks: fc.array(
          fc.oneof(
            record({
              type: fc.constant('command'),
              command,
              commandWindows: some(fc.constant('dir')),
              timeout: some(seconds),
              statusMessage: some(word),
              async: some(fc.constant(true)),
            }),
            record({ type: fc.constant('mcp_tool'), server: word, tool: word, timeout: some(seconds) }),
          ),
          { minLength: 1, maxLength: 2 },
        ),
      }),
  ).map((hooks) => ({ hooks: hooks as unknown as JsonObject })),
  cursor: ofEvents(
    [
      'preToolUse',
      'beforeShellExecution',
      'beforeReadFile',
      'afterFileEdit',
      'postToolUse',
      'stop',
      'subagentStop',
    ],
    (event) =>
      record({
        command,
        matcher: some(event.includes('ToolUse') ? fc.oneof(toolList, regex) : fc.constantFrom('^git', 'rm')),
        timeout: some(seconds),
        failClosed: some(fc.boolean()),
        loop_limit: event === 'stop' ? some(fc.constantFrom(2, 9)) : fc.constant(undefined),
      }),
  ).map((hooks) => ({ version: 1, hooks: hooks as unknown as JsonObject })),
  copilot: ofEvents(
    [
      'preToolUse',
      'PreToolUse',
      'permissionRequest',
      'postToolUse',
      'postToolUseFailure',
      'agentStop',
      'preCompact',
    ],
    (event) =>
      fc.oneof(
        record({
          bash: command,
          matcher: some(event.endsWith('ToolUse') ? fc.oneof(toolList, regex) : fc.constant('auto')),
          timeoutSec: some(seconds),
          env: some(fc.constant({ LEVEL: '2' })),
          cwd: some(fc.constant('sub')),
        }),
        record({ exec: fc.constant('guard'), args: fc.constant(['a b', '-x']) }),
        record({ type: fc.constant('http'), url: fc.constant('https://example.com/x') }),
      ),
  ).map((hooks) => ({ version: 1, hooks: hooks as unknown as JsonObject })),
  gemini: ofEvents(
    ['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'SessionStart', 'PreCompress', 'Notification'],
    (event) =>
      record({
        ...(event.includes('Tool') ? { matcher: some(fc.oneof(toolList, regex)) } : {}),
        ...(event === 'SessionStart' ? { matcher: some(fc.constantFrom('startup', 'resume')) } : {}),
        sequential: some(fc.boolean()),
        hooks: fc.array(
          record({
            type: fc.constant('command'),
            command,
            timeout: some(timeoutMs),
            name: some(word),
            env: some(fc.constant({ LEVEL: '2' })),
          }),
          { minLength: 1, maxLength: 2 },
        ),
      }),
  ).map((hooks) => ({ hooks: hooks as unknown as JsonObject })),
  factory: ofEvents(
    ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'Stop', 'PreCompact', 'Notification'],
    (event) =>
      record({
        ...(event.includes('ToolUse') ? { matcher: some(fc.oneof(toolList, regex)) } : {}),
        hooks: fc.array(record({ type: fc.constant('command'), command, timeout: some(seconds) }), {
          minLength: 1,
          maxLength: 2,
        }),
      }),
  ).map((hooks) => ({ hooks: hooks as unknown as JsonObject })),
};

/** The formats in which calls that fail have an event of their own. */
const hasFailures = (to: DialectName): boolean =>
  ['service', 'claude', 'qwen', 'cursor', 'copilot'].includes(to);

/** There one entry for both is two. */
function byHook({ alsoAt, ...entry }: CommandEntry): CommandEntry[] {
  return alsoAt === undefined ? [entry] : [entry, { ...entry, event: alsoAt }];
}

/** A file that has at least one hook. @throws where the samples have none: they would be drawn for ever */
function filled(name: DialectName): fc.Arbitrary<JsonObject> {
  const isFilled = (content: JsonObject): boolean => read(content, name).length > 0;
  if (fc.sample(contents[name], 50).some(isFilled)) return contents[name].filter(isFilled);
  throw new Error(
    `Of the samples of "${name}" the format reads no hook: mend the samples, or what reads them.`,
  );
}
const runs = { numRuns: isSample ? 8 : 20 };

function listTargets(from: DialectName): readonly DialectName[] {
  return pickShare(
    names.filter((name) => name !== from),
    3,
  );
}

describe.each(names)('from %s', (from) => {
  test('to itself nothing is lost, and nothing is changed', () => {
    fc.assert(
      fc.property(filled(from), (content) => {
        const { content: back, losses } = convert(content, { from, to: from });
        expect(losses.filter(({ field }) => field !== 'entry')).toEqual([]);
        const before = read(content, from).toSorted((a, b) => b.priority - a.priority);
        expect(sorted(read(back, from))).toEqual(sorted(before));
      }),
      runs,
    );
  });

  test.each(listTargets(from))('to %s everything that differs is in the report', (to) => {
    fc.assert(
      fc.property(filled(from), (content) => {
        const { content: back, losses } = convert(content, { from, to });
        const before = read(content, from).toSorted((a, b) => b.priority - a.priority);
        const dropped = new Set(
          losses.filter(({ field }) => field === 'entry').map(({ position }) => position.path),
        );
        const kept = before
          .filter(({ position }) => !dropped.has(position.path))
          .flatMap((entry) => (hasFailures(to) ? byHook(entry) : [entry]));
        const after = read(back, to);
        expect(after).toHaveLength(kept.length);
        for (const entry of kept) {
          const about = losses.filter(({ position }) => position.path === entry.position.path);
          const twins = after.filter((other) =>
            differing(entry, other).every((field) => isTold(field, about)),
          );
          expect(twins.length, `${entry.position.path}: ${about.map(({ field }) => field)}`).toBeGreaterThan(
            0,
          );
        }
      }),
      runs,
    );
  });

  test.each(listTargets(from))('to %s no call gets past a guard that it met', (to) => {
    fc.assert(
      fc.property(filled(from), (content) => {
        for (const alone of splitEntries(content)) {
          const { content: there, losses } = convert(alone, { from, to });
          if (losses.some(({ field }) => ['entry', 'event'].includes(field))) continue;
          const [meets, stillMeets] = [listMet(alone, from), listMet(there, to)];
          const gone = meets.filter((call) => !stillMeets.includes(call));
          expect(gone, JSON.stringify([alone, there])).toEqual([]);
        }
      }),
      runs,
    );
  });

  test.each(listTargets(from))('to %s and back: what was lost on neither way is the same', (to) => {
    fc.assert(
      fc.property(filled(from), (content) => {
        const there = convert(content, { from, to });
        if (Object.keys(readContent(there)).length === 0) return;
        const again = convert(there.content, { from: to, to: from });
        if (lossy(there) || lossy(again)) return;
        expect(sorted(read(again.content, from))).toEqual(sorted(read(content, from)));
      }),
      runs,
    );
  });
});

type Call = NonNullable<Occasion['tool']>;

const calls: readonly Call[] = [
  { id: '1', name: 'Bash', input: { command: 'git push' } },
  { id: '2', name: 'Bash', input: { cmd: 'git push' } },
  { id: '3', name: 'Bash', input: {} },
  { id: '4', name: 'Bash', input: { command: 'ls' } },
  { id: '5', name: 'Read', input: { file_path: '/work/a.ts' } },
  { id: '6', name: 'Ab', input: { path: 'b.md' } },
];

/** A file for each element of each list of hooks: beside others, what one of them loses would not show. */
function splitEntries(content: JsonObject): JsonObject[] {
  const hooks = content.hooks as JsonObject;
  const lists = Object.entries(hooks).flatMap(([event, list]) =>
    Array.isArray(list) ? [{ event, list }] : [],
  );
  const others = Object.fromEntries(Object.entries(hooks).filter(([, list]) => !Array.isArray(list)));
  return lists.flatMap(({ event, list }) =>
    list.map((item) => ({ ...content, hooks: { ...others, [event]: [item] } })),
  );
}

/** The calls that a guard of a file is asked about. */
function listMet(content: JsonObject, name: DialectName): readonly Call[] {
  const dialect = dialects.find((one) => one.name === name) as Dialect;
  const guards = read(content, name)
    .filter((entry) => entry.event === 'before_tool_call' && isGuard(entry))
    .map((entry) => dialect.compile(entry));
  return calls.filter((tool) =>
    guards.some((guard) => guard.mismatch(occasion({ projectDir: '/work', tool })) === undefined),
  );
}

const readContent = ({ content }: ConvertedFile): JsonObject => content.hooks as JsonObject;
/** Other words for the same, such as a condition before the command, do not come back as they were; units do. */
const lossy = ({ losses }: ConvertedFile): boolean =>
  losses.some(({ level, field }) => level !== 'converted' || field !== 'timeoutMs');
const sorted = (entries: readonly CommandEntry[]): string[] =>
  entries.map((entry) => JSON.stringify(ordered(essence(entry)))).sort();
const ordered = (value: object): object =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, inside]) => inside !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function differing(one: CommandEntry, other: CommandEntry): string[] {
  const [a, b] = [essence(one), essence(other)] as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (field) => JSON.stringify(a[field] ?? null) !== JSON.stringify(b[field] ?? null),
  );
}

const told: Readonly<Record<string, readonly string[]>> = {
  only: ['event'],
  alsoAt: ['event'],
  model: ['matcher'],
  effects: [
    'effects.onBlockingExit',
    'effects.onExit',
    'effects.onTimeout',
    'effects.onLaunchError',
    'effects.onInvalidOutput',
  ],
  eventName: ['name'],
  handler: ['handler', 'condition'],
};

function isTold(field: string, losses: readonly Loss[]): boolean {
  return losses.some((loss) => loss.field === field || told[field]?.includes(loss.field));
}

describe('calls that fail', () => {
  const config = { hooks: { PostToolUse: [{ matcher: 'Edit', command: 'log.sh' }] } };

  test('have an event of their own in two formats: one entry becomes two', () => {
    const { content, losses } = convert(config, { from: 'settings', to: 'claude' });
    expect(Object.keys(readContent({ content, losses }))).toEqual(['PostToolUse', 'PostToolUseFailure']);
    expect(losses.filter(({ field }) => field === 'event')).toMatchObject([
      { level: 'converted', message: expect.stringContaining('two entries') },
    ]);
  });

  test('are told where the other format cannot leave them out', () => {
    const hooks = { PostToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: 'log.sh' }] }] };
    const { losses } = convert({ hooks }, { from: 'claude', to: 'settings' });
    expect(losses.filter(({ field }) => field === 'event')).toMatchObject([
      { level: 'changed', message: expect.stringContaining('fail too') },
    ]);
  });

  test('have a module of their own', () => {
    const { modules } = convert(config, { from: 'settings', to: 'typescript' });
    expect(modules.map(({ text }) => /hook: '(\w+)'/.exec(text)?.[1])).toEqual([
      'after_tool_call_success',
      'after_tool_call_failure',
    ]);
  });
});

describe('the report', () => {
  test('names every field and unit, with where it stands', () => {
    const text = `{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash(git:*)", "condition": "test -d .git", "command": "check \\"$INPUT\\"", "timeout": 3000, "continueOnFailure": false }
    ],
    "Nope": [{ "command": "x" }]
  }
}`;
    const { content, losses } = convert(text, { to: 'hub', file: 'my.json' });
    expect(content).toEqual({
      hooks: {
        PreToolUse: [
          {
            matcher: '^Bash$',
            command: '( test -d .git\n) || exit 0\ncheck "$INPUT"',
            timeout: 3_000,
            continueOnError: false,
          },
        ],
      },
    });
    expect(
      losses.map(({ level, field, position }) => `${level} ${field} ${position.file}:${position.line}`),
    ).toEqual([
      'dropped entry my.json:6',
      'changed matcher my.json:4',
      'converted condition my.json:4',
      'changed input my.json:4',
    ]);
    expect(losses.map(({ message }) => message)).toEqual([
      expect.stringContaining('There is no event "Nope"'),
      expect.stringContaining(
        'the rule on what the tool is called with cannot be written in it, so the entry matches more calls',
      ),
      expect.stringContaining('is now in front of the command'),
      expect.stringContaining('it is given templates such as {{input.command}}'),
    ]);
  });

  test('a handler without a counterpart is dropped, and said so', () => {
    const prompt = { hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }] }] } };
    const { content, losses } = convert(prompt, { from: 'claude', to: 'service' });
    expect(losses).toMatchObject([
      { level: 'dropped', field: 'entry', position: { path: 'hooks.Stop[0].hooks[0]' } },
    ]);
    expect(content).toEqual({ hooks: { enabled: true } });
  });

  test('what a file says about all its hooks is told once', () => {
    const hooks = { maxConcurrentHooks: 2, Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] };
    const { losses } = convert({ hooks }, { from: 'service', to: 'claude' });
    expect(losses.filter(({ field }) => field === 'maxConcurrent')).toMatchObject([
      { level: 'dropped', position: { path: 'hooks.maxConcurrentHooks' } },
    ]);
    expect(convert({ hooks }, { from: 'service', to: 'service' }).losses).toEqual([]);
  });

  test('what cannot be read at all is refused', () => {
    expect(() => convert('{', { to: 'hub' })).toThrow('cannot be read');
    expect(() => convert({}, { to: 'hub' })).toThrow('the shape of no known format');
  });
});
