import { type CommandEntry, type CompiledEntry, compileEntry, type DialectName } from '@spec/commands';
import type { Project } from '../project/load-project.ts';
import { type CheckFinding, finding } from './finding.ts';
import { sampleOccasion } from './occasion.ts';

/** Answers in JSON that commands print as they are written, and that their format does not read. */
export function outputFindings({ settings, folder }: Project): CheckFinding[] {
  return (settings?.entries ?? []).flatMap((entry) => {
    if (entry.handler.type !== 'command') return [];
    const answers = answersIn([entry.handler.command, ...(entry.handler.args ?? [])].join('\n'));
    if (answers.length === 0) return [];
    const compiled = compileEntry(entry);
    return answers.flatMap((text) => unread(compiled, text, folder));
  });
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

/** Longer answers are made by scripts. */
const MAX_ANSWER = 2_000;

/** The JSON object that begins at a place, if one does. */
function objectAt(text: string, start: number): string | undefined {
  for (
    let end = text.indexOf('}', start);
    end >= 0 && end - start < MAX_ANSWER;
    end = text.indexOf('}', end + 1)
  ) {
    const part = text.slice(start, end + 1);
    try {
      JSON.parse(part);
      return part;
    } catch {}
  }
  return undefined;
}

function unread({ entry, answer }: CompiledEntry, text: string, folder: string): CheckFinding[] {
  const given = { exitCode: 0, stdout: new TextEncoder().encode(`${text}\n`), stderr: new Uint8Array() };
  const { failure, context } = answer(given, sampleOccasion(entry, folder));
  if (failure?.effect === 'onInvalidOutput') return [about(entry, `${failure.why}.`)];
  if (readsJson[entry.dialect] || says(text) === 'nothing') return [];
  const words = context === undefined ? 'and does nothing' : 'and goes to the model as text';
  return [about(entry, `the format ${entry.dialect} reads no JSON, ${words}.`)];
}

const readsJson: Readonly<Record<DialectName, boolean>> = {
  settings: false,
  hub: false,
  service: true,
  claude: true,
};

/** Whether an answer has something to say, in any format. */
function says(text: string): 'something' | 'nothing' {
  const { continue: goesOn, suppressOutput: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return goesOn !== false && Object.keys(rest).length === 0 ? 'nothing' : 'something';
}

const remedies: Readonly<Record<DialectName, string>> = {
  settings: 'Hooks of this format block by their exit code, with "continueOnFailure": false',
  hub: 'Hooks of this format block by their exit code, with "continueOnError": false; scripts of rules can answer more',
  service: 'The guide to the format service lists what it reads',
  claude: 'The guide to the format claude lists what each event reads',
};

function about({ place: { file, line, column, path }, dialect }: CommandEntry, what: string): CheckFinding {
  const message = `This command prints an answer in JSON that is not read: ${what} ${remedies[dialect]}.`;
  return finding({ level: 'warning', code: 'unread_output', file, line, column, entry: path, message });
}
