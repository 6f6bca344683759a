import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { isRecord } from '@spec/hooks';
import { readRegularFile } from '@spec/hooks/node';
import { stateHome } from '../agent-state/places.ts';

/** What is kept of a login: nobody but its owner can read it, and nothing of it is ever printed. */
interface Kept {
  readonly address: string;
  readonly redirectUrl: string;
  readonly client?: OAuthClientInformationMixed;
  readonly tokens?: OAuthTokens;
}

/** A login that a person is making. */
export interface NewLogin {
  /** Where the browser comes back to. */
  readonly redirectUrl: string;
  /** Comes back with the browser, so that nobody else's answer is taken for it. */
  readonly state: string;
  readonly showAddress: (address: URL) => void;
}

/** What a login is known by: an address without its query, which is shown to nobody but the person who has typed it. */
export function nameAddress(address: string | URL): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** Whether this is an address of the web. */
export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** The login at a server, as a person has made it; `undefined`: there is none. Its tokens are made anew when they have run out. */
export function readLogin(address: string): OAuthClientProvider | undefined {
  const kept = readKept(nameAddress(address));
  return kept?.tokens === undefined ? undefined : new LoginStore(kept);
}

/** A login that is made now. What was kept of an earlier one is replaced once this one has its tokens. */
export function makeLogin(address: string, login: NewLogin): OAuthClientProvider {
  return new LoginStore({ address: nameAddress(address), redirectUrl: login.redirectUrl }, login);
}

/** @returns whether there was one */
export function removeLogin(address: string): boolean {
  const name = nameAddress(address);
  const isThere = readKept(name) !== undefined;
  rmSync(findFile(name), { force: true });
  return isThere;
}

class LoginStore implements OAuthClientProvider {
  #kept: Kept;
  readonly #login: NewLogin | undefined;
  #verifier = '';
  /** The server takes the kept tokens no more: a person must log in again. */
  #isEnded = false;

  constructor(kept: Kept, login?: NewLogin) {
    this.#kept = kept;
    this.#login = login;
  }

  get redirectUrl(): string {
    return this.#kept.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'spec-hooks gateway',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    return this.#login?.state ?? '';
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#kept.client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#kept = { ...this.#kept, client };
  }

  /** Another gateway may have made them anew meanwhile. */
  tokens(): OAuthTokens | undefined {
    if (this.#login === undefined) this.#kept = readKept(this.#kept.address) ?? this.#kept;
    return this.#isEnded ? undefined : this.#kept.tokens;
  }

  invalidateCredentials(): void {
    this.#isEnded = true;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#kept = { ...this.#kept, tokens };
    writeKept(this.#kept);
  }

  /** Nobody is there to log in while a gateway serves. */
  redirectToAuthorization(address: URL): void {
    if (this.#login === undefined) throw new UnauthorizedError();
    this.#login.showAddress(address);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}

function readKept(address: string): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(readRegularFile(findFile(address), 1_000_000).toString('utf8'));
    return isKept(kept) && kept.address === address ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is Kept {
  return isRecord(value) && typeof value.address === 'string' && typeof value.redirectUrl === 'string';
}

/** Whole or not at all. */
function writeKept(kept: Kept): void {
  const file = findFile(kept.address);
  const draft = `${file}.${process.pid}.tmp`;
  mkdirSync(join(stateHome(), 'logins'), { recursive: true, mode: 0o700 });
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(kept)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

function findFile(address: string): string {
  const key = createHash('sha256').update(address).digest('hex').slice(0, 24);
  return join(stateHome(), 'logins', `${key}.json`);
}
