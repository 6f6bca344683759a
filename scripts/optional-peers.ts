import type { TsdownPlugin } from 'tsdown';

/**
 * Makes the imports of optional peers in what is built into calls of `require`, which can fail with an error that says what to install:
 * a static import of a missing package fails before anything of ours runs, and an awaited one would keep CommonJS out.
 *
 * @param owner the package that is built, such as `@spec/runtime`
 * @param entries the packages that each entry point needs, such as `{ mcp: ['@modelcontextprotocol/sdk'] }`
 */
export function optionalPeers(
  owner: string,
  entries: Readonly<Record<string, readonly string[]>>,
): TsdownPlugin {
  return {
    name: 'optional-peers',
    renderChunk(code, { name, fileName }) {
      const peers = entries[name];
      return peers === undefined || !fileName.endsWith('.mjs')
        ? null
        : { code: requirePeers(code, `${owner}/${name}`, peers), map: null };
    },
  };
}

/** Replaces imports line by line, so that source maps stay true. */
function requirePeers(code: string, entry: string, peers: readonly string[]): string {
  const imported = new RegExp(`^import (.+) from "((?:${peers.join('|')})(?:/[^"]+)?)";$`, 'gm');
  const required = code.replace(imported, (_, names: string, peer: string) => {
    return `const ${names.replaceAll(' as ', ': ')} = requirePeer("${peer}");`;
  });
  if (required === code) throw new Error(`the entry ${entry} imports none of ${peers.join(', ')}`);
  return `${required.replace(/^const .* = requirePeer/m, `${imports} $&`)}\n${functionText(entry, peers)}\n`;
}

const imports =
  'import { createRequire as requireFrom } from "node:module"; import { DefinitionError as MissingPeer } from "@spec/hooks";';

// In one piece it would become the address of this file, where the configuration is read.
const ownUrl = ['import', 'meta', 'url'].join('.');

/** A version for another Node may end the process without a word, as better-sqlite3 13 does on Node 20: that is looked at first. */
function functionText(entry: string, peers: readonly string[]): string {
  const install = `npm install ${peers.join(' ')}`;
  return `function requirePeer(name) {
	const require = requireFrom(${ownUrl});
	const peer = name.split("/", name.startsWith("@") ? 2 : 1).join("/");
	const refuse = (why) => new MissingPeer("missing_dependency", "${entry} needs " + peer + ", " + why);
	let manifest;
	try {
		manifest = require(peer + "/package.json");
	} catch {}
	const [, oldest] = /^>=\\s*(\\d+)/.exec(manifest?.engines?.node ?? "") ?? [];
	if (Number.parseInt(process.versions.node, 10) < Number(oldest ?? 0))
		throw refuse("and version " + manifest.version + " of it needs Node " + oldest + ": install an older one, npm install " + peer + "@" + (Number.parseInt(manifest.version, 10) - 1));
	try {
		return require(name);
	} catch (error) {
		if (error?.code !== "MODULE_NOT_FOUND" || !error.message.includes("'" + name + "'")) throw error;
		throw refuse("which is not installed: ${install}");
	}
}`;
}
