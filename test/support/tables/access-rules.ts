import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Kind, parse, valueFromASTUntyped, type FieldDefinitionNode } from 'graphql';

const root = join(import.meta.dirname, '../../..');

/** A root field, and its audience in the SDL. */
export interface RootField {
  subgraph: string;
  type: 'Query' | 'Mutation' | 'Subscription';
  name: string;
  /** The arguments of its `@access`; undefined without one. */
  access?: { to: string; permission?: string; orInOrganization?: string };
}

/** Every root field of every subgraph, from the SDL. */
export const rootFields: readonly RootField[] = globSync('subgraphs/*/src/*/schema.graphql', { cwd: root })
  .toSorted()
  .flatMap((file) => {
    const { definitions } = parse(readFileSync(join(root, file), 'utf8'));
    return definitions.flatMap((definition) =>
      (definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION) &&
      ['Query', 'Mutation', 'Subscription'].includes(definition.name.value)
        ? (definition.fields ?? []).map((field) => ({
            subgraph: file.split('/')[1] ?? '',
            type: definition.name.value as RootField['type'],
            name: field.name.value,
            ...accessOf(field),
          }))
        : [],
    );
  });

function accessOf({ directives = [] }: FieldDefinitionNode): Pick<RootField, 'access'> {
  const access = directives.find(({ name }) => name.value === 'access');
  if (!access) return {};
  const given = (access.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]);
  return { access: Object.fromEntries(given) as NonNullable<RootField['access']> };
}

/** The public schema, as committed. */
export const publicSdl = (): string => readFileSync(join(root, 'gateway/schema.graphql'), 'utf8');

interface Catalog {
  catalog: Record<'platform' | 'organization' | 'workspace', { key: string }[]>;
  roles: {
    id: string;
    scope: 'platform' | 'organization' | 'workspace';
    permissions: string[];
    workspaceBypass?: boolean;
  }[];
}

/** The catalog and the grant matrix. */
export const permissionCatalog = JSON.parse(
  readFileSync(join(root, 'subgraphs/shared/src/auth/permission-catalog.json'), 'utf8'),
) as Catalog;
