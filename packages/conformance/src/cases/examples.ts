import { defineHook } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../case.ts';
import { calling, last, scoped, stored, tool } from './kit/index.ts';
import { lacks, sentText } from './kit/trials.ts';

const MANY = 26;

/** The examples of the specification, as they stand there: they must work. */
export const exampleCases: readonly Case[] = [
  {
    id: 'examples.limit_to_50_messages',
    section: 'spec 8.1',
    level: 'MUST',
    says: 'Message context limiting: the model is sent the 50 newest messages at most, storage has all.',
    covers: ['8.1.example'],
    hooks: ['filter_messages'],
    async run({ open }) {
      const hook = defineHook({
        hook: 'filter_messages',
        id: 'limit_to_50_messages',
        execute: async (_state, messages) => {
          return messages.slice(-50);
        },
      });
      const trial = await open(scoped([hook]));
      for (let number = 1; number <= MANY; number++) await trial.send(`message ${number}`);
      const sent = trial.sent().at(-1) ?? [];
      same(sent.length, 50, 'how many messages the model was sent last');
      same(sent.at(-1)?.content, `message ${MANY}`, 'the last of them');
      same((await stored(trial)).length, 2 * MANY, 'how many messages are stored');
    },
  },
  {
    id: 'examples.log_tool_calls',
    section: 'spec 8.2',
    level: 'MUST',
    says: 'Logging all tool calls: thread, step, name, arguments and result are there, and the result stays.',
    covers: ['8.2.example', '5.2.use'],
    hooks: ['after_tool_call_success'],
    async run({ open }) {
      const log: unknown[] = [];
      const hook = defineHook({
        hook: 'after_tool_call_success',
        id: 'log_tool_calls',
        execute: async (state, toolCall, result) => {
          log.push({
            event: 'tool_success',
            threadId: state.threadId,
            hasStep: state.execution.stepCount > 0,
            tool: toolCall.function.name,
            args: toolCall.function.arguments,
            result: result.result,
          });
          return null; // Use original result
        },
      });
      const trial = await open(scoped([hook], { tools: [tool('act', 'acted')], script: calling('act') }));
      await trial.send('go');
      const { threadId } = trial;
      const entry = {
        event: 'tool_success',
        threadId,
        hasStep: true,
        tool: 'act',
        args: '{}',
        result: 'acted',
      };
      same(log, [entry], 'the log');
      same((await last(trial, 'tool')).content, 'acted', 'the stored result');
    },
  },
  {
    id: 'examples.alert_payment_failures',
    section: 'spec 8.3',
    level: 'MUST',
    says: 'Error alerting: the hook hears of the failure of the tool that it is for, and the error stays.',
    covers: ['8.3.example'],
    hooks: ['after_tool_call_failure'],
    async run({ open }) {
      const alerts: string[] = [];
      const hook = defineHook({
        hook: 'after_tool_call_failure',
        id: 'alert_payment_failures',
        execute: async (_state, toolCall, result) => {
          // Send alert for critical tool failures
          if (toolCall.function.name === 'payment_process')
            alerts.push(`Payment tool failed: ${result.error?.includes('card refused')}`);
          return null; // Use original error
        },
      });
      const tools = [tool('payment_process', new Error('card refused')), tool('other', new Error('no'))];
      const trial = await open(scoped([hook], { tools, script: calling('other', 'payment_process') }));
      await trial.send('go');
      same(alerts, ['Payment tool failed: true'], 'the alerts');
      holds((await last(trial, 'tool')).content?.includes('card refused') === true, 'the error is stored');
    },
  },
  {
    id: 'examples.add_execution_metadata',
    section: 'spec 8.4',
    level: 'MUST',
    says: 'Adding metadata to messages: flow, step and side of each message are stored with it.',
    covers: ['8.4.example'],
    hooks: ['before_create_message'],
    async run({ open }) {
      const hook = defineHook({
        hook: 'before_create_message',
        id: 'add_execution_metadata',
        execute: async (state, message) => {
          return {
            ...message,
            metadata: JSON.stringify({
              flow_id: state.execution.flowId,
              step: state.execution.stepCount,
              side: state.execution.currentSide,
            }),
          };
        },
      });
      const trial = await open(scoped([hook], { script: [{ text: 'hi' }] }));
      await trial.send('hello');
      const found = (await stored(trial)).map(({ metadata }) => JSON.parse(String(metadata)));
      same(
        found.map(({ flow_id, step, side }) => [typeof flow_id, Number.isInteger(step), side]),
        [
          ['string', true, 'a'],
          ['string', true, 'a'],
        ],
        'flow, step and side of the stored messages',
      );
    },
  },
  {
    id: 'examples.redact_credit_cards',
    section: 'spec 8.5',
    level: 'MUST',
    says: 'Sanitizing sensitive data: a card number in a result is neither stored nor sent to the model.',
    covers: ['8.5.example'],
    hooks: ['before_store_tool_result'],
    async run({ open }) {
      const hook = defineHook({
        hook: 'before_store_tool_result',
        id: 'redact_credit_cards',
        execute: async (_state, _toolCall, result) => {
          // Redact credit card numbers from results
          const sanitized = { ...result };
          if (typeof sanitized.result === 'string') {
            sanitized.result = sanitized.result.replace(
              /\b\d{4}[-\s]?\d{4}[-\s]?\d{4}[-\s]?\d{4}\b/g,
              '****-****-****-****',
            );
          }
          return sanitized;
        },
      });
      const tools = [tool('act', 'paid with 4111-1111-1111-1111')];
      const trial = await open(scoped([hook], { tools, script: calling('act') }));
      await trial.send('go');
      same((await last(trial, 'tool')).content, 'paid with ****-****-****-****', 'the stored result');
      lacks(
        sentText(trial) + JSON.stringify(await trial.messages()),
        '4111-1111',
        'what was sent and stored',
      );
    },
  },
  {
    id: 'examples.add_concise_reminder',
    section: 'spec 3.2',
    level: 'MUST',
    says: 'The example that changes the last message in place: the model is sent the reminder, storage is not.',
    covers: ['3.2.after_conversion'],
    hooks: ['prefilter_llm_history'],
    async run({ open }) {
      const hook = defineHook({
        hook: 'prefilter_llm_history',
        id: 'add_concise_reminder',
        execute: async (_state, messages) => {
          // Add reminder to keep responses concise
          const newest = messages[messages.length - 1];
          if (newest?.role === 'user' && typeof newest.content === 'string') {
            newest.content += '\n\n(Remember to be concise)';
          }
          return messages;
        },
      });
      const trial = await open(scoped([hook]));
      await trial.send('one');
      await trial.send('two');
      const texts = (trial.sent()[1] ?? []).map(({ content }) => content);
      same(texts, ['one', 'done', 'two\n\n(Remember to be concise)'], 'what the model was sent');
      lacks(JSON.stringify(await trial.messages()), 'concise', 'the stored messages');
    },
  },
];
