import { join } from 'node:path';
import type { Finding } from '@spec/commands';
import type { LoadProblem, Project } from '../project/load-project.ts';
import { isAboutTrust } from '../project/lost-entries.ts';
import { type CheckFinding, finding, readPosition } from './finding.ts';

/** What could not be loaded, and what the loaders found in what could. */
export function loadingFindings({ problems, settings, rules }: Project): CheckFinding[] {
  return [
    ...problems.flatMap(problemFindings),
    ...(settings?.findings ?? []).map(settingsFinding),
    ...(rules?.findings ?? []).map(({ level, position, rule, message }) =>
      finding({ level, code: 'rule', ...readPosition(position), entry: rule, message }),
    ),
  ];
}

function settingsFinding(found: Finding): CheckFinding {
  const {
    level,
    code,
    position: { file, line, column, path },
    message,
  } = found;
  const remedy = isAboutTrust(found) ? ` Run: spec-hooks trust ${file}` : '';
  return finding({ level, code, file, line, column, entry: path || null, message: `${message}${remedy}` });
}

/** An error may tell of several things, one a line below its first. */
function problemFindings(problem: LoadProblem): CheckFinding[] {
  const [head = '', ...lines] = problem.message.split(/\n(?= {2}\S|- )/);
  if (lines.length === 0) return [(problem.part === 'settings' ? settingsLine : plain)(head, problem)];
  return lines.map((line) => (readers[problem.part] ?? plain)(line.trim(), problem));
}

type Reader = (line: string, problem: LoadProblem) => CheckFinding;

const plain: Reader = (line, { file, code }) =>
  finding({ level: 'error', code, file, message: line.replace(/^- /, '') });

/** `cards.ts: line 4: it …` */
const moduleLine: Reader = (line, { file: folder, code }) => {
  const [, path = '', reason = line] = /^(\S.*?): ([\s\S]*)$/.exec(line) ?? [];
  const [, at, column] = /^(?:line |does not parse at )(\d+)(?::(\d+))?/.exec(reason) ?? [];
  return finding({
    level: 'error',
    code,
    file: join(folder, path),
    line: at === undefined ? null : Number(at),
    column: column === undefined ? null : Number(column),
    message: `${reason.replace(/^line \d+: /, '').replace(/(?<![.?!])$/, '.')} No hook of the folder is loaded.`,
  });
};

/** `settings.json:2:1 hooks.PreToolUse[0]: It … (bad_matcher)` */
const settingsLine: Reader = (line, problem) => {
  const [, position, entry, message, code] =
    /^(.*?:\d+:\d+)(?: (\S+))?: ([\s\S]*) \((\w+)\)$/.exec(line) ?? [];
  if (code === undefined || message === undefined) return plain(line, problem);
  return finding({ level: 'error', code, ...readPosition(position), entry: entry ?? null, message });
};

const readers: Readonly<Partial<Record<LoadProblem['part'], Reader>>> = {
  hooks: moduleLine,
  policies: moduleLine,
  settings: settingsLine,
  rules(line, problem) {
    const [, position, entry, message] = /^- (.*?), rule (.*?): ([\s\S]*)$/.exec(line) ?? [];
    if (message === undefined) return plain(line, problem);
    return finding({
      level: 'error',
      code: problem.code,
      ...readPosition(position),
      entry: entry ?? null,
      message,
    });
  },
};
