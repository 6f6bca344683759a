import type { Bench, Comparison } from '../bench.ts';
import type { Series } from '../measure.ts';
import { findContenders, missingPeers, type Redactor } from './contenders.ts';
import { findFalseAlarms, type HarmlessLine, harmlessLines, isRich } from './harmless.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import { findMisses, type Manner, makeTexts, type SampleText } from './recall.ts';

const RECALL_TARGET = 'target for recall';
const PASSWORD_TARGET = 'target for passwords';
const ALARM_TARGET = 'target for harmless lines';
const ALARMS = 'harmless lines that were changed';

const nameFigure = (kind: string, contender: string, manner: Manner): string =>
  `${kind} | ${contender}${manner === 'plain' ? '' : ', disguised'}`;
const OURS = 'this project';

const isOfPasswords = ({ name }: Kind): boolean => name.startsWith('password');

const promised: readonly Comparison[] = kinds
  .filter((kind) => kind.isPromised || isOfPasswords(kind))
  .map((kind) => ({
    of: nameFigure(kind.name, OURS, 'plain'),
    against: `${kind.isPromised ? RECALL_TARGET : PASSWORD_TARGET} | ${OURS}`,
    atLeast: 1,
  }));

/** How much is found and how much is found wrongly, in per cent, beside two other projects. */
export function redaction(withPeers: boolean): Bench {
  const notes: string[] = [];
  return {
    name: 'redact',
    about:
      'of generated texts with one value, those in which it was gone (the held-out half); of real lines, those changed for nothing',
    unit: '%',
    comparisons: [
      ...promised,
      { of: `${ALARMS} | ${OURS}`, against: `${ALARM_TARGET} | ${OURS}`, atMost: 1 },
    ],
    notes,
    async run() {
      const contenders = await findContenders(withPeers);
      const material = makeMaterial();
      const { lines } = material;
      notes.push(
        ...missingPeers(contenders),
        `${lines.length} harmless lines, ${lines.filter(isRich).length} of them rich in digits`,
      );
      const figures = [];
      for (const contender of contenders) figures.push(await measureContender(contender, material));
      const targets = {
        [`${RECALL_TARGET} | ${OURS}`]: [98],
        [`${PASSWORD_TARGET} | ${OURS}`]: [85],
        [`${ALARM_TARGET} | ${OURS}`]: [0.5],
      };
      return Object.assign({}, ...figures, targets) as Series;
    },
  };
}

/** What every contender is given. */
interface Material {
  readonly texts: readonly {
    readonly kind: string;
    readonly manner: Manner;
    readonly texts: readonly SampleText[];
  }[];
  readonly lines: readonly HarmlessLine[];
}

function makeMaterial(): Material {
  const manners: readonly Manner[] = ['plain', 'disguised'];
  const texts = manners.flatMap((manner) =>
    kinds.map((kind) => ({ kind: kind.name, manner, texts: makeTexts(kind, manner, 'held out') })),
  );
  return { texts, lines: harmlessLines() };
}

async function measureContender(contender: Redactor, { texts: groups, lines }: Material): Promise<Series> {
  const figures: Record<string, readonly number[]> = {};
  for (const { kind, manner, texts } of groups) {
    const missed = await findMisses(contender, texts);
    figures[nameFigure(kind, contender.name, manner)] = [100 * (1 - missed.length / texts.length)];
  }
  const alarms = await findFalseAlarms(contender, lines);
  figures[`${ALARMS} | ${contender.name}`] = [(100 * alarms.length) / lines.length];
  return figures;
}
