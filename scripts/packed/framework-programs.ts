import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from './project.ts';

/** A bridge, and the expression that gives its subject. */
export interface FrameworkPrograms {
  /** The folder in `packages`. */
  readonly bridge: string;
  readonly subject: string;
}

/**
 * The example of a bridge, and a program that runs the cases which its table claims, each as one file: what they import of the bridge itself is
 * the package that is installed, and so is its framework.
 */
export async function bundleForFramework({
  bridge,
  subject,
}: FrameworkPrograms): Promise<{ readonly example: string; readonly judge: string }> {
  const tests = join(root, 'packages', bridge, 'test');
  const [name] = subject.split('(', 1);
  const judge = `
    import { findBrokenClaims, findClaimed } from '@spec/conformance/host';
    import { honoursWithStore as honours } from '../src/honours.ts';
    import baseline from './baseline.json';
    import { ${name} } from './subject.ts';
    const broken = await findBrokenClaims(${subject}, { honours, baseline });
    for (const one of broken) console.error(one);
    console.log(\`the \${findClaimed(honours).length} cases of its table, but for \${Object.keys(baseline).length} known ones\`);
    process.exit(broken.length === 0 ? 0 : 1);
  `;
  const example = join(root, 'examples', `in-${bridge}`, 'src/main.ts');
  return {
    example: await bundle(bridge, { entryPoints: [example] }),
    judge: await bundle(bridge, { stdin: { contents: judge, resolveDir: tests, loader: 'ts' } }),
  };
}

type Source =
  | { readonly entryPoints: string[] }
  | { readonly stdin: { readonly contents: string; readonly resolveDir: string; readonly loader: 'ts' } };

async function bundle(bridge: string, source: Source): Promise<string> {
  const { outputFiles } = await build({
    ...source,
    ...({ bundle: true, write: false, format: 'esm', platform: 'node', target: 'node20.19' } as const),
    ...({ packages: 'external', logLevel: 'silent' } as const),
    plugins: [takeInstalled(bridge)],
  });
  return outputFiles?.[0]?.text ?? '';
}

/** What a test imports of its own package is what is installed. */
function takeInstalled(bridge: string): Plugin {
  return {
    name: 'installed',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.\/src\/index\.ts$/ }, () => ({ path: `@spec/${bridge}`, external: true }));
    },
  };
}
