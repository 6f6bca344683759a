import type { Output } from '@spec/agents';
import type { HookFolder } from '../hook/called.ts';
import type { LoadedFrom, UntrustedCode } from '../hook/open-hooks.ts';

/** What the thread of the hooks is started with. */
export interface ThreadData {
  readonly folder: HookFolder;
}

/** What the thread is asked: to open the hooks for an agent, or to answer an event of one. */
export type ThreadRequest = { readonly id: number; readonly agent: string } & (
  | { readonly kind: 'open' }
  | {
      readonly kind: 'answer';
      readonly event: string;
      readonly input: string;
      readonly session: string;
      /** How long the hooks have, in milliseconds. */
      readonly limit: number;
    }
);

/** What it answers. */
export type ThreadReply = { readonly id: number } & (
  | { readonly kind: 'opened'; readonly opened: LoadedFrom | UntrustedCode }
  | { readonly kind: 'answered'; readonly output: Output }
  | { readonly kind: 'failed'; readonly why: string }
);
