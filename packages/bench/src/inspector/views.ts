import { type Figures, percentile, timeCall } from './figures.ts';
import type { Seeded } from './seed.ts';
import type { InspectServer } from './server.ts';
import { makeCommitter, wideThread } from './wide-message.ts';

const dayMicros = 86_400_000_000;

/** What the views ask of the server. The first statistics come first: they are made once. */
export async function measureViews(server: InspectServer, seeded: Seeded): Promise<Figures> {
  const { longThread, places } = seeded;
  const day = `/api/stats?since=${Date.now() * 1_000 - dayMicros}`;
  const wide = `/api/threads/${wideThread.thread}/messages/${wideThread.message}/chain?values=1`;
  let at = 0;
  const around = (): string =>
    `/api/threads/${longThread}/messages?size=50&around=${places[at++ % places.length]}`;
  return {
    'statistics of 24 h, first, ms': { target: 1_000, measured: await timeCall(() => server.get(day), 1) },
    'statistics of all, first, ms': {
      target: 10_000,
      measured: await timeCall(() => server.get('/api/stats'), 1),
    },
    'statistics of all, then, ms': { target: 50, measured: await timeCall(() => server.get('/api/stats')) },
    'list of threads, ms': {
      target: 500,
      measured: await timeCall(() => server.get('/api/threads?size=30')),
    },
    'a long thread, anywhere in it, ms': {
      target: 300,
      measured: await timeCall(() => server.get(around())),
    },
    'newest runs, ms': { target: 300, measured: await timeCall(() => server.get('/api/runs')) },
    'chain with words changed in 256 KB, ms': {
      target: 300,
      measured: await timeCall(() => server.get(wide), 5),
    },
    'search, first page, ms': {
      target: 200,
      measured: await timeCall(() => server.get('/api/search?text=needle')),
    },
    'search, whole file, ms': { target: 3_000, measured: await timeCall(() => searchAll(server), 2) },
    ...(await measureWhy(server, seeded)),
    'commit to its event, ms': { target: 250, measured: await measureCommits(server, seeded) },
    ...measureMemory(server),
  };
}

interface HitPage {
  readonly next: string | null;
}

async function searchAll(server: InspectServer): Promise<void> {
  for (let cursor: string | null = ''; cursor !== null; )
    cursor = (await server.get<HitPage>(`/api/search?text=needle&cursor=${cursor}`)).next;
}

/** Of a call of the long thread, against the hooks of the project. */
async function measureWhy(server: InspectServer, { longThread, places }: Seeded): Promise<Figures> {
  const [begin = ''] = places;
  const message = begin.replace(/\.\d+$/, '.1');
  const explain = (): Promise<unknown> => server.post('/api/explain', { thread: longThread, message });
  return {
    'why not, 100 hooks, first, ms': { target: 1_500, measured: await timeCall(explain, 1) },
    'why not, 100 hooks, then, ms': { target: 1_000, measured: await timeCall(explain, 3) },
  };
}

const commits = 10;

async function measureCommits(server: InspectServer, { path, newThread }: Seeded): Promise<number> {
  const committer = await makeCommitter(path, newThread);
  let tell: (at: number) => void = () => {};
  await server.follow(({ kind }) => kind === 'moved' && tell(performance.now()));
  const all: number[] = [];
  for (let i = 0; i < commits; i++) {
    const told = new Promise<number>((resolve) => {
      tell = resolve;
    });
    const committed = await committer.commit('Anybody?');
    all.push((await told) - committed);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await committer.close();
  return percentile(all, 0.95);
}

const megabyte = 1_048_576;

function measureMemory(server: InspectServer): Figures {
  const peak = server.readPeak();
  return peak === undefined ? {} : { 'memory of the server, MB': { target: 150, measured: peak / megabyte } };
}
