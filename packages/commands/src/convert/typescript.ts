import { type LifecycleName, lifecycleRow } from '@spec/hooks';
import { isAboutTool } from '../members/events.ts';
import type { CommandEntry, Dialect } from '../normal-form.ts';
import type { Loss } from './losses.ts';
import { makeMatcherModel } from './matcher-model.ts';

/** A TypeScript module with a hook. */
export interface HookModule {
  /** `claude_project_pre_tool_use_1.ts`. */
  readonly name: string;
  readonly text: string;
}

interface Source {
  readonly dialect: Dialect;
  readonly maxConcurrent: number | undefined;
  readonly losses: readonly Loss[];
}

/** One module for each entry: a hook that calls its command, until somebody writes the check itself. */
export function modulesFor(
  entries: readonly CommandEntry[],
  { dialect, maxConcurrent, losses }: Source,
): { readonly modules: readonly HookModule[]; readonly losses: readonly Loss[] } {
  const modules = entries.map((entry, i) => moduleFor(entry, i));
  const own = entries.flatMap((entry) => findLosses(entry, dialect, maxConcurrent));
  return { modules, losses: [...losses, ...own] };
}

function moduleFor(entry: CommandEntry, index: number): HookModule {
  const { id, event, eventName, position } = entry;
  const name = `${String(index + 1).padStart(3, '0')}-${id}.ts`;
  const parameters = ['state', ...nameSubjects(event)].join(', ');
  const text = `import { commandEntry } from '@spec/commands';
import { defineHook } from '@spec/hooks';

// ${eventName} of ${oneLine(position.file)}:${position.line}, ${oneLine(position.path)}.
const runCommand = commandEntry('${event}', ${JSON.stringify(awaitedEntry(entry), null, 2)});

export default defineHook({
  hook: '${event}',
  id: '${id}',${renderMatch(entry)}
  priority: ${entry.priority},
  timeout: ${entry.timeoutMs + SLACK_MS},
  // Write what the command does in TypeScript here; then runCommand can go.
  execute: async (${parameters}) => runCommand(${parameters}),
});
`;
  return { name, text };
}

function nameSubjects(event: LifecycleName): readonly string[] {
  const { length } = lifecycleRow(event).args;
  return length === 2 ? ['toolCall', 'result'] : ['subject'].slice(0, length);
}

/** Writes the match if the entry names tools exactly. The command's own matcher still checks everything else. */
function renderMatch(entry: CommandEntry): string {
  const { names } = isAboutTool(entry.event) ? makeMatcherModel(entry) : {};
  return names?.every((name) => PLAIN_NAME.test(name)) ? `\n  match: '${names.join('|')}',` : '';
}

/** A tool's name that a matcher in code reads as a name. */
const PLAIN_NAME = /^\w+$/;

/** A file may have any name. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]/g, ' ');
}

/** For starting and ending a command. */
const SLACK_MS = 10_000;

function awaitedEntry(entry: CommandEntry): CommandEntry {
  return { ...entry, isAwaited: true };
}

function findLosses(entry: CommandEntry, dialect: Dialect, maxConcurrent: number | undefined): Loss[] {
  const { position, eventName } = entry;
  const losses: Omit<Loss, 'position'>[] = [
    ...(entry.isAwaited
      ? []
      : [
          {
            level: 'changed',
            field: 'isAwaited',
            message: 'The turn waits for it now; it ran in the background before.',
          } as const,
        ]),
    ...(dialect.strategy(eventName) === 'serial'
      ? []
      : [
          {
            level: 'changed',
            field: 'order',
            message: `The entries of ${eventName} are hooks of their own now: they run one after another, and all of them.`,
          } as const,
        ]),
    ...(maxConcurrent === undefined
      ? []
      : [
          {
            level: 'dropped',
            field: 'maxConcurrent',
            message: 'Hooks run one after another: a limit has no meaning.',
          } as const,
        ]),
  ];
  return losses.map((loss) => ({ ...loss, position }));
}
