import type { Origin } from './canaries.ts';

/** Canaries that may come out, and why. */
export interface Exception {
  readonly why: string;
  readonly origins: readonly Origin[];
  readonly outlets: RegExp;
  /** Default: all. */
  readonly inlets?: RegExp;
}

/** What the application says itself. */
const own: readonly Origin[] = ['user', 'attached', 'named', 'system', 'later'];

const told =
  'docs/ai-sdk.md: functions of the application get what it has said itself as it has said it, and so does telemetry';

export const exceptions: readonly Exception[] = [
  { why: told, origins: own, outlets: /^(?:experimental_)?on[A-Z]\w*$/ },
  { why: told, origins: own, outlets: /^(?:prepareStep|(?:experimental_)?repairToolCall)$/ },
  { why: told, origins: own, outlets: /^(?:execute|needsApproval|onInputStart|onInputAvailable) of / },
  {
    why: 'docs/ai-sdk.md: telemetry records the prompt before any hook has seen it',
    origins: own,
    outlets: /^(?:telemetry\.|span\.attributes)/,
  },
  {
    why: 'docs/ai-sdk.md: version 7 keeps the messages of requests where the application tells it to, as they were given',
    origins: own,
    outlets: /./,
    inlets: /^the messages of requests$/,
  },
  {
    why: 'docs/ai-sdk.md: what the user steers with is told to those who read the stream and the steps as it was said',
    origins: ['later'],
    outlets: /stream|Stream|messageMetadata|transform|steps|finalStep|stopWhen/,
    inlets: /^steering$/,
  },
  {
    why: 'docs/ai-sdk.md: a rewrite is remembered by one process; another one takes the messages of the store',
    origins: ['user', 'attached', 'named'],
    outlets: /^(?:what the model is sent|the result itself|value (?:finalStep|request|steps))$/,
    inlets: /in another process$/,
  },
  {
    why: 'docs/ai-sdk.md: sources and files that a model makes pass as they come',
    origins: ['source'],
    outlets: /./,
  },
  {
    why: 'docs/ai-sdk.md: what a provider tells of a call, its numbers, warnings and headers, is nothing that anybody has said',
    origins: ['report'],
    outlets: /./,
  },
  {
    why: 'docs/ai-sdk.md: what a tool at the provider was asked, gave and tells beside that stands in the answer as it came',
    origins: ['hosted', 'metadata'],
    outlets: /./,
    inlets: /^a tool of the provider/,
  },
];
