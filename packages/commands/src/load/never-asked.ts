import { type HttpLimits, whyNeverAsked } from '../handlers/http.ts';
import type { CommandEntry, Finding } from '../normal-form.ts';

/** Entries that fail at each run, since the operator lets them ask nobody. */
export function neverAsked(
  entries: readonly CommandEntry[],
  limits: Pick<HttpLimits, 'allowedHosts' | 'pass'>,
): Finding[] {
  return entries.flatMap(({ handler, effects, place }) => {
    const why = handler.type === 'http' ? whyNeverAsked(handler, limits) : undefined;
    if (why === undefined) return [];
    const then =
      effects.onLaunchError === 'continue' ? 'what it looks at goes ahead' : 'what it guards is refused';
    const message = `This entry can never be asked, and ${then}: ${why}.`;
    return [{ level: 'warning', code: 'never_asked', place, message }];
  });
}
