import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The files of a Python module and of the packages around it. @param name such as `a.b`, or `..b` from a folder */
export function moduleFiles(name: string, from: string): string[] {
  const [, dots = '', path = ''] = /^(\.*)(.*)$/.exec(name) ?? [];
  let folder = resolve(from, ...Array.from({ length: Math.max(0, dots.length - 1) }, () => '..'));
  return path.split('.').flatMap((part) => {
    const files = filesNamed(part, folder);
    folder = join(folder, part);
    return [...files, ...filesNamed('__init__', folder), ...filesNamed('__main__', folder)];
  });
}

const IMPORTABLE = /\.(?:py|pyc|so|pyd)$/;

/** Python loads `json.py`, but `json.cpython-311-x86_64-linux-gnu.so` before it. */
function filesNamed(part: string, folder: string): string[] {
  const files = namesIn(folder).filter((name) => name.startsWith(`${part}.`) && IMPORTABLE.test(name));
  return [join(folder, `${part}.py`), ...files.map((name) => join(folder, name))];
}

/**
 * The modules in a folder that Python would load instead of its own, whoever imports them. Python's own modules import others,
 * and look for each in the folder of the script first.
 */
export function shadowsIn(folder: string): string[] {
  const names = namesIn(folder)
    .filter((name) => IMPORTABLE.test(name) || !name.includes('.'))
    .map((name) => name.split('.')[0] as string);
  return [...new Set(names)].filter(isPythons);
}

/** Whether Python's own modules have this name or look for it. */
export function isPythons(name: string): boolean {
  return /^_(?!_.*__$)/.test(name) || OWN.has(name);
}

/** Whether a folder holds any file of a module. */
export function isThere(name: string, folder: string): boolean {
  return existsSync(join(folder, name)) || filesNamed(name, folder).some((file) => existsSync(file));
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** `sys.stdlib_module_names` of Python 3.8 to 3.14 without names that begin with `_`, and other modules that those versions look for. */
const OWN: ReadonlySet<string> = new Set(
  `
  __future__ abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex bisect builtins
  bz2 cProfile calendar ce cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent configparser contextlib
  contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest dummy_threading email encodings
  ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext glob
  graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools java json keyword lib2to3 linecache
  locale logging lzma macpath macurl2path mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt
  ntpath nturl2path numbers opcode operator optparse org os os2 ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib
  posix posixpath pprint profile profiling pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat pyreadline pyrepl queue quopri random re readline
  reprlib resource riscos riscosenviron riscospath rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site sitecustomize smtpd
  smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau
  symbol symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib
  trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib usercustomize uu uuid venv vms_lib warnings wave weakref
  webbrowser winreg winsound wsgiref xdrlib xml xmlrpc xxsubtype zipapp zipfile zipimport zlib zoneinfo`
    .trim()
    .split(/\s+/),
);
