import type { AnyHook, LifecycleName } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt, defineTool, type Runtime } from '@spec/runtime';
import { type ScriptedModel, type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import { onTestFinished } from 'vitest';
import { dialectTraits } from '../src/dialect-traits.ts';
import type { CompiledFile } from '../src/members/options.ts';
import type { CommandEntry, CompiledEntry, Dialect, EntryAnswer, Strategy } from '../src/normal-form.ts';

/** An entry as a test writes it. */
export type PlainEntry = Partial<CommandEntry> & { readonly event: LifecycleName; readonly command: string };

/** A dialect for tests: a matcher is a tool's name, an answer is a JSON object with the fields of an {@link EntryAnswer}. */
export function plainDialect(options: Partial<Dialect> & { strategy?: () => Strategy } = {}): Dialect {
  return {
    ...dialectTraits.hub,
    name: 'settings',
    recognises: () => true,
    read: () => ({ entries: [], findings: [] }),
    compile: compilePlain,
    strategy: () => 'serial',
    ...options,
  };
}

export function plainFile(entries: readonly PlainEntry[], file: Partial<CompiledFile> = {}): CompiledFile {
  const { dialect = plainDialect() } = file;
  return {
    file: 'settings.json',
    id: 'plain_project',
    layer: 'project',
    dialect,
    entries: entries.map((entry, i) => dialect.compile(plainEntry(entry, i + 1))),
    ...file,
  };
}

function plainEntry({ command, ...entry }: PlainEntry, line: number): CommandEntry {
  return {
    id: `plain_${line}`,
    dialect: 'settings',
    layer: 'project',
    position: { file: 'settings.json', line, column: 1, path: `hooks[${line - 1}]` },
    eventName: entry.event,
    handler: { type: 'command', command },
    priority: 0,
    timeoutMs: 5_000,
    effects: {
      onBlockingExit: 'block',
      onExit: 'continue',
      onTimeout: 'continue',
      onLaunchError: 'continue',
      onInvalidOutput: 'continue',
    },
    rewrite: 'merge',
    isAwaited: true,
    ...entry,
  };
}

function compilePlain(entry: CommandEntry): CompiledEntry {
  const { matcher } = entry;
  return {
    entry,
    isByToolName: true,
    mismatch: ({ tool }) =>
      matcher === undefined || tool?.name === matcher ? undefined : `tools: ${matcher} is not ${tool?.name}`,
    invocation: (occasion) => ({
      handler: entry.handler,
      payload: JSON.stringify(occasion),
      env: { TOOL: occasion.tool?.name ?? '', SESSION: occasion.sessionId, THREAD: occasion.threadId },
      payloadVariables: { INPUT: JSON.stringify(occasion.tool?.input ?? {}), PROMPT: occasion.prompt ?? '' },
    }),
    answer({ exitCode, stdout, stderr }): EntryAnswer {
      if (exitCode === 2)
        return {
          reason: Buffer.from(stderr).toString().trim(),
          failure: { effect: 'onBlockingExit', why: 'exit code 2' },
        };
      if (exitCode !== 0) return { failure: { effect: 'onExit', why: `exit code ${exitCode}` } };
      try {
        const text = Buffer.from(stdout).toString().trim();
        return text === '' ? {} : (JSON.parse(text) as EntryAnswer);
      } catch {
        return { failure: { effect: 'onInvalidOutput', why: 'it is not JSON' } };
      }
    },
  };
}

/** A runtime with one agent, which has the tools `Bash` and `Read` and does as the script says. */
export interface Sample {
  readonly runtime: Runtime;
  readonly model: ScriptedModel;
  /** The inputs that `Bash` ran with. */
  readonly ran: unknown[];
}

export function sampleRuntime(policies: readonly AnyHook[], script: Iterable<ScriptedStep>): Sample {
  const model = scriptedModel(script);
  const ran: unknown[] = [];
  const tool = (name: string) =>
    defineTool({
      name,
      execute(input) {
        ran.push(input);
        return `${name} ran`;
      },
    });
  const runtime = createRuntime({
    agents: [defineAgent({ name: 'helper', type: 'ai_human', prompt: 'main' })],
    prompts: [
      definePrompt({ name: 'main', tools: ['Bash', 'Read', 'ask_child'] }),
      definePrompt({ name: 'child' }),
    ],
    tools: [tool('Bash'), tool('Read'), defineTool({ name: 'ask_child', prompt: 'child' })],
    models: { scripted: model },
    policies,
  });
  onTestFinished(() => runtime.close());
  return { runtime, model, ran };
}
