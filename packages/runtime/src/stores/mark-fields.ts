import type { AskMark, EndMark, SentMessages, ToolMark, TurnMark } from '@spec/hooks';
import { among, type Check, isWholeNumber, optional } from './field-checks.ts';
import { isText } from './kept-value.ts';

const isNumber: Check = Number.isFinite;

/** The fields that all marks have besides their thread, in the order in which they are written. */
const origin: Readonly<Record<string, Check>> = {
  turnId: (value) => value === null || isText(value),
  step: isWholeNumber,
  at: isNumber,
  ms: isNumber,
};

type Fields<Kind extends TurnMark['kind']> = Record<
  Exclude<keyof Extract<TurnMark, { kind: Kind }>, 'kind' | 'threadId' | 'turnId' | 'step' | 'at' | 'ms'>,
  Check
>;

/** The further fields of marks of each kind. */
const own: { readonly [Kind in TurnMark['kind']]: Fields<Kind> } = {
  model: {
    model: isText,
    code: optional(isText),
    inputTokens: optional(isNumber),
    outputTokens: optional(isNumber),
    sent: optional(isSent),
  },
  tool: { call: isText, tool: isText, status: among<ToolMark['status']>({ success: true, error: true }) },
  ask: {
    about: among<AskMark['about']>({ tool_call: true, user_message: true, model_call: true }),
    call: optional(isText),
    allowed: (value) => typeof value === 'boolean',
  },
  end: {
    status: among<EndMark['status']>({
      completed: true,
      denied: true,
      limit: true,
      stopped: true,
      aborted: true,
      failed: true,
    }),
    code: optional(isText),
  },
};

function isSent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { request, stored, leftOut, left } = value as Partial<Record<keyof SentMessages, unknown>>;
  const areIds = Array.isArray(left) && left.every(isText);
  return [request, stored, leftOut].every(isWholeNumber) && areIds;
}

/** The fields of marks in the order in which they are written: first those of all kinds, then the further ones. */
export const markFields: readonly string[] = [
  'kind',
  ...Object.keys(origin),
  ...new Set(Object.values(own).flatMap(Object.keys)),
];

type Checks = readonly (readonly [field: string, check: Check])[];

const listChecks = (kind: TurnMark['kind']): Checks => Object.entries({ ...origin, ...own[kind] });

/** All fields of marks of each kind but the kind itself and the thread, in one order: marks of one kind have few hidden classes. */
const checks: Readonly<Record<TurnMark['kind'], Checks>> = {
  model: listChecks('model'),
  tool: listChecks('tool'),
  ask: listChecks('ask'),
  end: listChecks('end'),
};

/** The first missing or wrong field of a mark without its thread; `undefined` if the mark is valid. */
export function badMarkField(mark: Readonly<Record<string, unknown>>): string | undefined {
  const { kind } = mark;
  if (typeof kind !== 'string' || !Object.hasOwn(own, kind)) return 'kind';
  for (const [field, check] of checks[kind as TurnMark['kind']]) if (!check(mark[field])) return field;
  return undefined;
}

/** A copy of a mark with the fields of its kind. */
export function cloneMark(mark: TurnMark): TurnMark {
  const { kind, threadId } = mark;
  const given = mark as unknown as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = { kind, threadId };
  for (const [field] of checks[kind]) if (given[field] !== undefined) copy[field] = given[field];
  if (kind === 'model' && mark.sent !== undefined) {
    const { request, stored, leftOut, left } = mark.sent;
    copy.sent = { request, stored, leftOut, left: [...left] };
  }
  return copy as unknown as TurnMark;
}
