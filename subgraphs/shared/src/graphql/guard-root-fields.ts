import { defaultFieldResolver, Kind, valueFromASTUntyped, type GraphQLField, type GraphQLSchema } from 'graphql';

import { withinTime } from './deadline.ts';
import { whileRightsHold, type Rights } from '../auth/rights.ts';
import { forbidden, unauthenticated, type Viewer } from '../auth/viewer.ts';

type Kinds = readonly Viewer['kind'][];

/**
 * Who may knock at a field of each audience (preamble.graphql says what they are); `null` is everybody, signed in
 * or not. Whether somebody holds the permission where it counts is for the use case to ask.
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

/** What tells people of their own sessions has a last word to say when one of them ends: it watches for itself. */
const ENDS_ITSELF = 'STAFF';

type AnyField = GraphQLField<unknown, { viewer: Viewer | null; signal: AbortSignal; rights: Rights }>;

/** A root field that asks systems outside is answered within 6 s, and this is their part of it. */
const OUTSIDE_MS = 5_500;

/** Fields of the federation protocol; the gateway alone asks for them. */
const ofTheProtocol = new Set(['_entities', '_service']);

/**
 * Puts the doorkeeper that `@access` names before every root field: who is not admitted is refused with
 * `UNAUTHENTICATED` or `FORBIDDEN` before the use case, and so before it may say what exists. What it asks of systems
 * outside has a deadline from here on.
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
  // An event of a subscription is resolved for whoever was let in when it began, and ends with their rights.
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
