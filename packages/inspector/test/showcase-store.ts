import { setTimeout as pause } from 'node:timers/promises';
import { defineHook } from '@spec/hooks';
import {
  type AskPerson,
  askThroughStore,
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type LanguageModel,
  type Runtime,
  type Store,
  storedAsks,
} from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import type { Asks, HookProject } from '../src/index.ts';
import { newPath } from './support-store.ts';

const hideCards = (text: string): string => text.replace(/(?:\d{4} ){3}\d{4}/g, '[CARD]');
const hideMail = (text: string): string => text.replace(/[\w.]+@[\w.]+\w/g, '[EMAIL]');

const hooks = [
  defineHook({
    hook: 'before_create_message',
    id: 'redact_mail',
    execute: async (_state, message) =>
      message.content === null ? message : { ...message, content: hideMail(message.content) },
  }),
  defineHook({ hook: 'after_create_message', id: 'audit', execute: async () => {} }),
  defineHook({
    hook: 'filter_messages',
    id: 'limit_messages',
    execute: async (_state, messages) => messages.slice(-8),
  }),
  defineHook({
    hook: 'before_tool_call',
    id: 'no_deletes',
    match: 'delete_*',
    execute: async (_state) => ({ decision: 'deny', reason: 'Orders are not deleted here.' }),
  }),
  defineHook({
    hook: 'before_tool_call',
    id: 'approve_refunds',
    match: 'refund',
    execute: async (_state, { input }) =>
      Number(input.amount) <= 50 ? null : { decision: 'ask', reason: 'Refunds over 50 euros need a person.' },
  }),
  defineHook({
    hook: 'before_store_tool_result',
    id: 'redact_cards',
    execute: async (_state, _call, result) =>
      result.status === 'error' ? result : { ...result, result: hideCards(result.result ?? '') },
  }),
  defineHook({
    hook: 'after_tool_call_success',
    id: 'translate',
    timeout: 60,
    match: 'search_pages',
    execute: (_state) => pause(400, null),
  }),
];

const defineSlowTool = (name: string, ms: number, result: string) =>
  defineTool({ name, execute: () => pause(ms, result) });

const tools = [
  defineSlowTool('get_payment', 240, 'Paid with 4111 1111 1111 1111 on 3 November, 84.50 euros.'),
  defineSlowTool('search_pages', 90, 'Returns within 30 days. Refunds to cards take five days.'),
  defineSlowTool('refund', 120, 'Refunded.'),
  defineSlowTool('delete_order', 10, 'Deleted.'),
];

/** A model that answers by a script, after the time that a model takes. */
function slowModel(steps: readonly ScriptedStep[]): LanguageModel {
  const script = scriptedModel(steps);
  return {
    ...script,
    doStream: async (options: never) => {
      await pause(320);
      return script.doStream(options);
    },
  } as LanguageModel;
}

interface Held {
  readonly id: string;
  readonly says: readonly string[];
  readonly steps: readonly ScriptedStep[];
}

const call = (name: string, input: Record<string, unknown>, id: string = name) => ({ id, name, input });

const conversations: readonly Held[] = [
  {
    id: 'order-0977',
    says: ['Where is my parcel?'],
    steps: [
      { toolCalls: [call('search_pages', { query: 'parcel' })] },
      'It left our warehouse yesterday and arrives on Friday.',
    ],
  },
  {
    id: 'order-0999',
    says: ['Please delete my order, I am ada@example.com.'],
    steps: [
      { toolCalls: [call('delete_order', { order: 'A-0999' })] },
      'I cannot delete orders here, but I can cancel yours.',
    ],
  },
  {
    id: 'order-1042',
    says: ['I am ada@example.com. How did I pay?', 'Then refund me 80 euros.', 'And delete my order.'],
    steps: [
      {
        toolCalls: [
          call('get_payment', { order: 'A-1042' }),
          call('search_pages', { query: 'refunds to cards' }),
        ],
      },
      'You paid 84.50 euros by card on 3 November. Refunds to cards take five days.',
      { toolCalls: [call('refund', { order: 'A-1042', amount: 80 })] },
      'I refunded 80 euros to your card.',
      { toolCalls: [call('delete_order', { order: 'A-1042' })] },
      'Orders cannot be deleted here. You can cancel yours in your account at any time.',
    ],
  },
];

const open: Held = {
  id: 'order-1050',
  says: ['The lamp came broken. I want my 129 euros back.'],
  steps: [{ toolCalls: [call('refund', { order: 'A-1050', amount: 129, to: 'card' })] }, 'Refunded.'],
};

function openShop(store: Store, { steps }: Held, onAsk: AskPerson): Runtime {
  return createRuntime({
    ...{ store, policies: hooks, onAsk, trace: 'values', tools },
    models: { 'claude-sonnet': slowModel(steps) },
    prompts: [definePrompt({ name: 'support', tools: tools.map(({ name }) => name) })],
    agents: [defineAgent({ name: 'support', prompt: 'support' })],
  });
}

/** A store of a shop in which somebody waits for a person, with its project. */
export interface Showcase {
  readonly path: string;
  readonly hooks: HookProject;
  readonly asks: Asks;
  close(): Promise<void>;
}

/** Holds the conversations that the pictures show. */
export async function makeShowcase(): Promise<Showcase> {
  const path = newPath();
  const openStore = () => sqliteStore({ path, synchronous: 'NORMAL' });
  for (const held of conversations) {
    const runtime = openShop(openStore(), held, () => pause(1_400, { allow: true }));
    const thread = await runtime.createThread({ agent: 'support', id: held.id });
    for (const text of held.says) await thread.send(text);
    await runtime.close();
  }
  const store = openStore();
  const runtime = openShop(store, open, askThroughStore({ store }));
  const thread = await runtime.createThread({ agent: 'support', id: open.id });
  const waiting = thread.send(open.says[0] ?? '').catch(() => {});
  const asks = storedAsks(store);
  while ((await asks.list()).length === 0) await pause(20);
  return {
    ...{ path, hooks: project, asks },
    async close() {
      await thread.stop();
      await waiting;
      await runtime.close();
    },
  };
}

const known = { from: 'project', scope: 'policy', onError: 'block', event: null };
const outlook = { decision: null, hook: 'before_tool_call' };

const project: HookProject = {
  list: async () => ({
    hooks: [
      {
        ...known,
        id: 'redact_mail',
        hook: 'before_create_message',
        source: 'hooks/mail.ts:3',
        matcher: null,
      },
      {
        ...known,
        id: 'no_deletes',
        hook: 'before_tool_call',
        source: 'hooks/guard.ts:2',
        matcher: 'delete_*',
      },
      {
        ...known,
        id: 'approve_refunds',
        hook: 'before_tool_call',
        source: 'hooks/refunds.ts:5',
        matcher: 'refund',
      },
      {
        ...known,
        id: 'no_shell',
        hook: 'before_tool_call',
        source: '.claude/settings.json:4',
        matcher: 'bash',
      },
      {
        ...known,
        id: 'redact_cards',
        hook: 'before_store_tool_result',
        source: 'hooks/cards.ts:9',
        matcher: null,
      },
    ],
    problems: [],
    findings: [
      {
        level: 'warning',
        where: '.claude/settings.json:4',
        entry: 'hooks.PreToolUse[0]',
        message: 'The matcher "bash" fits none of the tools. Did you mean "Bash"?',
      },
    ],
  }),
  explain: async () => ({
    hooks: [
      {
        ...outlook,
        id: 'no_deletes',
        source: 'hooks/guard.ts:2',
        runs: false,
        why: 'tools: delete_* does not match get_payment',
      },
      {
        ...outlook,
        id: 'approve_refunds',
        source: 'hooks/refunds.ts:5',
        runs: true,
        why: 'its matcher get_* matches get_payment',
      },
      {
        ...outlook,
        id: 'no_shell',
        source: '.claude/settings.json:4',
        runs: false,
        why: 'the matcher bash does not match get_payment',
      },
      { ...outlook, id: 'audit_calls', source: 'hooks/audit.ts:3', runs: null, why: 'its schema is code' },
    ],
    notLoaded: [{ source: 'hub.json:9', message: 'there is no event PreTool; was PreToolUse meant?' }],
    switchedOff: [],
  }),
  run: async () => ({
    decision: 'ask',
    reason: 'Refunds over 50 euros need a person.',
    input: { order: 'A-1042', amount: 50 },
    runs: [{ id: 'approve_refunds', hook: 'before_tool_call', outcome: 'asked', ms: 0.4, changed: true }],
  }),
};
