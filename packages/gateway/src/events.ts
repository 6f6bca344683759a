/** What happens in a gateway, for whoever runs it. Holds names, codes and counts, never what is called or answered. */
export type GatewayEvent = { readonly server: string } & (
  | { readonly kind: 'server_started' }
  /** It did not start, or has ended. The others go on, and it is started again. */
  | { readonly kind: 'server_failed'; readonly why: string }
  /** What it tells is held back until a person has looked at it. */
  | { readonly kind: 'held_back'; readonly keys: readonly string[]; readonly shown: readonly string[] }
  /** Another server that comes first has a tool, prompt or resource of this name. */
  | { readonly kind: 'renamed'; readonly what: string; readonly from: string; readonly to: string | null }
  /** It sends more than is passed on. */
  | { readonly kind: 'flood'; readonly dropped: number }
);

export type HearEvent = (event: GatewayEvent) => void;
