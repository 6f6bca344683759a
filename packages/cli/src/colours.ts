import { createColors } from 'picocolors';

const { stdout, env } = process;
const { NO_COLOR, FORCE_COLOR, TERM } = env;

/**
 * Colours for what is printed, off where standard output is no terminal. Unlike the library's own choice this one is the same on a
 * build server, where `CI` is set and output goes to a file.
 */
export const pc: ReturnType<typeof createColors> = createColors(
  !NO_COLOR && (Boolean(FORCE_COLOR) || (stdout.isTTY === true && TERM !== 'dumb')),
);
