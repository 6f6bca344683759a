import { type CommandEntry, type CompiledEntry, compileEntry, dialectTraits } from '@spec/commands';
import type { Project } from '../project/load-project.ts';
import { type CheckFinding, finding } from './finding.ts';
import { hasDecision, isFilledIn, nearMiss, objectAt, printedObjects } from './near-misses.ts';
import { sampleOccasion } from './occasion.ts';

/** Answers in JSON that commands print as they are written, and that their format does not read. */
export function outputFindings({ settings, folder }: Project): CheckFinding[] {
  return (settings?.entries ?? []).flatMap((entry) => {
    if (entry.handler.type !== 'command') return [];
    const answers = answersIn([entry.handler.command, ...(entry.handler.args ?? [])].join('\n'));
    const compiled = compileEntry(entry);
    const found = answers
      .filter((text) => !isFilledIn(text))
      .flatMap((text) => unread(compiled, text, folder));
    return found.length > 0
      ? found
      : printedObjects(compiled).flatMap((text) => missed(compiled, text, folder));
  });
}

/** What was meant for an answer, and is none. */
function missed(compiled: CompiledEntry, text: string, folder: string): CheckFinding[] {
  const { entry } = compiled;
  if (isFilledIn(text)) return [];
  if (!dialectTraits[entry.dialect].answersInJson)
    return hasDecision(text) ? unread(compiled, text, folder) : [];
  const key = nearMiss(compiled, text, folder);
  if (key === undefined) return [];
  const meant = key === 'additionalContext' || key === 'updatedInput' || key.startsWith('permissionDecision');
  const { misplacedField } = dialectTraits[entry.dialect];
  const hint = meant && misplacedField !== undefined ? `; ${misplacedField}` : '';
  return [
    about(entry, `"${key}" means nothing there on ${entry.eventName}, and all goes on as without it${hint}.`),
  ];
}

/** What answers are made of, whatever the format. */
const ANSWER_KEYS: readonly string[] = [
  'decision',
  'permissionDecision',
  'hookSpecificOutput',
  'updatedInput',
  'additionalContext',
  'systemMessage',
  'continue',
];

/** The objects in a shell line that look like an answer. What the shell fills in stands in them as text. */
function answersIn(line: string): string[] {
  const plain = line.replaceAll('\\"', '"');
  const found: string[] = [];
  for (let at = plain.indexOf('{'); at >= 0; at = plain.indexOf('{', at + 1)) {
    const text = objectAt(plain, at);
    if (text === undefined) continue;
    if (Object.keys(JSON.parse(text) as object).some((key) => ANSWER_KEYS.includes(key))) found.push(text);
    at += text.length - 1;
  }
  return found;
}

function unread({ entry, answer }: CompiledEntry, text: string, folder: string): CheckFinding[] {
  const given = { exitCode: 0, stdout: new TextEncoder().encode(`${text}\n`), stderr: new Uint8Array() };
  const { failure, context } = answer(given, sampleOccasion(entry, folder));
  if (failure?.effect === 'onInvalidOutput') return [about(entry, `${failure.why}.`)];
  if (dialectTraits[entry.dialect].answersInJson || says(text) === 'nothing') return [];
  const words = context === undefined ? 'and does nothing' : 'and goes to the model as text';
  return [about(entry, `the format ${entry.dialect} reads no JSON, ${words}.`)];
}

/** Whether an answer has something to say, in any format. */
function says(text: string): 'something' | 'nothing' {
  const { continue: goesOn, suppressOutput: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return goesOn !== false && Object.keys(rest).length === 0 ? 'nothing' : 'something';
}

function about(
  { position: { file, line, column, path }, dialect }: CommandEntry,
  what: string,
): CheckFinding {
  const message = `This command prints an answer in JSON that is not read: ${what} ${dialectTraits[dialect].unreadAnswer}.`;
  return finding({ level: 'warning', code: 'unread_output', file, line, column, entry: path, message });
}
