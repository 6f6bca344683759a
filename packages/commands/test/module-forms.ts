import { type Form, needs, samples, seen, unseen } from './script-forms.ts';

const python = needs('python3');
const [, ownedByPython] = samples.py;

/** Ways to run code by names that are no paths: modules, URLs, and files whose program nobody knows. */
export const moduleForms: readonly Form[] = [
  // What Python imports (without `-S` it may have loaded some of its modules before the script) in turn lies beside the script, or in the folder where a line runs
  ...['re.py', 're/__init__.py', 'enum.py', '_json.py'].map((name) =>
    seen(
      'python3 -S g.py',
      { 'g.py': ['py', 'import json\n'] },
      { ...python, arrives: { [name]: ownedByPython } },
    ),
  ),
  seen(
    'python3 -S hooks/g.py',
    { 'hooks/g.py': ['py', 'import json\n'] },
    { ...python, arrives: { 'hooks/re.py': ownedByPython } },
  ),
  seen('python3 -S tools', { 'tools/__main__.py': 'py' }, { ...python, arrives: { 'tools/runpy.py': '' } }),
  seen(`python3 -S -c 'import json'`, {}, { ...python, arrives: { 're.py': ownedByPython } }),
  seen(`python3 -S -c 'import json' -I`, {}, { ...python, arrives: { 're.py': ownedByPython } }),
  seen('python3 -S -m json.tool /dev/null', {}, { ...python, arrives: { 're.py': ownedByPython } }),
  seen("python3 -S - <<'E'\nimport json\nE", {}, { ...python, arrives: { 're.py': ownedByPython } }),
  seen(
    'python3 -S -W I g.py',
    { 'g.py': ['py', 'import json\n'] },
    { ...python, arrives: { 're.py': ownedByPython } },
  ),
  // The module type of JavaScript stands in the package around it
  seen(
    'node g.js || echo >> owned',
    { 'g.js': ['js', `require('fs');\n`, 'throw 1;\n'] },
    { arrives: { 'package.json': '{"type":"module"}' } },
  ),
  seen(
    'node a/g.js || echo >> owned',
    { 'a/g.js': ['js', `require('fs');\n`, 'throw 1;\n'] },
    { arrives: { 'package.json': '{' } },
  ),
  // Specifiers of JavaScript are URLs
  ...['./r.mjs?v=1', './r.mjs#v1', './%72.mjs', './a/../r.mjs?x#y', './my%20lib/../r.mjs'].map((name) =>
    seen('node g.mjs', { 'g.mjs': ['mjs', `import '${name}';\n`], 'r.mjs': 'mjs' }),
  ),
  seen('node g.mjs', { 'g.mjs': ['mjs', `await import('./my%20lib/r.mjs');\n`], 'my lib/r.mjs': 'mjs' }),
  seen('node g.cjs', { 'g.cjs': ['js', `require('./r?v');\n`], 'r?v.js': 'js' }),
  unseen('node g.mjs', {
    'g.mjs': ['mjs', `await import(new URL('./r.mjs', import.meta.url));\n`],
    'r.mjs': 'mjs',
  }),
  unseen(
    'node g.mjs',
    { 'g.mjs': ['mjs', `import '#r';\n`], 'r.mjs': 'mjs' },
    {
      others: { 'package.json': '{"imports":{"#r":"./r.mjs"}}' },
    },
  ),
  unseen(
    'node g.mjs',
    { 'g.mjs': ['mjs', `import 'me/r';\n`], 'r.mjs': 'mjs' },
    {
      others: { 'package.json': '{"name":"me","exports":{"./r":"./r.mjs"}}' },
    },
  ),
  // Programs that nobody knows
  seen(
    'sqlite3 -init guard :memory: .quit',
    { guard: ['', '.print x\n', '.shell echo >> owned\n'] },
    needs('sqlite3'),
  ),
  unseen(
    'sqlite3 :memory: < guard',
    { guard: ['', '.print x\n', '.shell echo >> owned\n'] },
    needs('sqlite3'),
  ),
  seen('test -f later && sh ./later', {}, { arrives: { later: samples.sh[1] } }),
  seen('[ -x later ] && echo >> owned', {}, { arrives: { later: '' } }),
  seen('echo x | grep -qf patterns || echo >> owned', { patterns: ['', 'x\n', 'y\n'] }),
];
