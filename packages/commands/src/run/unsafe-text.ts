import type { CommandStart, LaunchCode } from './command.ts';

/** What the system would cut off or replace without a word in a text that goes to a command: the reason not to start it. */
export function unsafeText(
  { command, args, payload }: CommandStart,
  variables: Readonly<Record<string, string>>,
): LaunchCode | undefined {
  for (const name in variables) {
    if (name === '' || name.includes('=')) return 'bad_variable_name';
    const fault = faultOf(name) ?? faultOf(variables[name] as string);
    if (fault !== undefined) return fault;
  }
  for (const text of args ?? []) {
    const fault = faultOf(text);
    if (fault !== undefined) return fault;
  }
  return faultOf(command) ?? (LONE_SURROGATE.test(payload) ? 'lone_surrogate' : undefined);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function faultOf(text: string): LaunchCode | undefined {
  if (text.includes('\0')) return 'nul_character';
  return LONE_SURROGATE.test(text) ? 'lone_surrogate' : undefined;
}
