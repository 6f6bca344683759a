import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { AboutInspector } from '../api.ts';
import { useAsked } from './lib/ask.ts';
import { isHelpOpen, listenToKeys } from './lib/keyboard.ts';
import { liveState, lostAt } from './lib/live.ts';
import { base } from './lib/session.ts';
import { formatTime } from './lib/texts.ts';
import { Foreign } from './parts/foreign.tsx';
import { KeysDialog } from './parts/keys-dialog.tsx';
import { findView, type View } from './views.tsx';

const places: readonly (readonly [path: string, name: string])[] = [
  ['/', 'Threads'],
  ['/log', 'Log'],
  ['/hooks', 'Hooks'],
  ['/search', 'Search'],
];

/** What the page may do besides reading. */
const allowed = { run: 'may run hooks', answers: 'may answer' } as const;

/** The head of the page, and the view of the address under it. */
export function Shell(): JSX.Element {
  const { path, query, route } = useLocation();
  const { data: about } = useAsked<AboutInspector>('/api/about', false);
  useEffect(() => listenToKeys((to) => route(to)), []);
  const view = findView(path, query);
  useEffect(() => {
    document.title = `${view.title} · spec-hooks inspect`;
  }, [view.title]);
  return (
    <div class="shell">
      <Head about={about} place={view.place} />
      <Panes view={view} />
      <KeysDialog />
    </div>
  );
}

function Head({
  about,
  place,
}: {
  readonly about: AboutInspector | undefined;
  readonly place: string;
}): JSX.Element {
  return (
    <header class="head">
      <p class="brand">
        <span class="brand-name">spec-hooks</span>
        <Foreign text={about?.name ?? ''} class="store" />
      </p>
      <nav aria-label="Views">
        {places.map(([path, name]) => (
          <a key={path} href={base + path} aria-current={path === place ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {about !== undefined && about.allows.length > 0 && (
        <span class="allowed">{about.allows.map((what) => allowed[what]).join(' · ')}</span>
      )}
      {about?.showsContent === false && <span class="quiet">texts are not shown</span>}
      <Liveness />
      <button
        type="button"
        class="help"
        aria-label="Keys"
        onClick={() => {
          isHelpOpen.value = true;
        }}
      >
        ?
      </button>
    </header>
  );
}

/** Whether what is shown is what is stored. */
function Liveness(): JSX.Element {
  const state = liveState.value;
  const since = lostAt.value;
  return (
    <span class={`live is-${state}`} role="status">
      <span class="dot" aria-hidden="true" />
      {state === 'live' ? 'live' : state === 'joining' ? '' : `as of ${formatTime((since ?? 0) * 1_000)}`}
    </span>
  );
}

/** The panes of a view, from the list to the detail; where there is room for one only, the deepest. */
function Panes({ view }: { readonly view: View }): JSX.Element {
  const { panes, up } = view;
  return (
    <main class={`panes has-${panes.length}`}>
      <h1 class="unseen">{view.title}</h1>
      {panes.map(({ key, content }, i) => (
        <div
          key={key}
          class={`pane pane-${i + 1}`}
          data-pane={i === Math.min(panes.length - 1, 1) ? 'main' : undefined}
        >
          {i === panes.length - 1 && up !== undefined && (
            <a class="up" data-up href={up}>
              ← back
            </a>
          )}
          {content}
        </div>
      ))}
    </main>
  );
}
