/** The version of a package after its name: `nodemon@3.1.0`. */
const PACKAGE_VERSION = /@(?:[~^v]?\d+(?:\.\d+){0,2}(?:-[\w.]+)?|latest|next|beta|canary)$/;

/** The name of a command without its folder, and without the version of a package. */
export function commandName(word = ''): string {
  const name = word.slice(word.lastIndexOf('/') + 1).replace(/\.exe$/i, '');
  const plain = name.includes('@') ? name.replace(PACKAGE_VERSION, '') : name;
  return GNU_NAME.exec(plain)?.[1] ?? plain;
}

/** On systems with other standard tools, GNU tools have a `g` before their names. */
const GNU_NAME = /^g(chroot|env|find|make|nice|nohup|sort|split|stdbuf|tar|time|timeout|xargs)$/;
