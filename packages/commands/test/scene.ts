import type { AnyHook, HookToolCall } from '@spec/hooks';
import {
  type AgentDefinition,
  type AnyTool,
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type Runtime,
  type Thread,
} from '@spec/runtime';
import { type ScriptedModel, type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import { onTestFinished } from 'vitest';
import { commandHooks } from '../src/members/command-hooks.ts';
import type { CommandOptions } from '../src/members/options.ts';
import type { CompiledEntry, Dialect } from '../src/normal-form.ts';
import { projectFolder } from './project-folder.ts';
import { settingsFile } from './settings-file.ts';

/** A model's call of a tool. */
export function calls(name: string, input: Record<string, unknown> = {}): ScriptedStep {
  return { toolCalls: [{ name, input }] };
}

export interface SceneOptions {
  readonly dialect: Dialect;
  /** The `hooks` of one settings file, or of several. */
  readonly files: readonly object[];
  /** What the models answer, by name; the agent asks `main`. */
  readonly models?: Readonly<Record<string, readonly ScriptedStep[]>>;
  readonly script?: readonly ScriptedStep[];
  /** Tools whose calls fail. */
  readonly failing?: readonly string[];
  readonly tools?: readonly AnyTool[];
  readonly before?: readonly AnyHook[];
  readonly after?: readonly AnyHook[];
  readonly options?: Partial<CommandOptions>;
  readonly agents?: readonly AgentDefinition<never>[];
  readonly onAsk?: () => Promise<boolean>;
  readonly folder?: ReturnType<typeof projectFolder>;
}

export interface RunningScene {
  readonly runtime: Runtime;
  readonly thread: Thread;
  readonly model: ScriptedModel;
  readonly folder: ReturnType<typeof projectFolder>;
  /** The calls that ran, as `NAME {input}`. */
  readonly ran: string[];
  /** The entries that ran or did not, as `ID OUTCOME`. */
  outcomes(): Promise<string[]>;
  /** The messages that the model was sent with its last call, as text. */
  sent(): string;
}

const TOOLS = ['Bash', 'Read', 'Write', 'Edit'];

function makeTools({ failing = [], tools = [] }: SceneOptions, ran: string[]): AnyTool[] {
  const named = TOOLS.map((name) =>
    defineTool({
      name,
      parameters: { type: 'object' },
      execute(input) {
        ran.push(`${name} ${JSON.stringify(input)}`);
        if (failing.includes(name)) throw new Error('the tool broke');
        return `${name} ran`;
      },
    }),
  );
  return [...named, ...tools];
}

function makeHooks({ dialect, files, options }: SceneOptions, projectDir: string): AnyHook[] {
  return files.flatMap((hooks, i) => {
    const id = `${dialect.name}_project_${i + 1}`;
    const file = settingsFile({ hooks }, `settings-${i + 1}.json`);
    const entries: CompiledEntry[] = dialect
      .read({ ...file, entryId: (_, event, at) => `${id}_${event.toLowerCase()}_${at + 1}` })
      .entries.map((entry) => dialect.compile(entry));
    const { maxConcurrent } = dialect.read(file);
    return commandHooks([{ file: file.file, id, layer: 'project', dialect, entries, maxConcurrent }], {
      projectDir,
      ...options,
    });
  });
}

/** A thread in a runtime whose policies are the entries of settings files. */
export async function stage(scene: SceneOptions): Promise<RunningScene> {
  const {
    script = [calls('Bash', { command: 'ls' }), 'Done.'],
    models = {},
    before = [],
    after = [],
    onAsk,
  } = scene;
  const folder = scene.folder ?? projectFolder();
  const ran: string[] = [];
  const tools = makeTools(scene, ran);
  const model = scriptedModel(script);
  const others = Object.entries(models).map(([name, steps]) => [name, scriptedModel(steps)] as const);
  const runtime = createRuntime({
    agents: [defineAgent({ name: 'helper', prompt: 'main' }), ...(scene.agents ?? [])],
    prompts: [
      definePrompt({ name: 'main', model: 'main', tools: tools.map(({ name }) => name) }),
      definePrompt({ name: 'plain', model: 'main' }),
    ],
    tools,
    models: { ...Object.fromEntries(others), main: model },
    policies: [...before, ...makeHooks(scene, folder.path), ...after],
    ...(onAsk === undefined ? {} : { onAsk }),
  });
  onTestFinished(() => runtime.close());
  const thread = await runtime.createThread({ agent: 'helper' });
  return {
    runtime,
    thread,
    model,
    folder,
    ran,
    outcomes: async () => {
      const runs = await runtime.ledger.runs();
      return runs
        .filter(({ id }) => /_\d+_[a-z]+_\d+$/.test(id))
        .map(({ id, outcome }) => `${id.replace(/^[a-z]+_project_/, '')} ${outcome}`);
    },
    sent: () => JSON.stringify(model.calls.at(-1)?.prompt),
  };
}

/** The arguments of a call. */
export function parseCallArguments(call: HookToolCall): Record<string, unknown> {
  return JSON.parse(call.function.arguments) as Record<string, unknown>;
}
