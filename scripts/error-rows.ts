// What each error code means and what to do about it: prose of docs/error-codes.md.
import type { ErrorCode } from '../packages/hooks/src/index.ts';

export interface Explained {
  readonly means: string;
  readonly remedy: string;
}

export const errorRows: Readonly<Record<ErrorCode, Explained>> = {
  bad_hook: {
    means: 'A hook has an unknown name, a wrong id, a wrong option or no `execute`.',
    remedy: 'Correct what the message names. [Writing hooks](writing-hooks.md) has all options.',
  },
  bad_matcher: {
    means: 'A matcher can never be right: a broken pattern, an empty entry, a path where a tool belongs.',
    remedy: 'Write it as the message shows. [Matchers](matchers.md) has the forms.',
  },
  bad_template: {
    means: 'A `{{template}}` of a hub file is not closed, or names a field that does not exist.',
    remedy: 'Correct the place in the message, or read the payload from standard input.',
  },
  bad_definition: {
    means: 'An agent, prompt, tool, rule, trigger, payload or configuration has the wrong form.',
    remedy: 'Correct the field that the message names.',
  },
  bad_module: {
    means:
      'A hook module cannot be imported, throws while it is imported, or has no hook as its default export.',
    remedy: 'Correct the module. No hook of the folder was loaded.',
  },
  bad_option: {
    means: 'An option is unknown or has a wrong value.',
    remedy: 'Write the option that the message suggests.',
  },
  duplicate_id: {
    means:
      'Two hooks, tools, agents, prompts, rules or triggers have the same id, or a list names one twice.',
    remedy: 'Rename one, or name it once.',
  },
  unknown_id: {
    means: 'A prompt, agent or command names something that is not registered.',
    remedy: 'Register it, or write the id that the message suggests.',
  },
  missing_dependency: {
    means: 'An optional package is missing, or its native part does not fit this Node.',
    remedy: 'Run the command in the message.',
  },
  hook_failed: {
    means: 'A hook threw, and its failure blocks what it guards.',
    remedy:
      "`createRuntime({ trace: 'values' })` keeps what it threw; `runHook` gives it as `thrown`. Mend the hook, or set `onError`.",
  },
  hook_timed_out: {
    means: 'A hook did not answer before its timeout, and that blocks what it guards.',
    remedy:
      'Pass `state.execution.abortSignal` to what it waits for, give it a longer `timeout`, or set `onTimeout`.',
  },
  aborted: {
    means: 'The thread was stopped while something ran.',
    remedy: 'Nothing, if you stopped it. The next `send` begins a new turn.',
  },
  invalid_input: {
    means:
      'A call got an argument of the wrong form, or a hook a subject that does not pass its schema or cannot be matched.',
    remedy: 'Correct the argument or field that the message names.',
  },
  input_too_large: {
    means: 'What a command would be given does not fit into a command line or a variable.',
    remedy: 'Let the command read the payload from standard input.',
  },
  invalid_result: {
    means:
      'A hook returned something that its kind does not allow, or changed a field that it may not change.',
    remedy: 'Return what [its kind](writing-hooks.md#what-do-i-return) wants, or add the field to `changes`.',
  },
  late_write: {
    means: 'A hook or tool wrote to the thread after it had ended. Nothing was written.',
    remedy: 'Await every write before `execute` returns.',
  },
  depth_exceeded: {
    means: 'Hooks or scripts set each other off without end.',
    remedy: 'Let one of them leave alone what the other writes, such as messages of the role `system`.',
  },
  model_failed: {
    means: 'The provider reported an error, or the model gave an answer that is no answer.',
    remedy: 'Check the key, the address and the name of the model, and try again.',
  },
  model_denied: {
    means: 'A `before_model_call` hook, or a person whom it had asked, refused the call of a model.',
    remedy: 'Read the reason in the last row of the thread. `hook` and `id` of the error name the hook.',
  },
  tool_failed: {
    means: 'An MCP server could not be started, did not answer, or answered what is not valid.',
    remedy: 'Start the server by hand and look at what it writes to standard error (`onStderr`).',
  },
  tool_timed_out: {
    means:
      'A call of a tool took longer than its `timeout`, or `toolTimeout`; whether it took effect is unknown. It is the `code` of the result, and the reason of the tool’s abort signal.',
    remedy: 'Pass `abortSignal` to what the tool waits for, or give it a longer `timeout`.',
  },
  not_found: {
    means: 'There is no thread, message or tool with that id.',
    remedy: 'Check the id. A thread may have been deleted.',
  },
  invalid_message: {
    means: 'A message has a field or an id that cannot be stored.',
    remedy: 'Correct the field that the message names.',
  },
  thread_busy: {
    means: 'Another process has the thread, or took it over.',
    remedy: 'Wait and try again, use `thread.queue`, or let each process close its threads.',
  },
  thread_terminated: {
    means: 'The thread was ended for good and takes no more messages.',
    remedy: 'Create a new thread.',
  },
  closed: {
    means: 'The thread, the runtime, the store or the sandbox is closed.',
    remedy: 'Open it again, or close it later.',
  },
  engine_failed: {
    means: 'The engine that runs turns in other processes cannot be reached, or refused a turn.',
    remedy:
      'Do what the message says. Send again under the same id: a turn that has begun goes on, and runs once.',
  },
  store_failed: {
    means:
      'The store refused an operation: the disk is full or broken, the file is locked, or a value is too large.',
    remedy: 'Do what the message says. Nothing of the operation was stored.',
  },
  store_newer: {
    means: 'A newer version of `@spec/runtime` wrote the file.',
    remedy: 'Update `@spec/runtime`.',
  },
  store_older: {
    means: 'An older version of `@spec/runtime` wrote the file, and it was opened to be read only.',
    remedy: 'Open it once with `sqliteStore`, which brings it to the newest schema.',
  },
  store_unreadable: {
    means: 'The file is not a store, or something in it is damaged.',
    remedy: 'Give another path, or restore a [backup](operating.md).',
  },
  regex_timeout: {
    means: 'A regular expression from a file took longer than its time.',
    remedy: 'Write it without nested repeats such as `(a+)+`.',
  },
  unsupported: {
    means:
      'A hook called a method of `state` that this place does not have: a framework, a coding agent, a loop of your own.',
    remedy: 'Do without it there, or use the hook where the method is.',
  },
  unexpected: {
    means: 'A turn ended with an error that is not one of these.',
    remedy: 'The error that `send` threw says more. If it comes from these packages, report it.',
  },
  value_lost: {
    means: 'A call has a placeholder of `redact` whose value nobody knows any more. The tool did not run.',
    remedy:
      'Give `redact` a `restore.key`, so that values survive a restart. The model is told to ask for the value again.',
  },
  value_withheld: {
    means:
      'A call has a value that came from another tool and may not go into this one. The tool did not run.',
    remedy: 'Name the tool in `restore.into`, if it may have such values.',
  },
  wrong_key: {
    means: 'What `redact` keeps with the thread was encrypted under another key, or was changed.',
    remedy: 'Add the old key to `restore.key`.',
  },
};
