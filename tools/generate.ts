/**
 * Generates everything that is generated: the Prisma client, the types of resolvers, the composed
 * schemas, the schema of the gateway's configuration file, the typed documents of REST, their manifest and those of the demonstration, the demonstration itself, and
 * `.env.example`. With --if-changed, only when a source has changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
if (process.argv.includes('--if-changed') && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()) {
  process.exit(0);
}

// Loaded late: before each start there is nothing to do.
const { generateAll } = await import('./generate-all.ts');
await generateAll();
writeFileSync(stamp, fingerprint());
