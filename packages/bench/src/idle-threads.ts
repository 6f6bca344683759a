import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { inFreshProcess } from './fresh-process.ts';
import type { IdleFigures } from './idle-threads-process.ts';
import type { Series } from './measure.ts';
import { inFolder } from './scratch.ts';

const MANY = 10_000;
const FEW = 100;
const ROUNDS = 3;

const THREAD = 'an idle thread';
const ALLOWED = '4 KB';

export const idleThreads: Bench = {
  name: 'idle-threads',
  about: 'the memory of a thread that is open and has had a turn, in a process with 10,000 of them',
  unit: 'bytes',
  comparisons: [{ of: THREAD, against: ALLOWED, atMost: 1 }],
  async run() {
    const { many } = await figures();
    return { [THREAD]: many.map(({ bytesPerThread }) => bytesPerThread), [ALLOWED]: many.map(() => 4_096) };
  },
};

const OF_MANY = 'with 10,000 open threads';
const OF_FEW = 'with 100 open threads';

export const idleThreadHandles: Bench = {
  name: 'idle-thread-handles',
  about: 'timers, files and pipes of a process with open threads: none for a thread',
  unit: 'handles',
  comparisons: [{ of: OF_MANY, against: OF_FEW, atMost: 1 }],
  async run(): Promise<Series> {
    const { many, few } = await figures();
    return { [OF_MANY]: many.map(({ handles }) => handles), [OF_FEW]: few.map(({ handles }) => handles) };
  },
};

interface Figures {
  readonly many: readonly IdleFigures[];
  readonly few: readonly IdleFigures[];
}

/** Both benches read the same processes. */
let measured: Promise<Figures> | undefined;
function figures(): Promise<Figures> {
  measured ??= inFolder(measureIn);
  return measured;
}

async function measureIn(folder: string): Promise<Figures> {
  const [many, few]: [IdleFigures[], IdleFigures[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    many.push(await measureOpen(join(folder, `many-${round}.db`), MANY));
    few.push(await measureOpen(join(folder, `few-${round}.db`), FEW));
  }
  return { many, few };
}

async function measureOpen(path: string, count: number): Promise<IdleFigures> {
  const module = new URL('./idle-threads-process.ts', import.meta.url);
  const execArgv = [...process.execArgv.filter((flag) => flag !== '--expose-gc'), '--expose-gc'];
  return (await inFreshProcess(module, [path, String(count)], execArgv)) as IdleFigures;
}
