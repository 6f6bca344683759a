import { join } from 'node:path';
import { baseFolder } from '../agent-state/places.ts';

/** Where translated hook modules are kept between runs: in the user's own cache, by the text that they are of. */
export function cacheFolder(): string {
  return join(baseFolder('XDG_CACHE_HOME', '.cache'), 'spec-hooks');
}
