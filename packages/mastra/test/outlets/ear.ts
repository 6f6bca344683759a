/** Keeps what an application is handed, by the name of the place where it is. */
export class Ear {
  readonly heard: Record<string, unknown[]> = {};

  hear(outlet: string, ...handed: readonly unknown[]): void {
    this.heard[outlet] = [...(this.heard[outlet] ?? []), ...handed];
  }

  at(outlet: string): (...handed: readonly unknown[]) => Promise<void> {
    return async (...handed) => this.hear(outlet, ...handed);
  }
}
