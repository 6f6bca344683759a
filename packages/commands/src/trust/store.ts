import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { DefinitionError, isRecord } from '@spec/hooks';
import { readRegularFile } from '@spec/hooks/node';

/** Remembers which settings files a person trusts, by path and fingerprint. */
export interface TrustStore {
  /** The absolute path of its file, if it has one; whoever watches settings files watches it too. */
  readonly path?: string;
  /** The trusted fingerprint of a file. @param path absolute */
  get(path: string): Promise<string | undefined>;
  /** Trusts a file as its fingerprint describes it. */
  trust(path: string, fingerprint: string): Promise<void>;
  /** Stops trusting a file. True if it was trusted. */
  forget(path: string): Promise<boolean>;
}

/** A trust store that can list its content. */
export interface TrustFile extends TrustStore {
  /** The fingerprints by the absolute path of the settings file. */
  all(): Promise<ReadonlyMap<string, string>>;
}

interface Content {
  readonly version: 1;
  readonly trusted: Record<string, string>;
}

/** Enough for tens of thousands of files. */
const MAX_BYTES = 16_777_216;

/**
 * A trust store in the user's own JSON file. It is written whole or not at all, and only its owner can read it.
 *
 * @param path outside of any project; default: the store of `spec-hooks`, `spec-hooks/trusted.json` in `XDG_CONFIG_HOME`, else in
 * `~/.config`
 * @throws {DefinitionError} `bad_option`, from its methods, if the file is no such store: it is never taken for an empty one
 */
export function trustStore(path: string = ownFile()): TrustFile {
  const file = resolve(path);
  let last: Promise<unknown> = Promise.resolve();

  /** Changes run one after another: each begins with the result of the one before. */
  function change<T>(edit: (trusted: Content['trusted']) => T): Promise<T> {
    const next = last.then(async () => {
      const { trusted } = await read(file);
      const result = edit(trusted);
      await write(file, { version: 1, trusted });
      return result;
    });
    last = next.catch(() => {});
    return next;
  }

  return {
    path: file,
    async all() {
      await last;
      return new Map(Object.entries((await read(file)).trusted));
    },
    async get(settings) {
      await last;
      const { trusted } = await read(file);
      return Object.hasOwn(trusted, settings) ? trusted[settings] : undefined;
    },
    trust: (settings, fingerprint) =>
      change((trusted) => {
        trusted[settings] = fingerprint;
      }),
    forget: (settings) =>
      change((trusted) => Object.hasOwn(trusted, settings) && Reflect.deleteProperty(trusted, settings)),
  };
}

/** The folder where a person's programs keep what they trust. A relative path would lie in the project, so it does not count. */
function ownFile(): string {
  const { XDG_CONFIG_HOME: configured = '' } = process.env;
  const folder = isAbsolute(configured) ? configured : join(homedir(), '.config');
  return join(folder, 'spec-hooks', 'trusted.json');
}

async function read(file: string): Promise<Content> {
  let text: string;
  try {
    text = readRegularFile(file, MAX_BYTES).toString('utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { version: 1, trusted: {} };
    throw unusable(file, message);
  }
  const content = parseContent(text);
  if (!isContent(content)) throw unusable(file, 'it is no store of trusted files');
  return content;
}

function parseContent(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isContent(value: unknown): value is Content {
  if (!isRecord(value) || value.version !== 1 || !isRecord(value.trusted)) return false;
  return Object.values(value.trusted).every((one) => typeof one === 'string');
}

function unusable(file: string, why: string): DefinitionError {
  const message = `The trust store ${file} cannot be used: ${why}. Remove it to trust files again, or name another.`;
  return new DefinitionError('bad_option', message);
}

async function write(file: string, content: Content): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
