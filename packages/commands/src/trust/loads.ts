import { isBuiltin } from 'node:module';
import { namesFile } from './javascript-files.ts';
import type { Language } from './languages.ts';

/** What a script itself loads. */
export interface Loads {
  /** Files by paths or URLs, as JavaScript names them. */
  readonly files: readonly string[];
  /** Python modules by name; a relative one keeps its leading dots. */
  readonly modules: readonly string[];
  /** Why the rest is unknown, as the end of a sentence about the script. */
  readonly unread?: string;
}

const NOTHING: Loads = { files: [], modules: [] };
const STARTS_PROGRAMS = 'may start programs or run texts that it makes';

/** Searches a script in a language other than shell. Finds what it loads with plain words, and whether it loads more. */
export function findLoads(language: Exclude<Language, 'shell'>, text: string): Loads {
  return readers[language](text);
}

const readers: Readonly<Record<Exclude<Language, 'shell'>, (text: string) => Loads>> = {
  javascript: readJavaScript,
  python: readPython,
  perl: unlessFound(
    /(?<![A-Za-z])(?:require|do|system|exec|qx|eval|open\w*|readpipe|fork|syscall|dump|CORE|IPC|POSIX)(?![A-Za-z])|\buse\s+lib\b|`|\||@INC|[^\w\s][msixpodualngcr]*e[msixpodualngcr]*e/,
  ),
  awk: unlessFound(/system|getline|@|(?<!\|)\|(?!\|)/),
  sed: (text) => (SED.test(text) ? NOTHING : { ...NOTHING, unread: STARTS_PROGRAMS }),
  jq: unlessFound(/(?<![A-Za-z])(?:include|import)(?![A-Za-z])|\uFFFF/),
  applescript: unlessFound(/\b(?:do|run|load|use|tell|osax)\b|\uFFFF/i),
  data: () => NOTHING,
};

function unlessFound(pattern: RegExp): (text: string) => Loads {
  return (text) => (pattern.test(text) ? { ...NOTHING, unread: STARTS_PROGRAMS } : NOTHING);
}

/** Scripts of sed that only edit: all commands are among these, and no flag of `s` runs or writes its result. */
const SED_ADDRESS = String.raw`(?:\d+|\$|\/(?:\\[\s\S]|[^\\/\uFFFF])*\/[IM]*)`;
const SED_EDIT = String.raw`s(?<by>[^\w\s\\\uFFFF])(?:\\[\s\S]|(?!\k<by>)[^\\\uFFFF])*\k<by>(?:\\[\s\S]|(?!\k<by>)[^\\\uFFFF])*\k<by>[gpiIMm\d]*`;
const SED_COMMAND = String.raw`(?:${SED_ADDRESS}(?:\s*,\s*\+?${SED_ADDRESS})?\s*!?\s*)?(?:[pdDgGhHnNPxz=]|[qQ]\d*|[{}]|${SED_EDIT})`;
const SED = new RegExp(String.raw`^(?:\s*(?:#[^\n]*(?:\n|$)|;|${SED_COMMAND}\s*(?=[;}\n]|$|(?<=\{))))*\s*$`);

const SPECIFIER = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire(?:\.resolve)?\s*\()\s*(['"`])([^'"`\n]+)\1/g;
/** What follows a word that loads something. Anything else is unknown. */
const LOADING =
  /(?:import|require)(?![\w$])(?!\s*(['"])[^'"\\\n]+\1)(?!(?:\.resolve)?\s*\(\s*(['"])[^'"\\\n]+\2\s*[),])(?!\s+(?:type\s+)?[\w$*{][\w$*{},\s]*?\bfrom\s*(['"])[^'"\\\n]+\3)(?!\s*\{[\w$*,\s]*\}\s*from\s*(['"])[^'"\\\n]+\4)(?!\.(?:meta\.(?:url|dirname|filename|main)|main)(?!\w))|\bfrom\s*(?:\/[*/]|(['"])[^'"\n]*\\)/;
const EVALUATES =
  /(?<![A-Za-z])(?:Function|constructor|eval|execve|_load|_compile|_extensions|createRequire|mainModule|Module|runMain|dlopen|binding|getBuiltinModule|child_process|[Ww]orker|worker_threads|vm|cluster|spawn\w*|popen|WebAssembly|ShadowRealm|Bun|Deno)(?![A-Za-z])|\barguments\s*\[|\.\.\.\s*arguments\b|\\(?:u\{?0*|x)(?:4[1-9a-f]|5[\da]|6[1-9a-f]|7[\da])/i;
/** Node modules that run other files. */
const RUNNERS = /^(?:node:)?(?:child_process|worker_threads|cluster|vm|module|repl|inspector|test)(?:\/|$)/;

function readJavaScript(text: string): Loads {
  const names = [...text.matchAll(SPECIFIER)].map(([, , name]) => name as string);
  const files = names.filter(namesFile);
  const others = names.filter((name) => !files.includes(name));
  const runner = others.find((name) => RUNNERS.test(name));
  const foreign = others.find((name) => !isBuiltin(name));
  if (LOADING.test(text) || EVALUATES.test(text) || joinsNames(text) || runner !== undefined)
    return { files, modules: [], unread: STARTS_PROGRAMS };
  return { files, modules: [], ...(foreign === undefined ? {} : { unread: 'loads packages' }) };
}

/** Whether the name of a property is joined from texts, as in `global['ev' + 'al']`. */
function joinsNames(text: string): boolean {
  let isInBrackets = false;
  for (const [sign] of text.matchAll(/[[\]\n]|['"`]\s*\+/g)) {
    if (sign.length > 1 && isInBrackets) return true;
    isInBrackets = sign === '[' || (isInBrackets && sign.length > 1);
  }
  return false;
}

const IMPORT = /^\s*import\s+(.+)$/;
const FROM = /^\s*from\s*(\.*[\w.]*)\s*import\b\s*(.+)$/;
const PYTHON_RUNS =
  /(?<![A-Za-z])(?:exec\w*|eval|(?<!\bre\.)compile|subprocess\w*|system|[Pp]open\w*|spawn\w*|fork\w*|startfile|builtins|globals|vars|getattr|attrgetter|methodcaller|pty|multiprocessing|concurrent|asyncio|import_|import__|importlib|runpy|ctypes|cffi|pickle|marshal|shelve|zipimport|pkgutil|imp|inspect|typing\.get_type_hints|codeop|pdb|timeit|doctest|FunctionType|CodeType|site|get_type_hints|dictConfig|fileConfig|load_extension)(?![A-Za-z])|__(?!name__|main__|file__|doc__|init__|future__|all__|str__|repr__)\w+__|\bsys\.(?:path|modules|meta_path)|^(?:.*\n)?[^\n]*coding[:=]\s*(?!utf-?8)/;

/** Modules of Python that load modules, or start programs, by names in texts. */
const PYTHON_RUNNERS =
  /^(?:bdb|cProfile|distutils|ensurepip|lib2to3|logging\.config|mailcap|modulefinder|pipes|profile|pydoc|setuptools|tkinter|trace|turtle|unittest|venv|webbrowser|zipapp)(?:\.|$)/;

function readPython(source: string): Loads {
  const text = source.normalize('NFKC');
  const whole = text
    .replace(/\\\r?\n/g, ' ')
    .replace(/\bimport\s*\([^()]*\)/g, (list) => list.replace(/#.*/g, '').replace(/\s+/g, ' '));
  const statements = whole.split(/[\r\n;]|:\s*(?=import\b|from\b)/);
  let isRead = true;
  const modules = statements.flatMap((statement) => {
    const [, from, list] = FROM.exec(statement) ?? [undefined, '', IMPORT.exec(statement)?.[1]];
    if (list === undefined) {
      isRead &&= !/^[^#]*\bimport\b/.test(statement);
      return [];
    }
    const names = namesIn(list);
    isRead &&= names !== undefined;
    if (from === '' || from === undefined) return names ?? [];
    return [
      from,
      ...(names ?? []).map((name) => (from.endsWith('.') ? `${from}${name}` : `${from}.${name}`)),
    ];
  });
  const runs = PYTHON_RUNS.test(text) || modules.some((name) => PYTHON_RUNNERS.test(name));
  const unread = runs || !isRead ? { unread: STARTS_PROGRAMS } : {};
  return { files: [], modules: modules.filter((name) => /\w/.test(name)), ...unread };
}

/** The modules in a list; `undefined` if a name has other characters than letters, digits, `_` and `.`. */
function namesIn(list: string): string[] | undefined {
  const names = list
    .replace(/[()]|#.*/g, '')
    .split(',')
    .map((part) => part.trim().split(/\s/)[0] ?? '')
    .filter((name) => name !== '' && name !== '*');
  return names.every((name) => /^[\w.]+$/.test(name)) ? names : undefined;
}
