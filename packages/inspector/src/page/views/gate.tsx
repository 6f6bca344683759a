import type { JSX } from 'preact';
import { session } from '../lib/session.ts';
import { Empty } from '../parts/states.tsx';

/** What stands in place of everything while there is no token. */
export function Gate(): JSX.Element | null {
  if (session.value === 'joining') return null;
  return (
    <main class="gate">
      {session.value === 'used' ? (
        <Empty title="This link was used already">
          <p>
            Each link is good once. Press Enter in the terminal where spec-hooks inspect runs, and open the
            new one.
          </p>
        </Empty>
      ) : (
        <Empty title="Open this page by its link">
          <p>
            spec-hooks inspect prints a link with a key. Press Enter in its terminal for another one. Tabs
            that are open share theirs.
          </p>
        </Empty>
      )}
    </main>
  );
}
