import type { Bench, Comparison } from '../bench.ts';
import type { Series } from '../measure.ts';
import { findContenders, missingPeers, type Redactor } from './contenders.ts';
import { findFalseAlarms, harmlessLines, isRich } from './harmless.ts';
import { kinds } from './kinds.ts';
import { findMisses, type Manner, makeTexts } from './recall.ts';

const RECALL_TARGET = 'target for recall';
const ALARM_TARGET = 'target for harmless lines';
const ALARMS = 'harmless lines that were changed';

const nameFigure = (kind: string, contender: string, manner: Manner): string =>
  `${kind} | ${contender}${manner === 'plain' ? '' : ', disguised'}`;
const OURS = 'this project';

const promised: readonly Comparison[] = kinds
  .filter(({ isPromised }) => isPromised)
  .map(({ name }) => ({
    of: nameFigure(name, OURS, 'plain'),
    against: `${RECALL_TARGET} | ${OURS}`,
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
      const lines = harmlessLines();
      notes.push(
        ...missingPeers(contenders),
        `${lines.length} harmless lines, ${lines.filter(isRich).length} of them rich in digits`,
      );
      const figures = await Promise.all(contenders.map((contender) => measureContender(contender, lines)));
      const targets = { [`${RECALL_TARGET} | ${OURS}`]: [98], [`${ALARM_TARGET} | ${OURS}`]: [0.5] };
      return Object.assign({}, ...figures, targets) as Series;
    },
  };
}

async function measureContender(
  contender: Redactor,
  lines: ReturnType<typeof harmlessLines>,
): Promise<Series> {
  const figures: Record<string, readonly number[]> = {};
  for (const manner of ['plain', 'disguised'] as const) {
    for (const kind of kinds) {
      const texts = makeTexts(kind, manner, 'held out');
      const missed = await findMisses(contender, texts);
      figures[nameFigure(kind.name, contender.name, manner)] = [100 * (1 - missed.length / texts.length)];
    }
  }
  const alarms = await findFalseAlarms(contender, lines);
  figures[`${ALARMS} | ${contender.name}`] = [(100 * alarms.length) / lines.length];
  return figures;
}
