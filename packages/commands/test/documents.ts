import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRuntime, defineAgent, definePrompt, defineTool, type Runtime } from '@spec/runtime';
import { type ScriptedModel, type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import type { JsonObject } from 'type-fest';
import { onTestFinished } from 'vitest';
import { commandHooks } from '../src/members/command-hooks.ts';
import type { CompiledEntry, Dialect, Occasion, ReadFile } from '../src/normal-form.ts';
import { parseSettings } from '../src/settings-file.ts';

const specs = join(import.meta.dirname, '../../../../shared/specs');

/** The fenced blocks of a source document in a language, in their order; `undefined`, with a printed reason, where it is absent. */
export function readBlocks(document: string, language: string): string[] | undefined {
  const path = join(specs, document);
  if (!existsSync(path)) {
    console.warn(`Not tested: ${document} is not beside the checkout.`);
    return undefined;
  }
  const fenced = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return [...readFileSync(path, 'utf8').matchAll(fenced)].map(([, block]) => block as string);
}

/** A file of a dialect, as it is loaded; entries that do not compile throw. */
export interface Loaded extends ReadFile {
  /** What `recognises` sees; empty where it is no JSON. */
  readonly content: JsonObject;
  readonly compiled: readonly CompiledEntry[];
  /** Codes of the findings, each with its path. */
  readonly codes: readonly string[];
}

export function load(dialect: Dialect, content: string | object): Loaded {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const { settings, findings } = parseSettings(text, { file: 'settings.json', layer: 'project' });
  const read = settings === undefined ? { entries: [], findings } : dialect.read(settings);
  return {
    ...read,
    content: settings?.content ?? {},
    compiled: read.entries.map((entry) => dialect.compile(entry)),
    codes: read.findings.map(({ code, position }) => `${code} ${position.path}`.trim()),
  };
}

export const documentedOccasion: Occasion = {
  event: 'before_tool_call',
  threadId: 'thread-1',
  sessionId: 'session-1',
  agentId: 'go-dev',
  userId: 'taipm',
  isSubagent: false,
  projectDir: '/project',
  sandboxDir: '/sandbox',
  permissionMode: 'default',
  timestamp: '2025-12-31T10:30:00Z',
  executionId: 'execution-1',
};

/** An occasion of a tool call. */
export function documentedCall(name: string, input: Record<string, string> = {}): Occasion {
  return { ...documentedOccasion, tool: { id: 'call-1', name, input } };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export function exited(
  exitCode: number,
  { stdout = '', stderr = '' }: { readonly stdout?: string; readonly stderr?: string } = {},
): Parameters<CompiledEntry['answer']>[0] {
  return { exitCode, stdout: bytes(stdout), stderr: bytes(stderr) };
}

/** A folder that is gone after the test. */
export function project(files: Readonly<Record<string, string>> = {}): {
  readonly path: string;
  read(name: string): string;
} {
  const path = mkdtempSync(join(tmpdir(), 'dialect-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(path, name), content, { mode: 0o755 });
  return { path, read: (name) => readFileSync(join(path, name), 'utf8') };
}

export interface Living {
  readonly runtime: Runtime;
  readonly model: ScriptedModel;
  /** The names of the tools that ran. */
  readonly ran: string[];
}

/** A runtime in which a file's entries are policies; its tools answer `NAME ran`. */
export function living(
  { dialect, content, projectDir }: { dialect: Dialect; content: string | object; projectDir: string },
  tools: readonly string[],
  script: Iterable<ScriptedStep>,
): Living {
  const { compiled } = load(dialect, content);
  const model = scriptedModel(script);
  const ran: string[] = [];
  const runtime = createRuntime({
    agents: [defineAgent({ name: 'helper', prompt: 'main' })],
    prompts: [definePrompt({ name: 'main', tools: [...tools] })],
    tools: tools.map((name) =>
      defineTool({
        name,
        execute() {
          ran.push(name);
          return `${name} ran`;
        },
      }),
    ),
    models: { scripted: model },
    policies: commandHooks(
      [{ file: 'settings.json', id: 'project', layer: 'project', dialect, entries: compiled }],
      { projectDir },
    ),
  });
  onTestFinished(() => runtime.close());
  return { runtime, model, ran };
}
