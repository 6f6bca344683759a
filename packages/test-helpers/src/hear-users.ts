export interface HeardUsers {
  /** What the hook heard, in order. */
  readonly heard: (string | null)[];
  /** For `defineHook`. */
  readonly listen: {
    readonly hook: 'before_user_message';
    readonly id: 'listen';
    readonly execute: (state: unknown, message: Said) => Promise<Denial | null>;
  };
}

interface Said {
  readonly content: string | null;
}

interface Denial {
  readonly decision: 'deny';
  readonly reason: string;
}

/** A hook that hears what users say, and lets nobody say `secret`. */
export function hearUsers(): HeardUsers {
  const heard: (string | null)[] = [];
  const execute = async (_state: unknown, { content }: Said): Promise<Denial | null> => {
    heard.push(content);
    return content?.includes('secret') ? { decision: 'deny', reason: 'No.' } : null;
  };
  return { heard, listen: { hook: 'before_user_message', id: 'listen', execute } };
}
