/**
 * Runs `spec-hooks` as it is built, one command after another in one process: most tests ask what a command says, and starting Node for
 * each takes ten times as long as the command. A message { args, cwd, env, input } is answered by { code, stdout, stderr }.
 */
import { Readable } from 'node:stream';

const main = new URL('../dist/main.mjs', import.meta.url).href;
const events = ['exit', 'beforeExit', 'uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM'];
const started = { cwd: process.cwd(), exit: process.exit };
let runs = 0;

// What a hook throws in a timer may come after its command; while a command runs, that is the command's own affair.
process.on('uncaughtException', () => {});

// What a command left running does not keep it alive once its tests are over.
process.on('disconnect', () => process.exit());
process.on('message', async (request) => process.send(await run(request)));

async function run({ args, cwd = started.cwd, env, input }) {
  const output = { stdout: '', stderr: '' };
  const restore = [
    ...events.map(keepListeners),
    captureOutput(output),
    replaceInput(input),
    keepTimers(),
    keepConsole(),
  ];
  process.exitCode = undefined;
  process.argv = [process.execPath, main, ...args];
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  try {
    process.chdir(cwd);
    await import(`${main}?run=${runs++}`);
    return { code: Number(process.exitCode ?? 0), ...output };
  } catch (error) {
    return { code: null, ...output, stderr: `${output.stderr}${error.stack}` };
  } finally {
    process.exitCode = undefined;
    process.chdir(started.cwd);
    for (const undo of restore) undo();
  }
}

/** What a command listens to is its own. */
function keepListeners(event) {
  const before = process.listeners(event);
  return () => {
    for (const listener of process.listeners(event))
      if (!before.includes(listener)) process.removeListener(event, listener);
  };
}

/** A command may send what is logged to standard error. */
function keepConsole() {
  const { log, info, debug } = console;
  return () => Object.assign(console, { log, info, debug });
}

/** A command that is done may leave a timer that ends its process, should that not end by itself. */
function keepTimers() {
  const { setTimeout } = globalThis;
  const timers = [];
  globalThis.setTimeout = Object.assign((...args) => {
    const timer = setTimeout(...args);
    timers.push(timer);
    return timer;
  }, setTimeout);
  return () => {
    globalThis.setTimeout = setTimeout;
    for (const timer of timers) if (!timer.hasRef()) clearTimeout(timer);
  };
}

function captureOutput(output) {
  const streams = ['stdout', 'stderr'].map((name) => {
    const stream = process[name];
    const { write } = stream;
    const listeners = stream.listeners('error');
    stream.write = (chunk, encoding, done = encoding) => {
      output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
    return () => {
      stream.write = write;
      for (const listener of stream.listeners('error'))
        if (!listeners.includes(listener)) stream.removeListener('error', listener);
    };
  });
  return () => {
    for (const undo of streams) undo();
  };
}

function replaceInput(input) {
  const given = Object.getOwnPropertyDescriptor(process, 'stdin');
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) });
  return () => Object.defineProperty(process, 'stdin', given);
}
