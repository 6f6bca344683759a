import type { CommandEntry, Dialect } from '../normal-form.ts';
import type { Loss } from './losses.ts';

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

/** One module for each entry: its command runs as before, until somebody puts a function in its place. */
export function modulesFor(
  entries: readonly CommandEntry[],
  { dialect, maxConcurrent, losses }: Source,
): { readonly modules: readonly HookModule[]; readonly losses: readonly Loss[] } {
  const modules = entries.map((entry, i) => moduleFor(entry, i));
  const own = entries.flatMap((entry) => findLosses(entry, dialect, maxConcurrent));
  return { modules, losses: [...losses, ...own] };
}

function moduleFor(entry: CommandEntry, position: number): HookModule {
  const { id, event, eventName, place } = entry;
  const name = `${String(position + 1).padStart(3, '0')}-${id}.ts`;
  const text = `import { commandEntry } from '@spec/commands';
import { defineHook } from '@spec/hooks';

// ${eventName} of ${oneLine(place.file)}:${place.line}, ${oneLine(place.path)}. To move it to TypeScript, write a function in the place of commandEntry(…).
export default defineHook({
  hook: '${event}',
  id: '${id}',
  priority: ${entry.priority},
  timeout: ${entry.timeoutMs + SLACK_MS},
  execute: commandEntry('${event}', ${indented(JSON.stringify(awaitedEntry(entry), null, 2))}),
});
`;
  return { name, text };
}

/** A file may have any name. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]/g, ' ');
}

/** For starting and ending a command. */
const SLACK_MS = 10_000;

function awaitedEntry(entry: CommandEntry): CommandEntry {
  return { ...entry, isAwaited: true };
}

function indented(json: string): string {
  return json.replaceAll('\n', '\n  ');
}

function findLosses(entry: CommandEntry, dialect: Dialect, maxConcurrent: number | undefined): Loss[] {
  const { place, eventName } = entry;
  const losses: Omit<Loss, 'place'>[] = [
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
  return losses.map((loss) => ({ ...loss, place }));
}
