import { parentPort, workerData } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { errors, newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';

/*
 * Runs scripts, one at a time, each in a QuickJS context of its own.
 *
 * W1 Only texts of limited length cross, in both directions. No value of a script is turned into a value of this thread's engine.
 * W2 All scripts of a worker share one WebAssembly memory with a maximum: QuickJS's own limit does not hold.
 * W3 Code is stopped by its interrupt handler; what never asks it is ended by the host, with this whole thread.
 * W4 Jobs run in small batches, and calls are counted before a promise is made for them: a flood of promises ends here.
 * W5 What a script gave first is its end: nothing of it runs after that.
 */

const STACK_BYTES = 256 * 1024;
const JOBS_IN_A_BATCH = 50;
const MAX_TOOL_NAME = 200;
const MAX_ERROR = 500;
/** Characters of a reason in an answer that is too long. */
const MAX_REASON = 10_000;
const { engine, memoryPages, maxJson, maxCalls, maxLog, maxLines } = workerData;

const variables = ['type', 'agentId', 'toolName', 'toolInput', 'toolResult', 'prompt', 'stopReason'];
const parameters = [...variables, 'callTool', 'log'].join(', ');

/** The function that a script is the body of: its first line is the second of this text. */
const sourceOf = (code) => `(async function (${parameters}) {\n${code}\n})`;

/** Runs in the guest before the script, which may change everything it can reach: what is needed later is taken now. */
const PRELUDE = `(maxJson, maxReason, maxLog, maxLines, call, tell, done, failed) => {
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const [Text, TooLong] = [String, RangeError];
  const cut = (text, most) => apply(slice, text, [0, most]);
  const jsonOf = (value) => {
    const json = stringify(value);
    if (json !== undefined && json.length > maxJson)
      throw new TooLong('This has ' + json.length + ' characters of JSON; at most ' + maxJson + ' may leave a script.');
    return json;
  };
  /** A refusal holds however long it is: who is judged may have chosen the text that it quotes. */
  const answerOf = (value) => {
    const json = stringify(value);
    if (json === undefined || json.length <= maxJson) return json;
    const { decision, reason } = parse(json);
    if (decision !== 'deny' && decision !== 'ask') return jsonOf(value);
    return stringify({ decision, reason: cut(Text(reason ?? ''), maxReason) + '…' });
  };
  const shown = (value) => (typeof value === 'object' ? stringify(value) : undefined) ?? Text(value);
  const lineOf = (parts) => {
    let line = '';
    for (let i = 0; i < parts.length; i++) line += (i === 0 ? '' : ' ') + shown(parts[i]);
    return cut(line, maxLog);
  };
  const told = (error) => {
    try {
      if (typeof error !== 'object' || error === null) return shown(error);
      const { name, message } = error;
      return message === undefined ? shown(error) : Text(name ?? 'Error') + ': ' + Text(message);
    } catch {
      return 'something that cannot be shown';
    }
  };
  const placeOf = (error) => {
    try {
      return Text(error.stack);
    } catch {
      return '';
    }
  };
  const callTool = async (name, input = {}) => parse(await call(Text(name), jsonOf(input) ?? '{}'));
  let room = maxLog;
  let lines = 0;
  /** What nobody keeps does not leave the guest: a flood of lines would take seconds. */
  const log = (...parts) => {
    if (room <= 0 || lines === maxLines) return;
    const line = lineOf(parts);
    lines++;
    room -= line.length;
    tell(line);
  };
  return async (script, given) => {
    try {
      const { ${variables.join(', ')} } = parse(given);
      done(answerOf(await script(${parameters})));
    } catch (error) {
      failed(cut(told(error), ${MAX_ERROR}), cut(placeOf(error), 2000));
    }
  };
}`;

const memory = new WebAssembly.Memory({ initial: 256, maximum: memoryPages });
const quickjs = await newQuickJSWASMModuleFromVariant(
  newVariant(variant, { wasmModule: engine, wasmMemory: memory }),
);

/** One run of one script. */
class ScriptRun {
  #runtime = quickjs.newRuntime();
  #context;
  #handles = [];
  #calls = new Map();
  #callCount = 0;
  #answered = 0;
  #passedOn = 0;
  #logged = 0;
  #lines = 0;
  /** Milliseconds of running that are left. */
  #remaining;
  #startedAt = 0;
  /** How it ended. */
  #end;

  constructor({ deadline }) {
    this.#remaining = deadline;
    this.#runtime.setMaxStackSize(STACK_BYTES);
    this.#runtime.setInterruptHandler(() => this.#isLate());
    this.#context = this.#runtime.newContext();
  }

  start({ code, data }) {
    this.#work(() => {
      const context = this.#context;
      const numbers = [maxJson, MAX_REASON, maxLog, maxLines].map((number) =>
        this.#keep(context.newNumber(number)),
      );
      const functions = ['call', 'tell', 'done', 'failed'].map((name) =>
        this.#keep(context.newFunction(name, (...given) => this[name](...given))),
      );
      const prelude = this.#keep(context.unwrapResult(context.evalCode(PRELUDE, 'prelude')));
      const main = this.#keep(
        context.unwrapResult(context.callFunction(prelude, context.undefined, ...numbers, ...functions)),
      );
      const script = this.#keep(context.unwrapResult(context.evalCode(sourceOf(code), 'script')));
      const given = this.#keep(context.newString(data));
      this.#keep(context.unwrapResult(context.callFunction(main, context.undefined, script, given)));
    });
  }

  answer({ id, result, error }) {
    const promise = this.#calls.get(id);
    if (promise === undefined) return;
    this.#calls.delete(id);
    this.#answered++;
    this.#work(() => {
      if (error === undefined) this.#context.newString(result).consume((text) => promise.resolve(text));
      else this.#context.newError(error).consume((thrown) => promise.reject(thrown));
    });
  }

  call(name, input) {
    if (this.#callCount >= maxCalls) throw new RangeError(`A script may call at most ${maxCalls} tools.`);
    const [tool, json] = [this.#textOf(name, MAX_TOOL_NAME), this.#textOf(input, maxJson - this.#passedOn)];
    if (tool === undefined || json === undefined)
      throw new RangeError(`The inputs of a script's tools may have at most ${maxJson} characters together.`);
    this.#passedOn += json.length;
    const [id, promise] = [this.#callCount++, this.#context.newPromise()];
    this.#calls.set(id, promise);
    parentPort.postMessage({ type: 'call', id, name: tool, input: json });
    return promise.handle;
  }

  tell(line) {
    const text = this.#textOf(line, maxLog) ?? '';
    const room = this.#lines < maxLines ? maxLog - this.#logged : 0;
    this.#logged += text.length;
    this.#lines++;
    if (room <= 0) return;
    const isCut = text.length > room || this.#lines === maxLines;
    parentPort.postMessage({ type: 'log', line: text.slice(0, room), isCut });
  }

  done(json) {
    const isNothing = this.#context.typeof(json) === 'undefined';
    this.#end ??= { type: 'done', json: isNothing ? undefined : this.#textOf(json, maxJson) };
  }

  failed(told, stack) {
    const message = this.#textOf(told, MAX_ERROR);
    const line = lineIn(this.#textOf(stack, 2000) ?? '');
    this.#end ??= this.#isLate()
      ? { type: 'failed', code: 'timed_out' }
      : { type: 'failed', code: 'threw', message, line };
  }

  #keep(handle) {
    this.#handles.push(handle);
    return handle;
  }

  /** A text of the guest; nothing for what is none, or longer than it may be (W1). */
  #textOf(handle, most) {
    if (this.#context.typeof(handle) !== 'string') return undefined;
    const length = this.#context
      .getProp(handle, 'length')
      .consume((number) => this.#context.getNumber(number));
    return length <= most ? this.#context.getString(handle) : undefined;
  }

  /** Does something in the guest, and what follows from it, in the time that is left (W3, W4). */
  #work(step) {
    this.#startedAt = performance.now();
    try {
      step();
      while (this.#end === undefined && this.#runtime.hasPendingJob() && !this.#isLate())
        this.#runtime.executePendingJobs(JOBS_IN_A_BATCH).dispose();
      if (this.#isLate()) this.#end ??= { type: 'failed', code: 'timed_out' };
    } catch (error) {
      this.#end ??= this.#failureOf(error);
    }
    this.#remaining -= performance.now() - this.#startedAt;
    if (this.#end === undefined && this.#calls.size === 0)
      this.#end = { type: 'failed', code: 'never_settles' };
    if (this.#end !== undefined) this.#leave(this.#end);
    else parentPort.postMessage({ type: 'waiting', remaining: this.#remaining, answered: this.#answered });
  }

  #isLate() {
    return performance.now() - this.#startedAt > this.#remaining;
  }

  #failureOf(error) {
    if (this.#isLate()) return { type: 'failed', code: 'timed_out' };
    if (error instanceof errors.QuickJSUnwrapError) return { type: 'failed', code: 'threw' };
    return { type: 'failed', code: 'crashed', isBroken: true };
  }

  /** What cannot be taken apart any more goes with this thread. */
  #leave(end) {
    current = undefined;
    let { isBroken = false } = end;
    try {
      for (const promise of this.#calls.values()) promise.dispose();
      for (const handle of this.#handles) handle.dispose();
      this.#context.dispose();
      this.#runtime.dispose();
    } catch {
      isBroken = true;
    }
    parentPort.postMessage({ ...end, isBroken, bytes: memory.buffer.byteLength });
  }
}

/** The line of a script, from 1, that a stack begins in. */
function lineIn(stack) {
  const found = /\bscript:(\d+)/.exec(stack);
  return found === null ? undefined : Number(found[1]) - 1;
}

/** Where a script breaks the language's rules; nothing of it runs. */
function check(code) {
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  const context = runtime.newContext();
  try {
    const compiled = context.evalCode(sourceOf(code), 'script', { compileOnly: true });
    if (compiled.error === undefined) {
      compiled.value.dispose();
      return endsItsFunction(code);
    }
    const { message, stack } = compiled.error.consume((error) => context.dump(error));
    const [, line, column] = /script:(\d+):(\d+)/.exec(stack) ?? [];
    return { message, ...placeIn(code, Number(line ?? 2) - 1, Number(column ?? 1)) };
  } finally {
    context.dispose();
    runtime.dispose();
  }
}

/** A mistake that is found behind the end of a script is told at its end. */
function placeIn(code, line, column) {
  const lines = code.split('\n');
  const last = lines.at(-1) ?? '';
  return line <= lines.length ? { line, column } : { line: lines.length, column: last.length + 1 };
}

const AsyncFunction = (async () => {}).constructor;

/** A script is the body of a function, and may not end it: `}, evil(), async function () {` is none. Compiled, and never called. */
function endsItsFunction(code) {
  try {
    new AsyncFunction(parameters, code);
    return undefined;
  } catch {
    return { message: 'it ends the function that it is the body of', line: 1, column: 1 };
  }
}

let current;

parentPort.on('message', (message) => {
  if (message.type === 'answer') current?.answer(message);
  else if (message.type === 'check')
    parentPort.postMessage({
      type: 'checked',
      problem: check(message.code),
      bytes: memory.buffer.byteLength,
    });
  else {
    current = new ScriptRun(message);
    current.start(message);
  }
});

check('return 1'); // The engine compiles itself as it is used: the first script must not pay for that.
parentPort.postMessage({ type: 'ready' });
