import { parentPort, workerData } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { errors, newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';

/*
 * Runs scripts, one at a time, each in a QuickJS context of its own.
 *
 * W1 Only JSON text and numbers cross, in both directions.
 * W2 All scripts of a worker share one WebAssembly memory with a maximum: QuickJS's own limit does not hold.
 * W3 Code is stopped by its interrupt handler; what never asks it is ended by the host, with this whole thread.
 * W4 Jobs run in small batches, and calls are counted before a promise is made for them: a flood of promises ends here.
 */

const STACK_BYTES = 256 * 1024;
const JOBS_IN_A_BATCH = 50;
/** Characters of JSON that a script may return, or give to a tool. */
const MAX_JSON = 1_048_576;
const names = ['type', 'agentId', 'toolName', 'toolInput', 'toolResult', 'prompt', 'stopReason'];

/** Runs in the guest: what a script sees of the host goes through here, as text (W1). */
const PRELUDE = `(names, limit, code, given, call, tell) => {
  const { parse, stringify } = JSON;
  const AsyncFunction = (async () => {}).constructor;
  const values = parse(given);
  const text = (value) => {
    const json = stringify(value);
    if (json !== undefined && json.length > limit) throw new RangeError('More than ' + limit + ' characters of JSON.');
    return json;
  };
  const show = (value) => typeof value === 'string' ? value : stringify(value) ?? String(value);
  const callTool = async (name, input = {}) => parse(await call(String(name), text(input) ?? '{}'));
  const log = (...parts) => { tell(parts.map(show).join(' ')); };
  const script = new AsyncFunction(...names, 'callTool', 'log', code);
  return script(...names.map((name) => values[name]), callTool, log).then(text);
}`;

const memory = new WebAssembly.Memory({ initial: 256, maximum: workerData.memoryPages });
const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory: memory }));

/** One run of one script. */
class ScriptRun {
  #runtime = quickjs.newRuntime();
  #context;
  #handles = [];
  #calls = new Map();
  #callCount = 0;
  #logged = 0;
  #remaining;
  #startedAt = 0;
  #script;
  #isOver = false;

  constructor({ deadline }) {
    this.#remaining = deadline;
    this.#runtime.setMaxStackSize(STACK_BYTES);
    this.#runtime.setInterruptHandler(() => this.#isLate());
    this.#context = this.#runtime.newContext();
  }

  start({ code, data, maxCalls, maxLog }) {
    this.#work(() => {
      const context = this.#context;
      const keep = (handle) => {
        this.#handles.push(handle);
        return handle;
      };
      const main = keep(context.unwrapResult(context.evalCode(PRELUDE, 'prelude')));
      const call = keep(context.newFunction('call', (name, input) => this.#call(name, input, maxCalls)));
      const tell = keep(context.newFunction('tell', (line) => this.#tell(line, maxLog)));
      const list = keep(context.unwrapResult(context.evalCode(JSON.stringify(names))));
      const texts = [code, data].map((text) => keep(context.newString(text)));
      const limit = keep(context.newNumber(MAX_JSON));
      const result = context.callFunction(main, context.undefined, list, limit, ...texts, call, tell);
      this.#script = keep(context.unwrapResult(result));
    });
  }

  answer({ id, result, error }) {
    const promise = this.#calls.get(id);
    if (promise === undefined) return;
    this.#calls.delete(id);
    this.#work(() => {
      if (error === undefined) this.#context.newString(result).consume((text) => promise.resolve(text));
      else this.#context.newError(error).consume((thrown) => promise.reject(thrown));
    });
  }

  #call(name, input, maxCalls) {
    if (this.#callCount >= maxCalls) throw new Error(`A script may call at most ${maxCalls} tools.`);
    const [id, promise] = [this.#callCount++, this.#context.newPromise()];
    this.#calls.set(id, promise);
    const [tool, json] = [this.#context.getString(name), this.#context.getString(input)];
    parentPort.postMessage({ type: 'call', id, name: tool, input: json });
    return promise.handle;
  }

  #tell(line, maxLog) {
    const text = this.#context.getString(line);
    const room = maxLog - this.#logged;
    this.#logged += text.length + 1;
    if (room > 0)
      parentPort.postMessage({ type: 'log', line: text.slice(0, room), isCut: text.length > room });
  }

  /** Does something in the guest, and what follows from it, in the time that is left (W3, W4). */
  #work(step) {
    this.#startedAt = performance.now();
    try {
      step();
      while (this.#runtime.hasPendingJob()) {
        this.#runtime.executePendingJobs(JOBS_IN_A_BATCH).dispose();
        if (this.#isLate()) break;
      }
      if (this.#isLate()) return this.#end({ type: 'failed', code: 'timed_out' });
      this.#remaining -= performance.now() - this.#startedAt;
      this.#look();
    } catch (error) {
      this.#end(this.#failureOf(error));
    }
  }

  /** Whether the script has come to its end, and what it gave. */
  #look() {
    const state = this.#context.getPromiseState(this.#script);
    if (state.type === 'fulfilled') {
      const json = state.value.consume((value) => this.#context.dump(value));
      this.#end({ type: 'done', json: typeof json === 'string' ? json : undefined });
    } else if (state.type === 'rejected') {
      const thrown = state.error.consume((error) => this.#context.dump(error));
      this.#end({ type: 'failed', code: 'threw', message: messageOf(thrown) });
    } else if (this.#calls.size === 0) this.#end({ type: 'failed', code: 'never_settles' });
    else parentPort.postMessage({ type: 'waiting', remaining: this.#remaining });
  }

  #isLate() {
    return performance.now() - this.#startedAt > this.#remaining;
  }

  #failureOf(error) {
    if (this.#isLate()) return { type: 'failed', code: 'timed_out' };
    if (error instanceof errors.QuickJSUnwrapError)
      return { type: 'failed', code: 'threw', message: messageOf(error.cause) };
    return { type: 'failed', code: 'crashed', isBroken: true };
  }

  /** What cannot be taken apart any more goes with this thread. */
  #end(message) {
    if (this.#isOver) return;
    this.#isOver = true;
    current = undefined;
    let { isBroken = false } = message;
    try {
      for (const promise of this.#calls.values()) promise.dispose();
      for (const handle of this.#handles) handle.dispose();
      this.#context.dispose();
      this.#runtime.dispose();
    } catch {
      isBroken = true;
    }
    parentPort.postMessage({ ...message, isBroken, bytes: memory.buffer.byteLength });
  }
}

function messageOf(thrown) {
  const { name, message } = thrown ?? {};
  if (typeof message === 'string') return `${name ?? 'Error'}: ${message}`.slice(0, 500);
  return String(thrown).slice(0, 500);
}

/** Where a script breaks the language's rules; nothing of it runs. */
function check(code) {
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  const context = runtime.newContext();
  try {
    const source = `async function script() {\n${code}\n}`;
    const compiled = context.evalCode(source, 'script', { compileOnly: true });
    if (compiled.error === undefined) {
      compiled.value.dispose();
      return undefined;
    }
    const { message, stack } = compiled.error.consume((error) => context.dump(error));
    const [, line, column] = /script:(\d+):(\d+)/.exec(stack) ?? [];
    return { message, line: Number(line ?? 2) - 1, column: Number(column ?? 1) };
  } finally {
    context.dispose();
    runtime.dispose();
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
