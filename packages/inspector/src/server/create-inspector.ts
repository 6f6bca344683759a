import { DefinitionError } from '@spec/hooks';
import { encodeText } from '../address.ts';
import type { InspectorOptions } from '../ports.ts';
import { createKeys } from '../walls/keys.ts';
import { type EmbeddedInspector, type EmbedOptions, embedInspector } from './embed.ts';
import { listenBehindWalls } from './listen.ts';
import { loadApp } from './load-app.ts';
import { type PageFiles, readPageFiles } from './page-files.ts';

/** A page that is served. */
export interface RunningInspector {
  readonly port: number;
  /**
   * A link that is good once; an older one that was not used is good no more.
   * @param thread the conversation that it opens; without it all threads
   */
  makeLink(thread?: string): string;
  close(): Promise<void>;
}

/** A page over a store. */
export interface Inspector {
  /**
   * Serves the page on 127.0.0.1.
   * @param port 0 or none: any that is free
   * @throws DefinitionError `bad_option` where the port is taken
   */
  listen(port?: number): Promise<RunningInspector>;
  /**
   * Answers requests inside of a server of yours. It asks for no key: whoever gets as far as here may see all, so your login stands before it.
   * @param options.base the path that it stands at, such as `/admin/hooks`
   * @throws DefinitionError `bad_option`
   */
  embed(options: EmbedOptions): EmbeddedInspector;
}

/**
 * Makes a page over a store, for the machine that it runs on.
 *
 * @throws DefinitionError `bad_option` for `asks` where nothing is shown
 */
export function createInspector(options: InspectorOptions, files: PageFiles = readPageFiles()): Inspector {
  if (options.asks !== undefined && options.showsContent === false)
    throw new DefinitionError(
      'bad_option',
      'createInspector: asks show the arguments of calls, and showsContent: false shows no texts: leave out one of them.',
    );
  return {
    embed: (where) => embedInspector(options, where, files),
    async listen(port = 0) {
      const keys = createKeys();
      const end = new AbortController();
      const app = loadApp({ ...options, keys, files, ended: end.signal });
      const server = await listenBehindWalls(async (request) => (await app).fetch(request), port);
      return {
        port: server.port,
        makeLink(thread) {
          const path = thread === undefined ? '' : `t/${encodeURIComponent(encodeText(thread))}`;
          return `http://127.0.0.1:${server.port}/${path}#key=${keys.makeKey()}`;
        },
        close() {
          end.abort();
          return server.close();
        },
      };
    },
  };
}
