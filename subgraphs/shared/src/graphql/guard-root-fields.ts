import { defaultFieldResolver, Kind, valueFromASTUntyped, type GraphQLField, type GraphQLSchema } from 'graphql';

import { withinTime } from './deadline.ts';
import { whileRightsHold, type Rights } from '../auth/rights.ts';
import { forbidden, unauthenticated, type Viewer } from '../auth/viewer.ts';

type Kinds = readonly Viewer['kind'][];

/**
 * The viewers that each audience admits (preamble.graphql describes the audiences); `null` admits everybody. Permissions in
 * an organization or workspace are checked by the use case.
 */
const admitted = {
  EVERYONE: null,
  SIGNED_IN: ['staff', 'customer', 'legacy-user', 'legacy-client', 'service'],
  STAFF: ['staff'],
  CUSTOMER: ['customer'],
  PLATFORM: ['staff', 'service', 'legacy-client'],
  ORGANIZATION: ['staff', 'service', 'legacy-client'],
  WORKSPACE: ['staff', 'legacy-client'],
  ROLE: ['staff', 'legacy-user'],
  INTERNAL: ['service'],
} as const satisfies Record<string, Kinds | null>;

/** The stream of a user's own sessions reports the end of a session before it ends: it watches the rights itself. */
const ENDS_ITSELF = 'STAFF';

type AnyField = GraphQLField<unknown, { viewer: Viewer | null; signal: AbortSignal; rights: Rights }>;

/** The time for the external calls of a root field, of the 6 s within which it must be answered. */
const OUTSIDE_MS = 5_500;

/** Fields of the federation protocol, which only the gateway selects. */
const ofTheProtocol = new Set(['_entities', '_service']);

/**
 * Guards every root field by its `@access`: a viewer who is not admitted is refused with `UNAUTHENTICATED` or `FORBIDDEN`
 * before the use case runs, and so before it could reveal what exists. External calls get their deadline here.
 *
 * @throws {Error} for a root field without a valid `@access`: such a schema is not built
 */
export function guardRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      if (!ofTheProtocol.has(field.name)) guard(field as AnyField);
    }
  }
  return schema;
}

function guard(field: AnyField): void {
  const audience = audienceOf(field);
  const kinds = admitted[audience];
  const allowed: ReadonlySet<string> = new Set(kinds);
  const refuse = (viewer: Viewer | null) => {
    if (!kinds) return;
    if (!viewer) throw unauthenticated();
    if (!allowed.has(viewer.kind)) throw forbidden();
  };

  const { resolve = defaultFieldResolver, subscribe } = field;
  // Events of a subscription are resolved for the viewer that was admitted when it began; it ends with their rights.
  if (subscribe) {
    field.subscribe = (source, args, context, info) => {
      refuse(context.viewer);
      const open = async () => subscribe(source, args, context, info) as Promise<AsyncIterable<unknown>>;
      return audience === ENDS_ITSELF ? open() : whileRightsHold(context, open);
    };
    return;
  }
  field.resolve = (source, args, context, info) => {
    refuse(context.viewer);
    return withinTime(OUTSIDE_MS, () => resolve(source, args, context, info));
  };
}

function audienceOf({ name, astNode }: AnyField): keyof typeof admitted {
  const access = astNode?.directives?.find((directive) => directive.name.value === 'access');
  const to = access?.arguments?.find((argument) => argument.name.value === 'to')?.value;
  const audience = to?.kind === Kind.ENUM ? String(valueFromASTUntyped(to)) : '';
  if (!Object.hasOwn(admitted, audience))
    throw new Error(`the root field ${name} does not say by @access who may call it`);
  return audience as keyof typeof admitted;
}
