import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { type ProjectFolder, projectFolder } from './project-folder.ts';

const cursor = `\uFEFF{
\t// servers of mine
\t"mcpServers": {
\t\t"github":   { "command": "npx", "args": ["-y", "github-mcp", "--key", "\${env:KEY}"], "env": { "TOKEN": "tok-en-1" } }, // first
\t\t"my wiki": { "url": "https://wiki.example/mcp?key=1", "headers": { "Authorization": "Bearer s3cret-header" } },
\t\t"odd": { "disabled": true },
\t},
\t"other": [1,  2]
}
`.replaceAll('\n', '\r\n');

const vscode = `{"inputs":[{"id":"key"}],"servers":{"a":{"type":"stdio","command":"a","env":{"K":"\${input:key}"}},"b":{"type":"http","url":"http://localhost:1/mcp"}}}`;

const desktop = `{
  "mcpServers": { "files": { "command": "files" } }
}`;

const codex = `model = "gpt-5" # mine
notes = """
[mcp_servers.fake]
command = "no"
"""

[mcp_servers.github]
args = [
  "-y", # yes
  "github-mcp",
]
command = 'npx'
startup_timeout_sec = 20

[mcp_servers.github.env]
TOKEN = "tok-en-1"

[mcp_servers."my wiki"]
url = "https://wiki.example/mcp"
bearer_token_env_var = "WIKI"

[profiles.fast]
model = "mini"
`;

const clients = [
  { name: 'cursor', flags: ['--project'], file: '.cursor/mcp.json', text: cursor, left: ['odd'] },
  { name: 'vscode', flags: ['--user'], file: 'home/.config/Code/User/mcp.json', text: vscode, left: [] },
  {
    name: 'claude-desktop',
    flags: [],
    file: 'home/.config/Claude/claude_desktop_config.json',
    text: desktop,
    left: [],
  },
  { name: 'codex', flags: ['--user'], file: 'home/.codex/config.toml', text: codex, left: ['my wiki'] },
] as const;

function put({ path }: ProjectFolder, file: string, text: string): void {
  mkdirSync(dirname(join(path, file)), { recursive: true });
  writeFileSync(join(path, file), text, { mode: 0o600 });
}

test.each(clients)(
  '$name goes through the gateway and back, losing no byte',
  async ({ name, flags, file, text, left }) => {
    const folder = projectFolder();
    put(folder, file, text);
    const at = join(folder.path, file);
    const shown = await folder.cli(['install', name, '--gateway', '--dry-run', ...flags]);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('+') });
    expect(shown.stdout).not.toMatch(/tok-en-1|s3cret-header/);
    expect(readFileSync(at, 'utf8')).toBe(text);

    const made = await folder.cli(['install', name, '--gateway', '--yes', ...flags]);
    expect(made).toMatchObject({ code: 0 });
    for (const one of left) expect(made.stderr).toContain(`${one} is no process`);
    const changed = readFileSync(at, 'utf8');
    expect(changed).not.toBe(text);
    expect(statSync(at).mode & 0o777).toBe(0o600);
    // What is not led through the gateway stays where it stood, and twice is once.
    await folder.cli(['install', name, '--gateway', '--yes', ...flags]);
    expect(readFileSync(at, 'utf8')).toBe(changed);

    expect(await folder.cli(['uninstall', name, '--gateway', '--yes', ...flags])).toMatchObject({ code: 0 });
    expect(readFileSync(at, 'utf8')).toBe(text);
  },
);

test('what is written keeps names, environments, variables and addresses, and puts no secret among arguments', {
  timeout: 180_000,
}, async () => {
  const folder = projectFolder();
  put(folder, '.cursor/mcp.json', cursor);
  await folder.cli(['install', 'cursor', '--gateway', '--yes']);
  const { mcpServers } = parse(folder.read('.cursor/mcp.json').replace(/^\uFEFF/, ''));
  const start = ['--no-install', 'spec-hooks', 'gateway', '--client', 'cursor', '--name'];
  expect(mcpServers).toEqual({
    github: {
      command: 'npx',
      args: [...start, 'github', '--', 'npx', '-y', 'github-mcp', '--key', '${' + 'env:KEY}'],
      env: { TOKEN: 'tok-en-1' },
    },
    'my wiki': {
      command: 'npx',
      args: [...start, 'my wiki'],
      env: {
        SPEC_HOOKS_URL: 'https://wiki.example/mcp?key=1',
        SPEC_HOOKS_HEADERS: 'Authorization: Bearer s3cret-header',
      },
    },
    odd: { disabled: true },
  });

  // An entry that a person has changed since is theirs.
  const edited = folder.read('.cursor/mcp.json').replace('tok-en-1', 'tok-en-2');
  folder.write('.cursor/mcp.json', edited);
  const back = await folder.cli(['uninstall', 'cursor', '--gateway', '--yes']);
  expect(back).toMatchObject({ code: 1, stderr: expect.stringContaining('github has been changed since') });
  expect(folder.read('.cursor/mcp.json')).toContain('tok-en-2');
  expect(folder.read('.cursor/mcp.json')).toContain('"my wiki": { "url": "https://wiki.example/mcp?key=1"');
});

test('a configuration that is not there, or is not JSON, is told as such', async () => {
  const folder = projectFolder();
  expect(await folder.cli(['install', 'cursor', '--gateway', '--dry-run'])).toMatchObject({
    code: 0,
    stdout: 'Nothing changes: there is no .cursor/mcp.json, so Cursor has no servers there.\n',
  });
  put(folder, '.cursor/mcp.json', '{ "mcpServers": ');
  expect(await folder.cli(['install', 'cursor', '--gateway', '--dry-run'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is not JSON, or its "mcpServers" is not an object'),
  });
});
