/** What is read of a package.json, of the workspace or published. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** What a manifest of the workspace means by its abbreviations. */
export interface Workspace {
  /** The version of each package of the workspace, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** The range of each dependency, by name. */
  readonly catalog: Readonly<Record<string, string>>;
  /** Where the source is, or `undefined` while there is no public place. */
  readonly repository?: string;
}

/** The fields that are published as they are. Whatever else a manifest has is for the workspace alone. */
const published = [
  'name',
  'version',
  'description',
  'keywords',
  'license',
  'type',
  'sideEffects',
  'bin',
  'peerDependenciesMeta',
  'engines',
];

/**
 * A package's manifest as users get it: plain ranges, no development dependencies, no scripts, no condition that leads to source.
 *
 * @param folder the package's folder in the repository, such as `packages/hooks`
 */
export function publishedManifest(manifest: Manifest, folder: string, workspace: Workspace): Manifest {
  const kept = Object.fromEntries(
    published.filter((field) => field in manifest).map((field) => [field, manifest[field]]),
  );
  const ranges = (['dependencies', 'optionalDependencies', 'peerDependencies'] as const).flatMap((field) => {
    const given = manifest[field];
    return given === undefined ? [] : [[field, plainRanges(given, workspace)]];
  });
  return {
    ...kept,
    name: manifest.name,
    version: manifest.version,
    ...places(folder, workspace.repository),
    exports: publishedExports(manifest.exports ?? {}),
    ...Object.fromEntries(ranges),
  };
}

function plainRanges(
  dependencies: Readonly<Record<string, string>>,
  workspace: Workspace,
): Record<string, string> {
  const entries = Object.entries(dependencies).map(([name, range]) => [
    name,
    plainRange(name, range, workspace),
  ]);
  return Object.fromEntries(entries);
}

function plainRange(name: string, range: string, { versions, catalog }: Workspace): string {
  const [protocol, rest] = range.split(':', 2);
  if (rest === undefined) return range;
  const version = protocol === 'workspace' ? versions[name] : catalog[name];
  if (version !== undefined && protocol === 'workspace' && /^[\^~]?$/.test(rest)) return rest + version;
  if (version !== undefined && protocol === 'catalog' && rest === '') return version;
  throw new Error(`${name}: the range ${range} has no plain form that could be published.`);
}

function publishedExports(exports: NonNullable<Manifest['exports']>): NonNullable<Manifest['exports']> {
  const entries = Object.entries(exports).map(([path, target]) => {
    if (typeof target === 'string') return [path, target];
    const { '@spec/source': _, ...conditions } = target;
    return [path, conditions];
  });
  return Object.fromEntries(entries);
}

function places(folder: string, repository: string | undefined): Record<string, unknown> {
  if (repository === undefined) return {};
  return {
    homepage: `${repository}/tree/main/${folder}#readme`,
    bugs: `${repository}/issues`,
    repository: { type: 'git', url: `git+${repository}.git`, directory: folder },
  };
}
