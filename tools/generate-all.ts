import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

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

/** Runs a program of a package's, in a folder, and passes on what it says if it fails. */
async function run(program: string, args: string[], folder: string, env: Record<string, string> = {}) {
  await promisify(execFile)(join(root, folder, 'node_modules/.bin', program), args, {
    cwd: join(root, folder),
    env: { ...process.env, ...env },
  });
}

/** Prisma checks for an engine that generating doesn't use, and would download it: any existing file satisfies it. */
async function prismaClient() {
  const noDownloads = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' };
  await run('prisma', ['generate'], 'prisma', noDownloads);
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

/** The schemas, and all that depends on them. */
async function graphql() {
  const services = await readServices(root);
  for (const { name, typeDefs } of services) await resolverTypes(name, typeDefs);
  const { supergraphSdl, publicSdl } = compose(services);
  write('gateway/supergraph.graphql', supergraphSdl);
  write('gateway/schema.graphql', publicSdl);
  await clientDocuments(publicSdl, restDocuments, 'rest-compat/src/generated/operations.ts');
  const restText = filesOf(restDocuments).map((file) => readFileSync(join(root, file), 'utf8'));
  write(
    'rest-compat/persisted-operations.json',
    `${JSON.stringify(persistedOperations(restText.join('\n')), null, 2)}\n`,
  );
  await clientDocuments(publicSdl, 'apps/demo/src/*/*.graphql', 'apps/demo/src/generated/operations.ts');
}

/** Writes every generated file but the demonstration. */
export async function generateCode(): Promise<void> {
  await Promise.all([prismaClient(), graphql()]);
  const { configurationJsonSchema } = await import('../gateway/src/configuration-file/schema.ts');
  write('gateway/configuration.schema.json', `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`);
  const { diagrams } = await import('./diagrams.ts');
  for (const [file, svg] of diagrams(root)) write(file, svg);
  const { envExample } = await import('./env-example.ts');
  write('.env.example', envExample());
}

/** Builds the demonstration, from its generated documents. */
export const buildDemonstration = () => run('vite', ['build'], 'apps/demo');
