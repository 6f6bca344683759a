import { listNames, options, results, telemetry } from './tables.ts';

/** Hears all that a run tells, and reads all that it gives. */
export class Recorder {
  /** What came out, by the name of the outlet. */
  readonly outlets: Record<string, unknown[]> = {};

  note(name: string, ...heard: readonly unknown[]): void {
    this.outlets[name] = [...(this.outlets[name] ?? []), ...heard];
  }

  /** A function that hears, and gives what another one says. */
  hear<Given = undefined>(name: string, give?: (...heard: never[]) => Given): (...heard: never[]) => Given {
    return (...heard) => {
      this.note(name, ...heard);
      return give?.(...heard) as Given;
    };
  }

  /** All functions that an application may give with a call. */
  listenAll(stopAfter: number): Readonly<Record<string, unknown>> {
    const gives: Readonly<Record<string, (...heard: never[]) => unknown>> = {
      stopWhen: ({ steps }: { steps: unknown[] }) => steps.length >= stopAfter,
      repairToolCall: () => null,
      experimental_repairToolCall: () => null,
      repairText: () => null,
      experimental_repairText: () => null,
      experimental_download: (wanted: unknown[]) => Promise.resolve(wanted.map(() => null)),
    };
    const names = [...listNames(options, 'told'), ...listNames(options, 'asked')];
    const heard = names.map((name) => [name, this.hear(name, gives[name])] as const);
    return {
      ...Object.fromEntries(heard),
      experimental_refineToolInput: { pay: this.hear('experimental_refineToolInput', (input) => input) },
      experimental_transform: () => new TransformStream({ transform: this.#transform }),
    };
  }

  readonly #transform = (part: unknown, controller: TransformStreamDefaultController<unknown>): void => {
    this.note('experimental_transform', part);
    controller.enqueue(part);
  };

  /** What integrations of telemetry are told, and what they are to run. */
  listenToTelemetry(): Readonly<Record<string, unknown>> {
    const told = listNames(telemetry, 'told').map((name) => [name, this.hear(`telemetry.${name}`)]);
    const around = listNames(telemetry, 'around').map((name) => [
      name,
      async ({ execute, ...rest }: { execute: () => PromiseLike<unknown> }) => {
        this.note(`telemetry.${name}`, rest);
        const made = await execute();
        this.note(`telemetry.${name} result`, made);
        return made;
      },
    ]);
    return Object.fromEntries([...told, ...around]);
  }

  /** Reads a result to its end, in every way that it has. */
  async read(result: object): Promise<void> {
    for (const [sort, read] of Object.entries(reads))
      for (const name of listNames(results, sort)) {
        if (!(name in result)) continue;
        const outlet = `${sort} ${name}`;
        const given = await read(result, name, this).catch((error: unknown) => error);
        this.note(outlet, given);
      }
    if (!('textStream' in result)) this.note('the result itself', result); // Each look at a stream makes another one.
  }
}

type Read = (result: object, name: string, recorder: Recorder) => Promise<unknown>;

const reads: Readonly<Record<'stream' | 'make' | 'pipe' | 'value', Read>> = {
  stream: async (result, name) => collect(Reflect.get(result, name) as AsyncIterable<unknown>),
  make: async (result, name, recorder) => {
    const made: unknown = await callMethod(result, name, makeOptions(recorder));
    if (made instanceof Response) return made.text();
    return made === undefined ? undefined : collect(made as AsyncIterable<unknown>);
  },
  pipe: async (result, name, recorder) => {
    const written: unknown[] = [];
    await new Promise<void>((resolve) => {
      callMethod(result, name, makeResponse(written, resolve), makeOptions(recorder));
    });
    return written;
  },
  value: async (result, name) => Reflect.get(result, name) as unknown,
};

function callMethod(result: object, name: string, ...args: readonly unknown[]): unknown {
  return Reflect.apply(Reflect.get(result, name) as (...args: readonly unknown[]) => unknown, result, args);
}

/** What a UI stream is told to hand on: all of it. */
const makeOptions = (recorder: Recorder) => ({
  ...{ sendReasoning: true, sendSources: true },
  messageMetadata: recorder.hear('messageMetadata', ({ part }: { part: unknown }) => ({ part })),
  onError: recorder.hear('onError of a UI stream', String),
  onFinish: recorder.hear('onFinish of a UI stream'),
  onEnd: recorder.hear('onEnd of a UI stream'),
  onStepFinish: recorder.hear('onStepFinish of a UI stream'),
  onStepEnd: recorder.hear('onStepEnd of a UI stream'),
});

/** As much of a response of Node as the AI SDK writes to. */
function makeResponse(written: unknown[], end: () => void): object {
  const decoder = new TextDecoder();
  return {
    writeHead: (...head: unknown[]) => void written.push(head),
    write: (bytes: Uint8Array) => written.push(decoder.decode(bytes)) > 0,
    ...{ end, once: () => {}, on: () => {}, off: () => {}, removeListener: () => {}, destroyed: false },
  };
}

export async function collect(stream: AsyncIterable<unknown> | undefined): Promise<unknown[]> {
  const parts: unknown[] = [];
  if (stream === undefined) return parts;
  try {
    for await (const part of stream) parts.push(part);
  } catch (error) {
    parts.push(error);
  }
  return parts;
}
