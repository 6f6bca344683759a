import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where translated hook modules are kept between runs: in the user's own cache, by the text that they are of. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'spec-hooks');
}
