import type { JsonObject } from 'type-fest';
import type {
  CommandEntry,
  CompiledEntry,
  Dialect,
  HandlerAnswer,
  Occasion,
  ReadFile,
  SettingsFile,
} from '../src/normal-form.ts';
import { parseSettings } from '../src/settings-file.ts';

/** A settings file from its text or its content. */
export function settingsFile(content: string | object, file = 'settings.json'): SettingsFile {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const { settings, findings } = parseSettings(text, { file, layer: 'project' });
  if (settings === undefined) throw new Error(`it cannot be parsed: ${JSON.stringify(findings)}`);
  return settings;
}

/** What a dialect reads from a file whose `hooks` are given. */
export function readHooks(dialect: Dialect, hooks: object, file?: string): ReadFile {
  return dialect.read(settingsFile({ hooks }, file));
}

/** The only entry of one event, compiled; a hook alone stands for a group with it. */
export function compiledEntry(dialect: Dialect, hooks: object, file?: string): CompiledEntry {
  const { entries, findings } = readHooks(dialect, hooks, file);
  if (entries.length !== 1) throw new Error(`expected one entry: ${JSON.stringify(findings)}`);
  return dialect.compile(entries[0] as CommandEntry);
}

/** An occasion before a call of a tool; other events by their fields. */
export function occasion(given: Partial<Occasion> = {}): Occasion {
  return {
    event: 'before_tool_call',
    threadId: 'thread-1',
    sessionId: 'session-1',
    agentId: 'coder',
    userId: null,
    isSubagent: false,
    projectDir: '/work/project',
    sandboxDir: '/work/project',
    permissionMode: 'default',
    timestamp: '2026-08-01T10:00:00.000Z',
    executionId: 'run-1',
    ...given,
  };
}

/** An occasion before a call of this tool. */
export function toolCall(name: string, input: JsonObject = {}, more: Partial<Occasion> = {}): Occasion {
  return occasion({ tool: { id: 'call-1', name, input }, ...more });
}

const utf8 = new TextEncoder();

/** What a command gave. */
export function given(exitCode: number, stdout: string | object = '', stderr = ''): HandlerAnswer {
  const text = typeof stdout === 'string' ? stdout : JSON.stringify(stdout);
  return { exitCode, stdout: utf8.encode(text), stderr: utf8.encode(stderr) };
}

/** The codes and places of all findings. */
export function listCodes({ findings }: ReadFile): string[] {
  return findings.map(({ level, code, position }) => `${level} ${code} at ${position.path}`);
}
