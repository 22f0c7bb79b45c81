/**
 * The graph of imports between the folders of each package, which docs/architecture.md shows.
 *
 *     node tools/import-graph.ts           writes the graph into docs/architecture.md
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

import { parseSync } from 'oxc-parser';

const root = join(import.meta.dirname, '..');
const architecture = join(root, 'docs/architecture.md');
const [begin, end] = ['<!-- folders: written by tools/import-graph.ts -->', '<!-- /folders -->'];

/** The packages whose folders form a tree. */
export const packages: readonly string[] = [
  'subgraphs/identity',
  'subgraphs/ticketing',
  'subgraphs/media',
  'subgraphs/shared',
  'gateway',
  'rest-compat',
  'server',
  'prisma',
];

/** Folders by name, each with the folders that it imports. A file that lies directly in `src` counts as a folder. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Reads the folders of a package and their imports of each other: types, re-exports and `import()` included, tests and
 * generated sources left out.
 *
 * @param folder of the package, below the root of the repository
 */
export function importGraphOf(folder: string): ImportGraph {
  const src = join(root, folder, 'src');
  const graph = new Map<string, Set<string>>();
  for (const file of globSync('**/*.{ts,tsx}', { cwd: src }).toSorted()) {
    if (isLeftOut(file)) continue;
    const from = folderOf(file);
    const imported = graph.get(from) ?? new Set();
    graph.set(from, imported);
    for (const specifier of specifiersOf(join(src, file))) {
      const target = within(file, specifier);
      if (target !== undefined && !isLeftOut(target) && folderOf(target) !== from) imported.add(folderOf(target));
    }
  }
  return graph;
}

const isLeftOut = (file: string) => /\.test\.ts$|(?:^|\/)(?:testing|generated)\//.test(file);

const folderOf = (file: string) => (file.includes('/') ? dirname(file) : file);

/** The imported file, below `src`; undefined when it belongs to another package. */
function within(file: string, specifier: string): string | undefined {
  const target = specifier.startsWith('#') ? specifier.slice(1) : normalize(join(dirname(file), specifier));
  const isOwn = specifier.startsWith('.') || specifier.startsWith('#');
  return isOwn && !target.startsWith('..') && /\.tsx?$/.test(target) ? target : undefined;
}

function specifiersOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const { module } = parseSync(file, source);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end: stop } }) => source.slice(start + 1, stop - 1)),
  ];
}

/**
 * The folders in layers: each imports only folders of the layers before its own.
 *
 * @returns the layers, and the folders that have no place in one because they import each other in a circle, or one that does
 */
export function layersOf(graph: ImportGraph): { layers: string[][]; circular: string[] } {
  const layers: string[][] = [];
  const placed = new Set<string>();
  let left = [...graph.keys()];
  for (;;) {
    const next = left.filter((folder) => [...(graph.get(folder) ?? [])].every((target) => placed.has(target)));
    if (next.length === 0) return { layers, circular: left };
    layers.push(next.toSorted());
    next.forEach((folder) => placed.add(folder));
    left = left.filter((folder) => !placed.has(folder));
  }
}

/** Writes the folders for docs/architecture.md: one list for each package, a line for each layer. */
export function foldersInWords(): string {
  const lists = packages.map((folder) => {
    const { layers } = layersOf(importGraphOf(folder));
    return [folder, ...layers.map((names, layer) => `${String(layer + 1).padStart(4)}  ${names.join(', ')}`)].join(
      '\n',
    );
  });
  return `${begin}\n\n\`\`\`text\n${lists.join('\n\n')}\n\`\`\`\n\n${end}`;
}

/** The generated part of docs/architecture.md, as it is in the file. */
export function foldersInDocs(): string {
  const text = readFileSync(architecture, 'utf8');
  return text.slice(text.indexOf(begin), text.indexOf(end) + end.length);
}

if (import.meta.main) {
  const text = readFileSync(architecture, 'utf8');
  writeFileSync(architecture, text.replace(foldersInDocs(), foldersInWords));
  process.stdout.write(`written: ${relative(root, architecture)}\n`);
}
