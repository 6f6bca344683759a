import { isBuiltin } from 'node:module';
import type { Language } from './languages.ts';

/** What a script loads by itself. */
export interface Loads {
  /** Files by relative paths, as JavaScript names them. */
  readonly files: readonly string[];
  /** Modules by names, as Python does: with the dots in front of a relative one. */
  readonly modules: readonly string[];
  /** What keeps the rest from being told, as the end of a sentence about the script. */
  readonly unread?: string;
}

const NOTHING: Loads = { files: [], modules: [] };
const STARTS_PROGRAMS = 'may start programs or run texts that it makes';

/** Looks through a script that no shell reads. It is for telling what is loaded by plain words, and that there is more. */
export function loadsOf(language: Exclude<Language, 'shell'>, text: string): Loads {
  return readers[language](text);
}

const readers: Readonly<Record<Exclude<Language, 'shell'>, (text: string) => Loads>> = {
  javascript: readJavaScript,
  python: readPython,
  perl: unlessFound(/\b(?:require|do|system|exec|qx|eval|open|open2|open3)\b|\buse\s+lib\b|`|@INC|\bfork\b/),
  awk: unlessFound(/\bsystem\s*\(|\bgetline\b|\|\s*["&\w$]|@(?:include|load)\b/),
  sed: unlessFound(/(?:^|[;{}!$/,\d\s])e(?:\s|$)|\/[gpiIm\d]*e[gpiIm\d]*\s*(?:$|[;}])/m),
  data: () => NOTHING,
};

function unlessFound(pattern: RegExp): (text: string) => Loads {
  return (text) => (pattern.test(text) ? { ...NOTHING, unread: STARTS_PROGRAMS } : NOTHING);
}

const SPECIFIER = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire(?:\.resolve)?\s*\()\s*(['"`])([^'"`\n]+)\1/g;
const DYNAMIC = /\b(?:import|require(?:\.resolve)?)\s*\(\s*(?!\s|(['"])[^'"\n]*\1\s*[),])/;
const EVALUATES =
  /\beval\b|\bFunction\s*\(|\bBun\b|\bDeno\b|\bgetBuiltinModule\b|\bdlopen\b|\bcreateRequire\b|\brequire\s*[^\s(.]|\bmodule\.constructor\b/;
/** Modules of Node that run other files. */
const RUNNERS = /^(?:node:)?(?:child_process|worker_threads|cluster|vm|module|repl|inspector|test)(?:\/|$)/;

function readJavaScript(text: string): Loads {
  const names = [...text.matchAll(SPECIFIER)].map(([, , name]) => name as string);
  const files = names.filter((name) => /^\.{0,2}\//.test(name) || name === '.' || name === '..');
  const others = names.filter((name) => !files.includes(name));
  const runner = others.find((name) => RUNNERS.test(name));
  const foreign = others.find((name) => !isBuiltin(name));
  if (DYNAMIC.test(text) || EVALUATES.test(text) || runner !== undefined)
    return { files, modules: [], unread: STARTS_PROGRAMS };
  return { files, modules: [], ...(foreign === undefined ? {} : { unread: 'loads packages' }) };
}

const IMPORT = /^\s*import\s+(.+)$/;
const FROM = /^\s*from\s+(\.*[\w.]*)\s+import\s+(.+)$/;
const PYTHON_RUNS =
  /\b(?:subprocess|system|popen|Popen|exec[lv]p?e?|spawn\w*|pty|multiprocessing|importlib|runpy|ctypes|cffi|pickle|marshal|shelve|zipimport|pkgutil|imp)\b|\bsys\.path\b|(?<![.\w])(?:exec|eval|compile|__import__|execfile)\s*\(/;

function readPython(text: string): Loads {
  const statements = text.replace(/\\\r?\n/g, ' ').split(/[\n;]|:\s+(?=import\b|from\b)/);
  const modules = statements.flatMap((statement) => {
    const [, listed] = IMPORT.exec(statement) ?? [];
    if (listed !== undefined) return namesIn(listed);
    const [, from, imported] = FROM.exec(statement) ?? [];
    if (from === undefined || imported === undefined) return [];
    const inner = namesIn(imported).map((name) =>
      from.endsWith('.') ? `${from}${name}` : `${from}.${name}`,
    );
    return [from, ...inner];
  });
  const unread = PYTHON_RUNS.test(text) ? { unread: STARTS_PROGRAMS } : {};
  return { files: [], modules: modules.filter((name) => /\w/.test(name)), ...unread };
}

function namesIn(list: string): string[] {
  return list
    .replace(/[()]|#.*/g, '')
    .split(',')
    .map((part) => part.trim().split(/\s/)[0] ?? '')
    .filter((name) => /^[\w.]+$/.test(name));
}
