/**
 * Bundles the server and the command line with the libraries that they load at the start, so that a process reads a few
 * files instead of two thousand: docs/decisions/0034-bundle.md. Does nothing while the last bundle is fresh.
 *
 * server/src/bundle.ts says what the bundle contains, and detects a stale one.
 */
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

// The demonstration's Vite.
import type { Plugin, Rolldown } from '../apps/demo/node_modules/vite/dist/node/index.js';
import { bundles, entries, freshBundle, manifestFile, stampOf, type Manifest } from '../server/src/bundle.ts';

const root = join(import.meta.dirname, '..');
const DAY_MS = 86_400_000;

/** Files that decide what the bundle contains, besides the bundled ones. */
const deciding = [
  'pnpm-lock.yaml',
  'tools/bundle.ts',
  'server/src/bundle.ts',
  '{gateway,prisma,rest-compat,server,subgraphs/*}/package.json',
];

/** Modules that read files beside themselves, are native or WebAssembly, or start threads: they are not bundled. */
const outside =
  /^(@ffmpeg-installer\/|@ffprobe-installer\/|@node-rs\/argon2|@opentelemetry\/sdk-node|@prisma\/(client\/runtime\/query_compiler|instrumentation|schema-engine-wasm)|ioredis|piscina|sharp|thread-stream)/;

/** Code that reads its own path, which the bundle changes. */
const ownPlace = /\b(__dirname|__filename|import\.meta\.(dirname|filename|url|resolve))\b/;

/** Modules that read it only in code that is not used here. */
const harmless = [
  '@graphql-tools/merge/esm/merge-resolvers.js',
  'commander/lib/command.js',
  'pino/lib/transport.js',
  'undici/index.js',
];

const isOurs = (file: string) => !file.includes('/node_modules/');

/** Keeps modules out of the bundle that must stay outside, and replaces our own paths by those of the sources. */
const places: Plugin = {
  name: 'places',
  enforce: 'pre',
  async resolveId(specifier, importer, options) {
    if (!importer || isBuiltin(specifier)) return isBuiltin(specifier) ? { id: specifier, external: true } : undefined;
    if (!outside.test(specifier)) return undefined;
    const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
    if (!found) return { id: specifier, external: true }; // optional, and not installed
    return { id: options.kind === 'require-call' ? found.id : pathToFileURL(found.id).href, external: true };
  },
  transform(code, id) {
    if (!ownPlace.test(code)) return undefined;
    if (isOurs(id))
      return {
        code: code
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
        map: null,
      };
    if (!harmless.some((file) => id.includes(`/node_modules/${file}`)))
      this.error(`${id} reads its own path: add its package to what stays outside`);
    return undefined;
  },
};

if (freshBundle()) process.exit(0);

mkdirSync(bundles, { recursive: true });
// Loaded late: most calls find a fresh bundle.
const { build } = await import('../apps/demo/node_modules/vite/dist/node/index.js');
const folder = mkdtempSync(join(bundles, 'made-'));
chmodSync(folder, 0o755); // another user may run the server
const { output } = (await build({
  root,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [places],
  // Resolution as in Node: otherwise modules that are both imported and required are bundled twice, and graphql refuses a second copy.
  environments: {
    ssr: {
      resolve: {
        noExternal: true,
        mainFields: ['main'],
        conditions: ['node', 'module-sync'],
        extensions: ['.js', '.json'],
      },
    },
  },
  build: {
    ssr: true,
    outDir: folder,
    target: 'esnext',
    minify: false,
    sourcemap: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)])),
      output: {
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        keepNames: true,
        sourcemapExcludeSources: true,
      },
    },
  },
})) as Rolldown.RolldownOutput;

const chunks = output.filter((file) => file.type === 'chunk');
const inputs = chunks.flatMap((chunk) => chunk.moduleIds).filter((id) => id.startsWith('/'));
if (inputs.some((file) => /\/node_modules\/graphql\/.*\.mjs$/.test(file)))
  throw new Error('a second copy of graphql is in the bundle');
const outputs = output.map((file) => join(folder, file.fileName));
const files = [
  ...new Set([...inputs, ...outputs, ...globSync(deciding, { cwd: root }).map((file) => join(root, file))]),
];
const manifest: Manifest = {
  root,
  entries: Object.fromEntries(
    Object.keys(entries).map((name) => [name, join(basename(folder), `${name}.mjs`)]),
  ) as Manifest['entries'],
  stamps: Object.fromEntries(files.map((file) => [relative(root, file), stampOf(file) ?? ''])),
};
writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
renameSync(join(folder, 'manifest.json'), manifestFile);

// A running server still loads parts of the bundle that it was started from.
for (const name of readdirSync(bundles)) {
  const path = join(bundles, name);
  if (path !== folder && path !== manifestFile && Date.now() - statSync(path).mtimeMs > DAY_MS)
    rmSync(path, { recursive: true, force: true });
}
