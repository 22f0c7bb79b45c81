import { readFileSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache');

/** The entries of the bundle, and their sources. */
export const entries = {
  server: 'server/src/single-process/serve.ts',
  cli: 'server/src/cli/command.ts',
  distributed: 'server/src/distributed/one-machine/serve.ts',
  process: 'server/src/distributed/process.ts',
} as const;

export const bundles: string = join(cache, 'foyer-bundle');
export const manifestFile: string = join(bundles, 'manifest.json');

/** Describes a bundle; written by tools/bundle.ts. */
export interface Manifest {
  /** The absolute path of the repository. A bundle is not used after a move. */
  root: string;
  /** The bundled file of each entry, below `bundles`. */
  entries: Record<keyof typeof entries, string>;
  /** The stamp of every file that the bundle contains, depends on or consists of, by its path below the root. */
  stamps: Record<string, string>;
}

/** Returns a text that changes with a file; undefined if the file doesn't exist. */
export function stampOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.mtimeMs} ${stats.size}`;
}

/** Returns the bundle if no file has changed since it was made; undefined otherwise. */
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
    return undefined; // no bundle was made
  }
}

/**
 * Runs an entry from a fresh bundle, else from the sources, which takes a second more of CPU. V8's compiled code is kept
 * for the next process, in NODE_COMPILE_CACHE or below node_modules.
 */
export async function load(name: keyof typeof entries, sources: () => Promise<unknown>): Promise<void> {
  enableCompileCache(join(cache, 'node'));
  const bundle = freshBundle();
  await (bundle ? import(pathToFileURL(join(bundles, bundle.entries[name])).href) : sources());
}
