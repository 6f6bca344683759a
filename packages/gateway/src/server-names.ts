import { DefinitionError } from '@spec/hooks';

/** What stands before a server's tools as hooks see them. Claude Code and Codex call them so: hooks match the same names there and here. */
export function makeToolPrefix(server: string): string {
  return `mcp__${server.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}__`;
}

/**
 * A hook that allows a tool of one server must not allow one of another.
 *
 * @throws {DefinitionError} `bad_option` for servers without a name, with one name, or with names that make the same names of tools
 */
export function checkServerNames(names: readonly string[]): void {
  if (names.length === 0) throw refuse('servers must name at least one');
  for (const [at, name] of names.entries()) {
    if (typeof name !== 'string' || name === '') throw refuse('a server has no name');
    for (const other of names.slice(0, at)) {
      if (other === name) throw refuse(`two servers are called "${name}"`);
      const [prefix, otherPrefix] = [makeToolPrefix(name), makeToolPrefix(other)];
      if (prefix.startsWith(otherPrefix) || otherPrefix.startsWith(prefix))
        throw refuse(`hooks cannot tell the tools of "${other}" and "${name}" apart: give one another name`);
    }
  }
}

function refuse(why: string): DefinitionError {
  return new DefinitionError('bad_option', `createGateway: ${why}.`);
}
