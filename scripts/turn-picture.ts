// Draws a turn with all hooks on it, from the lifecycle tables, in a light and in a dark version.
import type { AnyHookKind } from '../packages/hooks/src/index.ts';
import { controlTable, type LifecycleName, specificationTable } from '../packages/hooks/src/index.ts';

interface Moment {
  readonly title: string;
  readonly hint: string;
  readonly hooks: readonly LifecycleName[];
  /** Every step of a turn comes back here, or ends here. */
  readonly loop?: 'first' | 'last';
}

const moments: readonly Moment[] = [
  {
    title: 'A thread opens',
    hint: 'or a subagent gets its own',
    hooks: ['after_thread_created', 'after_session_started', 'after_subagent_created'],
  },
  { title: 'A user writes', hint: 'nothing is stored yet', hooks: ['before_user_message'] },
  {
    title: 'A message is stored',
    hint: 'whoever wrote it',
    hooks: ['before_create_message', 'after_create_message', 'before_update_message', 'after_update_message'],
  },
  {
    title: 'The history is prepared',
    hint: 'what the model will read',
    hooks: ['before_compaction', 'after_system_message', 'filter_messages', 'prefilter_llm_history'],
    loop: 'first',
  },
  { title: 'The model is called', hint: 'each attempt', hooks: ['before_model_call', 'after_model_call'] },
  {
    title: 'A tool is called',
    hint: 'by the model or a hook',
    hooks: ['before_tool_call', 'before_permission_request'],
  },
  {
    title: 'The tool answers',
    hint: 'a result or an error',
    hooks: ['after_tool_call_success', 'after_tool_call_failure', 'before_store_tool_result'],
  },
  { title: 'All calls are done', hint: 'of this step', hooks: ['after_tool_batch'], loop: 'last' },
  { title: 'The turn ends', hint: 'or goes on', hooks: ['before_stop'] },
  {
    title: 'Around it',
    hint: 'at any time',
    hooks: ['after_notification', 'after_session_ended'],
  },
];

const answers: Readonly<Record<AnyHookKind, string>> = {
  decide: 'allow, deny, ask',
  transform: 'the next value',
  replace: 'a value or null',
  collect: 'context',
  observe: 'no answer',
};

export interface Theme {
  readonly name: 'light' | 'dark';
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly card: string;
  readonly kinds: Readonly<Record<AnyHookKind, string>>;
}

export const themes: readonly Theme[] = [
  {
    name: 'light',
    text: '#1f2328',
    faint: '#59636e',
    line: '#8c959f',
    card: '#f6f8fa',
    kinds: {
      decide: '#cf222e',
      transform: '#0969da',
      replace: '#8250df',
      collect: '#1a7f37',
      observe: '#6e7781',
    },
  },
  {
    name: 'dark',
    text: '#f0f6fc',
    faint: '#9198a1',
    line: '#656c76',
    card: '#151b23',
    kinds: {
      decide: '#ff7b72',
      transform: '#79c0ff',
      replace: '#d2a8ff',
      collect: '#7ee787',
      observe: '#9198a1',
    },
  },
];

const WIDTH = 760;
const CARD = { left: 36, width: 190, height: 44 };
const PILLS = { left: 252, height: 26, gap: 8, line: 34 };
const ROW_GAP = 14;
/** Of a monospaced letter of 12 pixels. */
const LETTER = 7.25;

const kindOf = (name: LifecycleName): AnyHookKind => ({ ...specificationTable, ...controlTable })[name].kind;

/** The picture as SVG. @throws where a hook of the tables is in no moment, or in two */
export function drawTurn(theme: Theme): string {
  checkEveryHookIsDrawnOnce();
  let y = 16;
  const rows = moments.map((moment) => {
    const row = drawMoment(moment, y, theme);
    y += row.height + ROW_GAP;
    return { ...row, moment };
  });
  const svg = [...arrows(rows, theme), ...rows.map(({ svg }) => svg), legend(y + 8, theme)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 44}" role="img" aria-labelledby="title" font-family="-apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="13">
<title id="title">One turn of an agent, and the hooks that run at each moment of it</title>
${svg.join('\n')}
</svg>
`;
}

function checkEveryHookIsDrawnOnce(): void {
  const drawn = moments.flatMap(({ hooks }) => hooks);
  for (const name of Object.keys({ ...specificationTable, ...controlTable }) as LifecycleName[]) {
    const times = drawn.filter((one) => one === name).length;
    if (times !== 1)
      throw new Error(`scripts/turn-picture.ts draws ${name} ${times} times: give it one moment.`);
  }
}

interface Row {
  readonly top: number;
  readonly height: number;
  readonly svg: string;
}

function drawMoment({ title, hint, hooks }: Moment, top: number, theme: Theme): Row {
  const pills = placePills(hooks);
  const lines = (pills.at(-1)?.line ?? 0) + 1;
  const height = Math.max(CARD.height, lines * PILLS.line - PILLS.gap);
  const cardTop = top + (height - CARD.height) / 2;
  const firstLine = top + (height - (lines * PILLS.line - PILLS.gap)) / 2;
  const svg = [
    `<rect x="${CARD.left}" y="${cardTop}" width="${CARD.width}" height="${CARD.height}" rx="8" fill="${theme.card}" stroke="${theme.line}"/>`,
    `<text x="${CARD.left + 14}" y="${cardTop + 19}" fill="${theme.text}" font-weight="600">${title}</text>`,
    `<text x="${CARD.left + 14}" y="${cardTop + 35}" fill="${theme.faint}" font-size="11">${hint}</text>`,
    ...pills.map(({ name, x, width, line }) =>
      drawPill({ label: name, kind: kindOf(name), x, y: firstLine + line * PILLS.line, width }, theme),
    ),
  ];
  return { top, height, svg: svg.join('\n') };
}

interface Pill {
  readonly name: LifecycleName;
  readonly x: number;
  readonly width: number;
  readonly line: number;
}

function placePills(hooks: readonly LifecycleName[]): readonly Pill[] {
  let x = PILLS.left;
  let line = 0;
  return hooks.map((name) => {
    const width = Math.round(name.length * LETTER + 26);
    if (x + width > WIDTH - 8) {
      x = PILLS.left;
      line += 1;
    }
    const pill = { name, x, width, line };
    x += width + PILLS.gap;
    return pill;
  });
}

interface Labelled {
  readonly label: string;
  readonly kind: AnyHookKind;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function drawPill({ label, kind, x, y, width }: Labelled, theme: Theme): string {
  const color = theme.kinds[kind];
  return `<g><rect x="${x}" y="${y}" width="${width}" height="${PILLS.height}" rx="13" fill="${color}" fill-opacity="0.12" stroke="${color}"/><text x="${x + 13}" y="${y + 17}" fill="${theme.text}" font-size="12" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" textLength="${width - 26}">${label}</text></g>`;
}

function arrows(rows: readonly (Row & { moment: Moment })[], theme: Theme): readonly string[] {
  const middle = ({ top, height }: Row): number => top + height / 2;
  const x = CARD.left + CARD.width / 2;
  const down = rows
    .slice(0, -2)
    .map((row, i) => `<path d="M${x} ${middle(row)}V${middle(rows[i + 1] as Row)}" stroke="${theme.line}"/>`);
  const first = rows.find(({ moment }) => moment.loop === 'first') as Row;
  const last = rows.find(({ moment }) => moment.loop === 'last') as Row;
  const [from, to] = [middle(last), middle(first)];
  const back = `<path d="M${CARD.left} ${from}H22a8 8 0 0 1 -8 -8V${to + 8}a8 8 0 0 1 8 -8H${CARD.left - 3}m-6 -4l6 4l-6 4" fill="none" stroke="${theme.line}"/>`;
  const label = `<text transform="translate(9 ${(from + to) / 2}) rotate(-90)" fill="${theme.faint}" font-size="11" text-anchor="middle">next step</text>`;
  return [...down, back, label];
}

function legend(y: number, theme: Theme): string {
  let x = CARD.left;
  const entries = (Object.keys(answers) as AnyHookKind[]).map((kind) => {
    const text = `${kind}: ${answers[kind]}`;
    const entry = `<circle cx="${x + 5}" cy="${y + 8}" r="5" fill="${theme.kinds[kind]}"/><text x="${x + 15}" y="${y + 12}" fill="${theme.faint}" font-size="11">${text}</text>`;
    x += Math.round(text.length * 5.4 + 28);
    return entry;
  });
  return entries.join('\n');
}
