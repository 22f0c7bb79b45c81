import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescript from '@graphql-codegen/typescript';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import * as typescriptResolvers from '@graphql-codegen/typescript-resolvers';
import { parse } from 'graphql';

import { compose } from '../gateway/src/supergraph/compose.ts';
import { persistedOperations } from './persisted-operations.ts';
import { readServices } from './subgraphs.ts';

const root = join(import.meta.dirname, '..');
const restDocuments = 'rest-compat/src/operations/**/*.graphql';
const scalars = { DateTime: 'string', Date: 'string', JSON: 'Record<string, unknown>' };

function write(file: string, content: string) {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Prisma checks for an engine that generating doesn't use, and would download it: any existing file satisfies it. */
function prismaClient() {
  execFileSync(join(root, 'prisma/node_modules/.bin/prisma'), ['generate'], {
    cwd: join(root, 'prisma'),
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const file of globSync('prisma/models/*.prisma', { cwd: root })) {
    for (const [, model, body = ''] of readFileSync(join(root, file), 'utf8').matchAll(/^model (\w+) \{(.*?)^\}/gms))
      brandIds(join(root, `prisma/generated/models/${model}.ts`), body);
  }
}

/**
 * Gives UUID columns the type `Id` in the rows that Prisma reads, and so the ids that media stores as text, which are
 * parsed before they are stored. The transaction id of an order stays text: buyers see it masked, and banks repeat it.
 */
function brandIds(file: string, model: string) {
  const ids = new Set(
    [
      ...model.matchAll(/^ +(?:(?!transactionId)(\w+) .*@db\.Uuid|(organizationId|workspaceId|createdBy) +String)/gm),
    ].map(([, uuid, text]) => uuid ?? text),
  );
  const branded = readFileSync(file, 'utf8').replace(/scalars: [^]*?\n {2}\}/, (scalars) =>
    scalars.replaceAll(/^( {4}(\w+)): string/gm, (field, start: string, name: string) =>
      ids.has(name) ? `${start}: Id` : field,
    ),
  );
  writeFileSync(file, `import type { Id } from "@foyer/shared/ids"\n${branded}`);
}

async function resolverTypes(name: string, typeDefs: string) {
  const { mappers } = JSON.parse(readFileSync(join(root, `subgraphs/${name}/codegen.json`), 'utf8')) as {
    mappers: Record<string, string>;
  };
  const file = `subgraphs/${name}/src/generated/graphql.ts`;
  const written = await codegen({
    filename: file,
    schema: parse(typeDefs),
    documents: [],
    config: {
      federation: true,
      contextType: '../context.ts#Context',
      mappers,
      scalars: { ...scalars, ID: { input: '@foyer/shared/ids#Id', output: 'string' } },
      useTypeImports: true,
      enumsAsTypes: true,
      skipTypename: true,
      avoidOptionals: { query: true, mutation: true, subscription: true },
      inputMaybeValue: 'T | null | undefined',
    },
    plugins: [{ typescript: {} }, { typescriptResolvers: {} }],
    pluginMap: { typescript, typescriptResolvers },
  });
  write(
    file,
    written
      // Keys of entities are parsed like arguments.
      .replaceAll(/GraphQLRecursivePick<FederationTypes\['\w+'\], \{"id":true\}>/g, '{ id: Id }')
      // The tenant that the caller names: usable only after a permission check.
      .replaceAll(/^( {2}(?:organizationId|workspaceId)\b.*)Scalars\['ID'\]\['input'\]/gm, '$1GivenId')
      .replace("import type { Id } from '@foyer/shared/ids';", "import type { GivenId, Id } from '@foyer/shared/ids';"),
  );
}

const filesOf = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();

/** Generates the typed documents of a client of the public schema. */
async function clientDocuments(publicSdl: string, pattern: string, file: string) {
  const files = filesOf(pattern);
  if (files.length === 0) return;
  write(
    file,
    await codegen({
      filename: file,
      schema: parse(publicSdl),
      documents: files.map((location) => ({ location, document: parse(readFileSync(join(root, location), 'utf8')) })),
      config: {
        scalars,
        useTypeImports: true,
        enumsAsTypes: true,
        documentMode: 'documentNode',
        avoidOptionals: false,
      },
      plugins: [{ typescriptOperations: {} }, { typedDocumentNode: {} }],
      pluginMap: { typescriptOperations, typedDocumentNode },
    }),
  );
}

/** Writes every generated file. */
export async function generateAll(): Promise<void> {
  prismaClient();
  const services = await readServices(root);
  for (const { name, typeDefs } of services) await resolverTypes(name, typeDefs);
  const { supergraphSdl, publicSdl } = compose(services);
  write('gateway/supergraph.graphql', supergraphSdl);
  write('gateway/schema.graphql', publicSdl);
  const { configurationJsonSchema } = await import('../gateway/src/configuration-file/schema.ts');
  write('gateway/configuration.schema.json', `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`);
  await clientDocuments(publicSdl, restDocuments, 'rest-compat/src/generated/operations.ts');
  const restText = filesOf(restDocuments).map((file) => readFileSync(join(root, file), 'utf8'));
  write(
    'rest-compat/persisted-operations.json',
    `${JSON.stringify(persistedOperations(restText.join('\n')), null, 2)}\n`,
  );
  await clientDocuments(publicSdl, 'apps/demo/src/*/*.graphql', 'apps/demo/src/generated/operations.ts');
  execFileSync(join(root, 'apps/demo/node_modules/.bin/vite'), ['build'], {
    cwd: join(root, 'apps/demo'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { diagrams } = await import('./diagrams.ts');
  for (const [file, svg] of diagrams(root)) write(file, svg);
  const { envExample } = await import('./env-example.ts');
  write('.env.example', envExample());
}
