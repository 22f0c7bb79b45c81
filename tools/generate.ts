/**
 * Generates everything that is generated: the Prisma client, the types of resolvers, the composed
 * schemas, the schema of the gateway's configuration file, the typed documents of REST, their manifest and those of the demonstration, the demonstration itself, and
 * `.env.example`. With --if-changed, only when a source has changed. With --bundle, also the bundle of tools/bundle.ts, while the
 * demonstration is built.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');

const sources = globSync(
  [
    'prisma/models/*.prisma',
    'subgraphs/*/src/*/schema.graphql',
    'subgraphs/*/codegen.json',
    'subgraphs/shared/src/graphql/preamble.graphql',
    'rest-compat/src/operations/**/*.graphql',
    'gateway/*.{graphql,json}',
    'gateway/src/{authentication,configuration-file,header-rules}/*.ts',
    'apps/demo/src/{,account/,shop/,studio/,styles/,words/}*.*',
    'apps/demo/{*.html,vite.config.ts,package.json}',
    'rest-compat/src/pages/foyer.css',
    'docs/architecture.md',
    'tools/{diagrams,env-example,generate,generate-all,persisted-operations,subgraphs}.ts',
    '{gateway,rest-compat,server,subgraphs/*}/src/**/config.ts',
    'pnpm-workspace.yaml',
  ],
  { cwd: root },
).toSorted();

const fingerprint = () => {
  const hash = createHash('sha256');
  for (const file of sources) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
};

const stamp = join(root, 'node_modules/.foyer-generated');
const isCurrent =
  process.argv.includes('--if-changed') && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();

const bundle = async () => {
  if (process.argv.includes('--bundle'))
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'bundle.ts')]);
};

if (isCurrent) await bundle();
else {
  // Loaded late: before each start there is nothing to do.
  const { buildDemonstration, generateCode } = await import('./generate-all.ts');
  await generateCode();
  await Promise.all([buildDemonstration(), bundle()]);
  writeFileSync(stamp, fingerprint());
}
