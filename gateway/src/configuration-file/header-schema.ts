import { z } from 'zod';

import { isForwardable, isReturnable } from '../header-rules/names.ts';
import { headerName, headerText, pattern } from './values.ts';

/** An object with exactly one of these keys. */
const oneOf = <Shape extends z.ZodRawShape>(shape: Shape, keys: readonly string[], description: string) =>
  z
    .strictObject(shape)
    .refine((given) => keys.filter((key) => given[key as keyof typeof given] !== undefined).length === 1, {
      message: `must have exactly one of ${keys.join(', ')}`,
    })
    .meta({ description });

const toSubgraph = headerName(isForwardable);
const toClient = headerName(isReturnable);

const selected = (name: typeof toSubgraph) => ({
  named: name.optional().describe('The name of the header.'),
  matching: pattern.optional().describe('A regular expression that fits part of the name, in any case.'),
});
const single = {
  rename: toSubgraph.optional().describe('The name that the receiver gets it by; only with `named`.'),
  default: headerText.optional().describe('The value where there is none; only with `named`.'),
};

const ofOneHeader = ({ matching, ...rest }: { matching?: unknown; rename?: unknown; default?: unknown }) =>
  matching === undefined || (rest.rename === undefined && rest.default === undefined);
const notByPattern = 'takes rename and default only with named';

const requestRule = oneOf(
  {
    propagate: oneOf({ ...selected(toSubgraph), ...single }, ['named', 'matching'], 'Takes headers of the client.')
      .refine(ofOneHeader, notByPattern)
      .optional(),
    insert: z
      .strictObject({
        name: toSubgraph.describe('The name of the header.'),
        value: headerText.optional().describe('Its value.'),
        claim: z.string().min(1).optional().describe('The claim of the verified token that is its value.'),
      })
      .refine(({ value, claim }) => (value === undefined) !== (claim === undefined), {
        message: 'must have exactly one of value, claim',
      })
      .optional()
      .describe('Sets a header. Without the claim there is no such header, whatever the client sent.'),
    remove: oneOf(
      selected(toSubgraph),
      ['named', 'matching'],
      'Drops headers that rules before this one set.',
    ).optional(),
  },
  ['propagate', 'insert', 'remove'],
  'A rule for the headers of requests to subgraphs: propagate, insert or remove.',
);

const responseRule = oneOf(
  {
    propagate: oneOf(
      {
        ...selected(toClient),
        rename: toClient.optional().describe('The name that the client gets it by; only with `named`.'),
        default: single.default,
        merge: z
          .enum(['first', 'last', 'append'])
          .default('last')
          .describe('Which value the client gets when several subgraphs send the header.'),
      },
      ['named', 'matching'],
      'Takes headers of the response. Set-Cookie and caching headers only by their names.',
    )
      .refine(ofOneHeader, notByPattern)
      .optional(),
    insert: z
      .strictObject({ name: toClient.describe('The name of the header.'), value: headerText.describe('Its value.') })
      .optional()
      .describe('Sets a header.'),
    remove: oneOf(
      selected(toClient),
      ['named', 'matching'],
      'Drops headers that rules before this one set.',
    ).optional(),
  },
  ['propagate', 'insert', 'remove'],
  'A rule for the headers of responses to clients: propagate, insert or remove.',
);

const rules = z.strictObject({
  request: z.array(requestRule).max(100).default([]).describe('From clients to subgraphs, in this order.'),
  response: z
    .array(responseRule)
    .max(100)
    .default([])
    .describe('From subgraphs to clients, over HTTP, in this order; not in streams.'),
});

export const headers = z.strictObject({
  all: rules.optional().describe('Rules for all subgraphs.'),
  subgraphs: z
    .record(z.string(), rules)
    .optional()
    .describe('Rules for single subgraphs, by name; they follow those for all.'),
});
