import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canDecide } from '../src/check/can-decide.ts';
import type { CheckResult } from '../src/check/to-text.ts';
import { loadProject } from '../src/project/load-project.ts';
import { projectFolder } from './project-folder.ts';

/** What `check` says of commands, each an entry of one file, by command: the code with the first sentence of the message. */
async function checkCommands(
  commands: readonly string[],
  { file = 'claude.json', event = 'PreToolUse', files = {} }: Asked = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  const isFlat = file !== 'claude.json';
  const entries = commands.map((command) =>
    isFlat
      ? { command, [file === 'hub.json' ? 'continueOnError' : 'continueOnFailure']: true }
      : { hooks: [{ type: 'command', command }] },
  );
  const config = { [file]: { hooks: { [event]: entries } }, ...files };
  const { findings } = await projectFolder(config).json<CheckResult>(['check', '--trust', '--config', file]);
  const told = findings.filter(({ code }) => code !== 'fails_open' && code !== 'duplicate_command');
  return Object.fromEntries(
    commands.map((command, position) => [
      command,
      told
        .filter(({ entry }) => entry?.startsWith(`hooks.${event}[${position}]`))
        .map(({ code, message }) => `${code}: ${/^.*?(?:[.:;](?= )|$)/.exec(message)?.[0]}`),
    ]),
  );
}

interface Asked {
  readonly file?: 'claude.json' | 'hub.json' | 'settings.json';
  readonly event?: string;
  readonly files?: Readonly<Record<string, unknown>>;
}

const expectAll = (commands: readonly string[], said: readonly string[]): object =>
  Object.fromEntries(commands.map((command) => [command, said]));

describe('programs and scripts that a line names', { timeout: 60_000 }, () => {
  test('are none where it is not certain that they run', async () => {
    const commands = [
      '[[ -n "$HOME" && -f "$HOME" ]]',
      'case "$HOME" in main|master|prod) exit 2 ;; *.tsx|*.mjs) exit 1 ;; esac',
      'if [[ "$HOME" == *.py ]]; then nosuch "$HOME"; fi',
      'echo "Use Next.js" >&2',
      `echo 'see foo.sh'; printf '%s' /.py`,
      'if ! command -v "nosuch"; then exit 0; fi; nosuch x',
      'type -P nosuch && nosuch x',
      'which nosuch_a nosuch_b && nosuch_b x',
      `sh -c 'command -v nosuch' && nosuch x`,
      `sh -c 'command -v nosuch && nosuch x'`,
      'sh -c "$NOSUCH"',
      'ls | xargs -I nosuch echo nosuch',
      'echo a >> log.sh',
      'cat <<EOF\nrun foo.sh\nEOF',
      'cat <<EOF\nEOF\nnosuch',
      '[ -f setup.py ] && python3 setup.py test',
      'if [ ! -e run.sh ]; then exit 0; fi; sh run.sh',
      'sh -e <<< ls && cd sub && sh run.sh',
      'echo exit > made.sh; sh made.sh',
      'nosuch_a || nosuch_b || true',
      `nosuch 2>/dev/null || echo 'not installed'`,
      'if nosuch --version >/dev/null 2>&1; then nosuch x; fi',
      '. ./here.sh; defined_there',
      'PATH=bin:$PATH; nosuch',
      'f() { nosuch; }; f',
      'function g { nosuch; }; g',
      'node -e "foo.js" && sh -c ls',
    ];
    expect(await checkCommands(commands, { files: { 'here.sh': 'defined_there() { :; }\n' } })).toEqual(
      expectAll(commands, []),
    );
  });

  test('are those in command position, behind what runs others, and the first file of an interpreter', async () => {
    const commands = [
      'exec nosuch',
      'command nosuch -x',
      'env A=1 nosuch',
      'timeout 5 nosuch',
      'X=$(echo 1 | nosuch -r .x); [[ -n "$X" ]] || exit 0',
      '[ -f here.sh ] && nosuch',
      'nosuch || exit 2',
      'if true; then nosuch; fi',
      'echo "ask which nosuch"; nosuch',
      "sh -c 'cd / && nosuch x'",
      `bash -eu -c "true; nosuch"`,
      'ls | xargs nosuch',
      'ls | xargs -0 -n 1 -I{} nosuch {}',
    ];
    expect(await checkCommands(commands, { files: { 'here.sh': '' } })).toEqual(
      expectAll(commands, ['no_such_command: The command nosuch does not exist.']),
    );
    const scripts = ['sh -eu gone.sh x', 'node "gone.sh"', "exec bash 'gone.sh'", '. gone.sh'];
    expect(await checkCommands(scripts)).toEqual(
      expectAll(scripts, ['no_such_script: The script gone.sh does not exist:']),
    );
    const [said] = Object.values(
      await checkCommands(['"$CLAUDE_PROJECT_DIR"/a.sh'], { files: { 'a.sh': '#!/bin/sh\n' } }),
    );
    expect(said).toEqual([expect.stringMatching(/^not_executable: \/.*\/a\.sh cannot be executed:$/)]);
  });

  const published = join(import.meta.dirname, '../../../../shared/data/hook-configs');
  if (!existsSync(published)) console.info('Skipped: the published configurations are not here.');
  test.skipIf(!existsSync(published))(
    'of published configurations are paths of scripts, each at its place',
    async () => {
      const files = readdirSync(published).filter((file) => file.endsWith('.json'));
      expect(files.length).toBeGreaterThan(40);
      for (const file of files.filter((name) =>
        /cleaner|nextjs|_python_|telegram-error|test-runner/.test(name),
      )) {
        const project = projectFolder({ 'claude.json': readFileSync(join(published, file), 'utf8') });
        const { findings } = await project.json<CheckResult>(['check', '--trust', '--config', 'claude.json']);
        const named = findings.filter(({ code }) => code.startsWith('no_such_'));
        // What a machine has is not known here: programs may be missing, words of a line that are none must not.
        expect(named.filter(({ message }) => !/ (?:jq|python3|black|npx|curl) /.test(message))).toEqual([]);
      }
    },
  );
});

describe('a command that lets pass what it guards where it fails', { timeout: 60_000 }, () => {
  const cannotRefuse = [
    'date >> ~/.claude/log.txt',
    'echo "$(date +%s),$(ps -o rss= -p $$),start" >> ~/.claude/performance.csv',
    `jq -r '.tool_input.command' >> ~/.claude/bash.log`,
    'if [[ -n "$A" && -f "$A" ]]; then mkdir -p .backups && cp "$A" ".backups/$(basename "$A").bak"; fi',
    'notify-send "Claude runs a tool" || true',
    'if [[ "$B" =~ ^(main|prod)$ ]]; then echo "on $B"; fi',
    'echo Take care',
    'LOGS=$(grep -n x y); echo "$LOGS" | head -5',
    'exit 0',
    'cat >> log <<E\nwritten by `whoami`\nE',
    'echo "`date` started" >> log',
    'if [[ -n "$A" ||\n -f "$A" ]]; then date >> log; fi',
  ];
  const mayRefuse = [
    'echo `./guard` >> log',
    'cat <<E\n{"decision":"block"}\nE',
    '[[ -n "$A" || -f "$A" ; ./guard',
    'grep -q secret && exit 2',
    'jq .decision',
    'if [[ $(./guard) ]]; then echo no; fi',
    'jq .decision | head -1',
    `echo '{"decision":"block","reason":"no"}'`,
    'lint --stdin',
    'cat > /tmp/x; sh check.sh',
    'echo "$(./guard)" >> log',
    '[ -f .lock ] && exit 2; exit 0',
  ];

  test('is told, unless it cannot refuse anything', async () => {
    const commands = [...cannotRefuse, ...mayRefuse];
    const hooks = { PreToolUse: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] };
    const project = projectFolder({ 'claude.json': { hooks } });
    const loaded = await loadProject({ config: [join(project.path, 'claude.json')], trust: true }, 'collect');
    const told = commands.filter((command) => {
      const entry = loaded.settings?.entries.find(
        ({ handler }) => 'command' in handler && handler.command === command,
      );
      return entry !== undefined && canDecide(entry);
    });
    await loaded.close();
    expect(told).toEqual(mayRefuse);
  });
});

describe('the test [[', { timeout: 60_000 }, () => {
  const line = 'if [[ "$HOME" == *x* ]]; then exit 2; fi';

  test.each(['hub.json', 'settings.json'] as const)(
    'is told of in %s, whose commands run in sh',
    async (file) => {
      const commands = [line, `bash -c '[[ a ]]'`, 'echo "[[ a ]]"'];
      expect(await checkCommands(commands, { file })).toEqual({
        ...expectAll(commands, []),
        [line]: ['bash_only: [[ … ]] is a test of bash, but sh runs this line:'],
      });
    },
  );

  test('is fine in a claude file, whose commands run in bash', async () => {
    expect(await checkCommands([line])).toEqual({ [line]: [] });
  });
});

describe('answers that no format reads', { timeout: 60_000 }, () => {
  test('are told of with the field that means nothing', async () => {
    const said = await checkCommands([
      `echo '{"allow":false}'`,
      `echo '{"block":true,"message":"x"}'`,
      `printf '%s' '{"action":"deny"}'`,
      `[[ -z "$HOME" ]] && echo "{\\"decison\\": \\"block\\"}"`,
      `echo '{"additionalContext":"x"}'`,
      `echo '{"reason":"x"}'`,
      `echo '{"systemMessage":"m","decision":"deny"}'`,
    ]);
    const codes = Object.values(said).map((lines) => lines.map((text) => text.split(':')[0]));
    expect(codes).toEqual(Array.from({ length: 7 }, () => ['unread_output']));
    const hub = { file: 'hub.json' } as const;
    const flat = [`echo '{"action":"deny"}'`, `echo '{"message":"formatted"}'`];
    expect(Object.values(await checkCommands(flat, hub)).map((lines) => lines.length)).toEqual([1, 0]);
  });

  test('are told of in a service file, where they stand by another key than it reads', async () => {
    const printing = (line: string): object => ({
      matcher: { tools: 'Bash' },
      hooks: [{ type: 'command', command: `echo '${line}'` }],
    });
    const project = projectFolder({
      'service.json': {
        hooks: {
          PreToolUse: ['{"allow":false}', '{"decision":"deny"}', '{"permissionDecision":"ask"}'].map(
            printing,
          ),
        },
      },
    });
    const { findings, files } = await project.json<CheckResult>([
      'check',
      '--trust',
      '--config',
      'service.json',
    ]);
    expect(files[0]?.dialect).toBe('service');
    expect(findings.filter(({ code }) => code === 'unread_output')).toMatchObject([
      {
        entry: 'hooks.PreToolUse[0].hooks[0]',
        message: expect.stringContaining('"allow" means nothing there'),
      },
    ]);
  });

  test('are not those that it reads, that go elsewhere, or that the shell fills in', async () => {
    const specific = (fields: string): string =>
      `{"hookSpecificOutput":{"hookEventName":"PreToolUse",${fields}}}`;
    const commands = [
      `echo '{"decision":"block","reason":"x"}'`,
      `echo '{"decision":"approve","reason":"x"}'`,
      `echo '${specific('"permissionDecision":"deny","permissionDecisionReason":"r"')}'`,
      `echo '${specific('"additionalContext":"c"')}'`,
      `echo '${specific('"permissionDecision":"allow","updatedInput":{"a":1}')}'`,
      `echo '{"systemMessage":"m"}'`,
      `echo '{"continue":false,"stopReason":"s"}'`,
      `echo '{"suppressOutput":true}'`,
      `echo '{"action":"deny"}' | cat >/dev/null`,
      `echo '{"action":"deny"}' >&2`,
      `echo '{"allow":false}' >> log.json`,
      `{ echo '{"block":true}'; } > log.json`,
      `X=$(echo '{"reason":"x"}')`,
      `cat '{"action":"deny"}' 2>/dev/null`,
      `echo "{\\"decision\\":\\"$X\\"}"`,
      `echo '{"files":3,"action":"formatted"}'`,
    ];
    expect(await checkCommands(commands)).toEqual(expectAll(commands, []));
    const stop = [`echo '{"decision":"approve"}'`];
    expect(await checkCommands(stop, { event: 'Stop' })).toEqual(expectAll(stop, []));
  });
});
