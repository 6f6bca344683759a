import { compileMatcher, DefinitionError } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { dialectTraits } from '../dialect-traits.ts';
import type { CommandHandler } from '../entry-handler.ts';
import { isObject } from '../json-object.ts';
import type {
  CommandEntry,
  CompiledEntry,
  Dialect,
  Occasion,
  SettingsFile,
  WrittenRule,
} from '../normal-form.ts';
import { compileFileRegex } from '../regexes.ts';
import {
  compileTemplate,
  type Template,
  type TemplateValues,
  type VariableRoot,
} from '../template/template.ts';
import {
  allEffects,
  cannotBlock,
  type EntrySource,
  type FlatEvent,
  type FlatFormat,
  type FlatMore,
  flatEntriesIn,
  readFlat,
  selectWords,
} from './flat.ts';
import { looksLikeHub } from './hub-signs.ts';
import { COMMENT, type Fields, readFields } from './nested/fields.ts';
import { reportForeignVariables } from './nested/foreign-variables.ts';
import type { Report } from './nested/report.ts';

/** The events of the format, by their names. */
export const hubEvents: Readonly<Record<string, FlatEvent>> = {
  PreToolUse: { hook: 'before_tool_call', isTool: true },
  PostToolUse: { hook: 'after_tool_call_success', alsoAt: 'after_tool_call_failure', isTool: true },
  UserPromptSubmit: { hook: 'before_user_message', only: 'main' },
  Stop: { hook: 'before_stop' },
  AgentStart: { hook: 'after_session_started' },
  AgentEnd: { hook: 'after_session_ended' },
};

/** Events at which a failure can block. */
export const hubGates: readonly string[] = ['PreToolUse', 'UserPromptSubmit', 'Stop'];

const format: FlatFormat = { name: 'hub', events: hubEvents, readMore, readRule };

/** The dialect of `hub.json` (rules-and-scripts, "Hub Shell Hooks"; design §8.1): flat entries, the payload in templates. */
export const hub: Dialect = {
  ...dialectTraits.hub,
  name: 'hub',
  recognises: (content) => looksLikeHub(flatEntriesIn(content, Object.keys(hubEvents))),
  read: (file) => readFlat(file, format),
  compile,
  strategy: () => 'serial',
};

function readMore(fields: Fields, eventName: string, report: Report): FlatMore {
  const continues = fields.flag('continueOnError');
  const isGate = hubGates.includes(eventName);
  const inputMatchers = readInputMatchers(fields);
  const command = fields.value('command');
  if (typeof command === 'string')
    reportForeignVariables(command, [...fields.path, 'command'], { ...GIVEN, report });
  if (continues === false && !isGate)
    cannotBlock(fields, { key: 'continueOnError', eventName, gates: hubGates.join(', ') }, report);
  if (eventName === 'PreToolUse' && !fields.has('continueOnError')) {
    const message =
      'A failure of this entry blocks nothing. The format says both that a non-zero exit code blocks and that "continueOnError" is true: write "continueOnError": false to block, true to continue.';
    report.warning('unclear_failure', fields.path, message);
  }
  return {
    effects: allEffects(continues === false && isGate ? 'block' : 'continue'),
    priority: readPriority(fields),
    ...(inputMatchers === undefined ? {} : { inputMatchers }),
  };
}

const GIVEN = {
  names: [],
  instead: 'Write a template, such as {{input.command}}, or read the JSON on standard input.',
};

function readPriority(fields: Fields): number {
  const priority = fields.value('priority') ?? 0;
  if (typeof priority === 'number') return priority;
  fields.refuse('priority', 'priority must be a number; higher ones run first.');
  return 0;
}

function readInputMatchers(fields: Fields): JsonObject | undefined {
  const matchers = fields.object('inputMatchers');
  if (matchers === undefined || Object.values(matchers).every((pattern) => typeof pattern === 'string'))
    return matchers;
  fields.refuse('inputMatchers', 'inputMatchers must be an object from fields to regular expressions.');
  return undefined;
}

function compile(entry: CommandEntry): CompiledEntry {
  const handler = entry.handler as CommandHandler;
  const template = compileTemplate(handler.command);
  checkVariables(template, entry.eventName);
  return {
    entry,
    ...matching(entry),
    invocation: (occasion) => ({
      handler: { ...handler, command: template.render(makeValues(occasion)) },
      payload: makePayload(entry.eventName, occasion),
      env: {},
      payloadVariables: {},
    }),
    answer(given) {
      if (given.exitCode === 0) return {};
      const why = `it exited with ${given.exitCode}`;
      return {
        failure: { effect: 'onExit', why },
        reason: selectWords(given) || `A hook blocked this: ${why}.`,
      };
    },
  };
}

/** Variables that only some events have. */
const ofEvents: Readonly<Partial<Record<VariableRoot, readonly string[]>>> = {
  toolName: ['PreToolUse', 'PostToolUse'],
  input: ['PreToolUse', 'PostToolUse'],
  result: ['PostToolUse'],
};

function checkVariables({ variables }: Template, eventName: string): void {
  for (const { root, text } of variables) {
    const where = ofEvents[root];
    if (where === undefined || where.includes(eventName)) continue;
    const problem = `Bad template: ${text} is not there on ${eventName}; it is on ${where.join(' and ')}.`;
    throw new DefinitionError('bad_template', problem);
  }
}

/** A regular expression for the tool's name, which may fit anywhere in it, and those for fields of its input, which must all fit. */
function matching({ matcher, eventName }: CommandEntry): Pick<CompiledEntry, 'mismatch' | 'isByToolName'> {
  const { matcher: name, inputMatchers } = isObject(matcher)
    ? matcher
    : { matcher, inputMatchers: undefined };
  const tools =
    typeof name === 'string' ? compileMatcher(nameRegex(name), { regex: compileFileRegex }) : undefined;
  const fields = isObject(inputMatchers)
    ? compileMatcher({ input: inputMatchers as Record<string, string> }, { regex: compileFileRegex })
    : undefined;
  const isTool = hubEvents[eventName]?.isTool === true;
  return {
    ...(isTool && fields === undefined ? { isByToolName: true } : {}),
    mismatch({ tool }) {
      if (tool === undefined) return undefined;
      const failed = [tools, fields].find((part) => part !== undefined && !part.test(tool));
      return failed?.explain(tool);
    },
  };
}

function nameRegex(source: string): string {
  if (source !== '*') return `/${source}/`;
  throw new DefinitionError(
    'bad_matcher',
    'Bad matcher: "*" is no regular expression. Write ".*", or leave the matcher out.',
  );
}

function makeValues({ tool, result, sandboxDir }: Occasion): TemplateValues {
  return {
    ...(tool === undefined ? {} : { toolName: tool.name, input: tool.input }),
    ...(result === undefined ? {} : { result: result.result ?? result.error ?? '' }),
    sandbox: sandboxDir,
  };
}

/** The format's words for events, as its scripts know them. */
const types: Readonly<Record<string, string>> = {
  PreToolUse: 'pre_tool_use',
  PostToolUse: 'post_tool_use',
  UserPromptSubmit: 'user_prompt_submit',
  Stop: 'stop',
  AgentStart: 'agent_start',
  AgentEnd: 'agent_end',
};

/** What the format's scripts know by these names, for commands that read their standard input. */
function makePayload(
  eventName: string,
  { tool, result, prompt, reason, agentId, sandboxDir }: Occasion,
): string {
  return JSON.stringify({
    type: types[eventName],
    agentId,
    sandbox: sandboxDir,
    ...(tool === undefined ? {} : { toolName: tool.name, toolInput: tool.input }),
    ...(result === undefined
      ? {}
      : {
          toolResult: { content: result.result ?? result.error ?? '', is_error: result.status === 'error' },
        }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(eventName === 'Stop' && reason !== undefined ? { stopReason: reason } : {}),
  });
}

/** Reads a declarative rule as it is written (rules-and-scripts, "Declarative Rules"). Whoever loads it checks the rest. */
function readRule(
  { eventName, value, position, path }: EntrySource,
  { file, report }: { readonly file: SettingsFile; readonly report: Report },
): WrittenRule | undefined {
  const fields = readFields(value as JsonObject, path, report);
  fields.text('action');
  if (fields.has('command')) {
    const problem = 'An entry has a command or an action, not both. Make two entries of it.';
    fields.refuse('command', problem, 'bad_shape');
  }
  if (fields.has('event') && fields.value('event') !== eventName)
    fields.refuse('event', `This rule is in the list of ${eventName}. Remove "event", or move the rule.`);
  if (fields.isBroken) return undefined;
  const written = Object.entries(value as JsonObject).filter(([key]) => !COMMENT.test(key));
  return {
    rule: { id: file.entryId('hub', eventName, position), ...Object.fromEntries(written), event: eventName },
    position: file.findPosition(path),
    lines: Object.fromEntries(written.map(([key]) => [key, file.findPosition([...path, key]).line])),
  };
}
