import { Kind, type GraphQLSchema } from 'graphql';

import type { TokenUse } from '../route.ts';

/** The `@access` of a root field (subgraphs/shared/src/graphql/preamble.graphql). */
export interface Access {
  to: string;
  permission?: string;
}

export type AccessOf = (rootField: string) => Access;

/** Reads `@access` of every root field from the subgraphs' schemas; the public schema doesn't have it. */
export function accessIn(schemas: readonly GraphQLSchema[]): AccessOf {
  const found = new Map<string, Access>();
  for (const schema of schemas) {
    for (const root of [schema.getQueryType(), schema.getMutationType()]) {
      for (const { name, astNode } of Object.values(root?.getFields() ?? {})) {
        const access = astNode?.directives?.find((directive) => directive.name.value === 'access');
        const said = access?.arguments?.map(({ name, value }) => [
          name.value,
          value.kind === Kind.STRING || value.kind === Kind.ENUM ? value.value : '',
        ]);
        if (said) found.set(name, Object.fromEntries(said));
      }
    }
  }
  return (rootField) => {
    const access = found.get(rootField);
    if (!access) throw new Error(`nobody says who may call ${rootField}`);
    return access;
  };
}

export const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Of staff: `access_token` in the answer of POST /api/v1/login with `service-platform: mobile`.',
  },
  accessCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'access_token',
    description: 'Of staff in a browser: POST /api/v1/login sets it. HttpOnly; calls from other sites are refused.',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'refresh_token',
    description: 'Set beside it, for the paths under /api/v1; POST /api/v1/refresh uses it up.',
  },
  customerToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Of a customer: `token` in the answer of POST /auth/login.',
  },
  legacyToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Of staff, signed with the secret of the legacy services; for routes of a role.',
  },
  internalToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Internal-Token',
    description: 'The secret that services share (INTERNAL_PSK).',
  },
} as const;

type Scheme = keyof typeof securitySchemes;

const staff: Scheme[] = ['accessToken', 'accessCookie'];
const schemesOf: Record<string, Scheme[]> = {
  EVERYONE: [...staff, 'customerToken'],
  SIGNED_IN: [...staff, 'customerToken', 'legacyToken'],
  STAFF: staff,
  CUSTOMER: ['customerToken'],
  PLATFORM: staff,
  ORGANIZATION: staff,
  WORKSPACE: [...staff, 'legacyToken'],
  ROLE: [...staff, 'legacyToken'],
  INTERNAL: ['internalToken'],
};

/** The alternative security requirements; an empty one means none is needed. */
export function securityOf({ to }: Access, token: TokenUse): object[] {
  const schemes = (schemesOf[to] ?? []).map((scheme) => ({ [scheme]: [] }));
  return token === 'needed' ? schemes : [{}, ...schemes];
}

const audiences: Record<string, string> = {
  EVERYONE: 'For everyone.',
  SIGNED_IN: 'For whoever is signed in.',
  STAFF: 'For staff.',
  CUSTOMER: 'For customers.',
  PLATFORM: 'For holders of a permission of the platform',
  ORGANIZATION: 'For holders of a permission in the organization',
  WORKSPACE: 'For holders of a permission in the workspace',
  ROLE: 'For staff of any role.',
  INTERNAL: 'For services.',
};

/** Describes the requirements in words. */
export function whoMay({ to, permission }: Access, token: TokenUse): string {
  const open = token === 'needed when strict';
  const audience = audiences[open && to === 'EVERYONE' ? 'SIGNED_IN' : to] ?? '';
  const whole = audience.endsWith('.') ? audience : `${audience}${permission ? `: \`${permission}\`` : ''}.`;
  return open ? `${whole} With \`REST_AUTH=documented\` it also answers without a token, as the documents say.` : whole;
}
