import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { dirname, isAbsolute } from 'node:path';
import { DefinitionError } from '@spec/hooks';

/** A socket at which this process listens. */
export interface HeldSocket {
  /** Whether its path still leads here. */
  isHeld(): boolean;
  /** Takes the path away, if it still leads here. */
  release(): void;
}

/**
 * Listens at a path in a folder that is its owner's alone. It listens under a name of its own first, and then takes the path in one step: of two
 * that start at once both are asked, until the one that was first finds that the path leads elsewhere.
 *
 * @returns `undefined` where a daemon listens there already
 * @throws {DefinitionError} `bad_option` if the folder or what stands at the path is not this person's
 */
export async function claimSocket(server: Server, path: string): Promise<HeldSocket | undefined> {
  if (!isAbsolute(path)) throw new DefinitionError('bad_option', '--socket must be an absolute path.');
  makePrivateFolder(dirname(path));
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before !== undefined && (!before.isSocket() || before.uid !== process.getuid?.()))
    throw new DefinitionError('bad_option', `${path} is no socket of yours: remove it.`);
  if (before !== undefined && (await isListening(path))) return undefined;
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true }); // Of a process that had this id before, and was killed.
  await listen(server, draft);
  chmodSync(draft, 0o600);
  const own = lstatSync(draft).ino;
  renameSync(draft, path);
  const isHeld = (): boolean => lstatSync(path, { throwIfNoEntry: false })?.ino === own;
  return {
    isHeld,
    release() {
      if (isHeld()) rmSync(path, { force: true });
    },
  };
}

function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory() || uid !== process.getuid?.())
    throw new DefinitionError('bad_option', `${folder} is no folder of yours: remove it.`);
  chmodSync(folder, 0o700);
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const tell = (is: boolean) => (): void => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', tell(true)).on('error', tell(false));
  });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, () => resolve());
  });
}
