const { SPEC_POSTGRES_URL: url = 'postgres://nowhere' } = process.env;

/** Whether there is a server to test on. */
export const hasServer: boolean = process.env.SPEC_POSTGRES_URL !== undefined;

/** The server that tests use. */
export function serverUrl(): string {
  return url;
}
