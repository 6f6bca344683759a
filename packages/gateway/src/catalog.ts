import { createHash } from 'node:crypto';
import { isRecord } from '@spec/hooks';
import type { HearEvent } from './events.ts';
import { describeFailure } from './failures.ts';
import { findHidden } from './hidden-characters.ts';
import { type FirstUse, type Held, judgeTold, type PinStore, type Told } from './pins.ts';
import type { Upstream } from './upstream.ts';

type Definition = Readonly<Record<string, unknown>>;

/** Something that clients can ask for, and the server that has it. */
export interface Entry {
  readonly upstream: Upstream;
  /** As the server calls it. */
  readonly own: string;
  /** As clients are told of it. */
  readonly definition: Definition;
}

/** A list of MCP. */
interface List {
  readonly item: string;
  readonly field: string;
  readonly key: string;
  readonly capability: string;
}

/** A method that asks for a list. */
export type ListMethod = 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';

/** The lists that servers have. */
export const lists: Readonly<Record<ListMethod, List>> = {
  'tools/list': { item: 'tool', field: 'tools', key: 'name', capability: 'tools' },
  'prompts/list': { item: 'prompt', field: 'prompts', key: 'name', capability: 'prompts' },
  'resources/list': { item: 'resource', field: 'resources', key: 'uri', capability: 'resources' },
  'resources/templates/list': {
    item: 'resource template',
    field: 'resourceTemplates',
    key: 'uriTemplate',
    capability: 'resources',
  },
};

/** Whose definitions are trusted, and who hears of those that are not. */
export interface CatalogOptions {
  readonly pins: PinStore;
  readonly firstUse: FirstUse;
  /** What a server's pins are kept under. */
  readonly nameSubject: (server: string) => string;
  readonly hear: HearEvent;
}

/** What clients are told of, and the names that nothing more can have. */
interface Names {
  readonly entries: Map<string, Entry>;
  readonly taken: Set<string>;
}

/** What the servers of one client have, under names that no two of them share. */
export class Catalog {
  readonly #upstreams: readonly Upstream[];
  readonly #options: CatalogOptions;
  readonly #entries = new Map<ListMethod, ReadonlyMap<string, Entry>>();
  /** What each server told last: it stays while the server is gone. */
  readonly #told = new Map<string, readonly Definition[]>();
  readonly #held = new Map<string, readonly Held[]>();
  /** What was told already, by digest: a server may say as much as it likes. */
  readonly #said = new Set<string>();
  readonly #underWay = new Map<ListMethod, Promise<ReadonlyMap<string, Entry>>>();

  constructor(upstreams: readonly Upstream[], options: CatalogOptions) {
    this.#upstreams = upstreams;
    this.#options = options;
  }

  /** Asks all servers. One that does not answer keeps what it had. */
  refresh(method: ListMethod): Promise<ReadonlyMap<string, Entry>> {
    const running = this.#underWay.get(method);
    if (running !== undefined) return running;
    const started = this.#ask(method).finally(() => this.#underWay.delete(method));
    this.#underWay.set(method, started);
    return started;
  }

  /** What was told last. */
  read(method: ListMethod): ReadonlyMap<string, Entry> {
    return this.#entries.get(method) ?? new Map();
  }

  /** Finds by name; asks the servers again if nobody has told of it, and waits for those that are still starting. */
  async find(method: ListMethod, name: string): Promise<Entry | undefined> {
    const found = this.read(method).get(name) ?? (await this.refresh(method)).get(name);
    const starting = this.#upstreams.filter(({ welcome }) => welcome === undefined);
    if (found !== undefined || starting.length === 0) return found;
    await Promise.all(starting.map((upstream) => upstream.untilStarted()));
    return (await this.refresh(method)).get(name);
  }

  /** Why a tool is held back; `undefined` if none of this name is. */
  findHeld(name: string): Held | undefined {
    return [...this.#held.values()].flat().find(({ key }) => key === TOOL + name);
  }

  /** Why a tool of a server is held back by now. */
  findHeldOf({ name }: Upstream, own: string): Held | undefined {
    return this.#held.get(name)?.find(({ key }) => key === TOOL + own);
  }

  /** What a server says about its use, if it is trusted. */
  readInstructions({ name, welcome }: Upstream): string | undefined {
    const isHeld = this.#held.get(name)?.some(({ key }) => key === INSTRUCTIONS) ?? true;
    return isHeld ? undefined : welcome?.instructions;
  }

  async #ask(method: ListMethod): Promise<ReadonlyMap<string, Entry>> {
    const told = await Promise.all(this.#upstreams.map((upstream) => this.#askOne(upstream, method)));
    const entries = new Map<string, Entry>();
    const taken = new Set<string>();
    for (const [at, upstream] of this.#upstreams.entries()) {
      for (const definition of takeFirst(told[at] ?? [], lists[method].key))
        this.#offer({ entries, taken }, { upstream, definition, method });
      // A client may still call what is held back by now: that must not come to another server.
      if (method === 'tools/list') for (const name of this.#listHeld(upstream)) taken.add(name);
    }
    this.#entries.set(method, entries);
    return entries;
  }

  /** The names of the tools of a server that are held back. */
  #listHeld({ name }: Upstream): readonly string[] {
    const keys = (this.#held.get(name) ?? []).map(({ key }) => key);
    return keys.filter((key) => key.startsWith(TOOL)).map((key) => key.slice(TOOL.length));
  }

  async #askOne(upstream: Upstream, method: ListMethod): Promise<readonly Definition[]> {
    const { item, field, key, capability } = lists[method];
    const place = `${method} ${upstream.name}`;
    if (upstream.welcome === undefined) return [];
    if (upstream.isAway) return this.#told.get(place) ?? []; // Its lists change when it is there again.
    try {
      const has = isRecord(upstream.welcome.capabilities[capability]);
      const all = has ? await upstream.list(method, item, field) : [];
      const named = all.filter((one) => typeof one[key] === 'string');
      const shown =
        method === 'tools/list' ? this.#judge(upstream, named) : this.#dropHidden(upstream, named, method);
      this.#told.set(place, shown);
      return shown;
    } catch (error) {
      const server = upstream.name;
      const why = describeFailure(error, { server, method });
      this.#options.hear({ kind: 'server_failed', server, why });
      return this.#told.get(place) ?? [];
    }
  }

  /** What a model reads without asking for it is trusted as it was told once. */
  #judge(upstream: Upstream, tools: readonly Definition[]): readonly Definition[] {
    const { pins, firstUse, nameSubject } = this.#options;
    const { instructions } = upstream.welcome ?? {};
    const all: Told[] = [
      ...(instructions === undefined ? [] : [{ key: INSTRUCTIONS, definition: instructions }]),
      ...tools.map((tool) => ({ key: TOOL + String(tool.name), definition: tool })),
    ];
    const held = judgeTold(nameSubject(upstream.name), all, { pins, firstUse });
    this.#held.set(upstream.name, held);
    this.#tellHeld(upstream, held);
    const keys = new Set(held.map(({ key }) => key));
    return tools.filter(({ name }) => !keys.has(TOOL + String(name)));
  }

  #dropHidden(upstream: Upstream, all: readonly Definition[], method: ListMethod): readonly Definition[] {
    const { item, key } = lists[method];
    const hiding = all.flatMap((one) => {
      const hidden = findHidden(one);
      return hidden.length === 0
        ? []
        : [
            {
              one,
              held: { key: `${item} ${String(one[key])}`, definition: one, why: 'hidden', hidden } as const,
            },
          ];
    });
    this.#tellHeld(
      upstream,
      hiding.map(({ held }) => held),
    );
    const left = new Set(hiding.map(({ one }) => one));
    return all.filter((one) => !left.has(one));
  }

  #tellHeld({ name: server }: Upstream, held: readonly Held[]): void {
    if (held.length === 0) return;
    const keys = held.map(({ key, why }) => `${key} (${why})`);
    const shown = held.flatMap(({ hidden }) => hidden.map(({ at, shown: text }) => `${at}: ${text}`));
    this.#tellOnce(`${server} ${keys.join()} ${shown.join()}`, () =>
      this.#options.hear({ kind: 'held_back', server, keys, shown }),
    );
  }

  /** The first server of the configuration keeps the name; a tool or prompt of another gets that server's name before its own. */
  #offer(
    { entries, taken }: Names,
    { upstream, definition, method }: { upstream: Upstream; definition: Definition; method: ListMethod },
  ): void {
    const { item, key } = lists[method];
    const own = String(definition[key]);
    if (!taken.has(own)) {
      taken.add(own);
      entries.set(own, { upstream, own, definition });
      return;
    }
    const to = key === 'name' ? findFreeName(`${upstream.name}__${own}`, taken) : null;
    const server = upstream.name;
    this.#tellOnce(`${server} ${item} ${own}`, () =>
      this.#options.hear({ kind: 'renamed', server, what: item, from: own, to }),
    );
    if (to === null) return;
    taken.add(to);
    entries.set(to, { upstream, own, definition: { ...definition, name: to } });
  }

  #tellOnce(text: string, tell: () => void): void {
    const said = createHash('sha256').update(text).digest('base64');
    if (this.#said.has(said)) return;
    if (this.#said.size >= MAX_SAID) this.#said.clear();
    this.#said.add(said);
    tell();
  }
}

const INSTRUCTIONS = 'instructions';
const TOOL = 'tool ';

/** Of what a server lists under one name the first. */
function takeFirst(all: readonly Definition[], key: string): Iterable<Definition> {
  const first = new Map<unknown, Definition>();
  for (const one of all) if (!first.has(one[key])) first.set(one[key], one);
  return first.values();
}

/** A server whose list changes all the time makes no memory of all it has said. */
const MAX_SAID = 1_000;

function findFreeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  return name;
}
