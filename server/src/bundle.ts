import { readFileSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache');

/** What can be bundled, by name, and the source that each begins with. */
export const entries = {
  server: 'server/src/single-process/serve.ts',
  cli: 'server/src/cli/command.ts',
  distributed: 'server/src/distributed/one-machine/serve.ts',
  process: 'server/src/distributed/process.ts',
} as const;

export const bundles: string = join(cache, 'foyer-bundle');
export const manifestFile: string = join(bundles, 'manifest.json');

/** A bundle as tools/bundle.ts has written it. */
export interface Manifest {
  /** Absolute. A bundle that was moved is none. */
  root: string;
  /** What each entry has become, below `bundles`. */
  entries: Record<keyof typeof entries, string>;
  /** Every file that is in the bundle, that decides what is, or that it was written to, below the root: its stamp. */
  stamps: Record<string, string>;
}

/** Changes with every change of a file; undefined of one that is not there. */
export function stampOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.mtimeMs} ${stats.size}`;
}

/** The bundle, while every file is as it was when the bundle was made; undefined when one is not, or none was made. */
export function freshBundle(at = { root, manifestFile }): Manifest | undefined {
  const manifest = readManifest(at.manifestFile);
  if (manifest?.root !== at.root) return undefined;
  const same = ([file, stamp]: [string, string]) => stampOf(join(at.root, file)) === stamp;
  return Object.entries(manifest.stamps).every(same) ? manifest : undefined;
}

function readManifest(file: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch {
    return undefined; // none was made
  }
}

/**
 * Runs an entry: from the bundle while that is fresh, else from the sources, which takes a second more of CPU.
 * What V8 compiles is kept for the next process; NODE_COMPILE_CACHE says where, if not below node_modules.
 */
export async function load(name: keyof typeof entries, sources: () => Promise<unknown>): Promise<void> {
  enableCompileCache(join(cache, 'node'));
  const bundle = freshBundle();
  await (bundle ? import(pathToFileURL(join(bundles, bundle.entries[name])).href) : sources());
}
