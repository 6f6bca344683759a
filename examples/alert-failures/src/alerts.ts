export interface Alert {
  readonly level: 'critical' | 'warning';
  readonly message: string;
  readonly context: Record<string, unknown>;
}

/** Where a real program would call a pager. */
export async function sendAlert({ level, message, context }: Alert): Promise<void> {
  console.log(`ALERT [${level}] ${message}`, context);
}
