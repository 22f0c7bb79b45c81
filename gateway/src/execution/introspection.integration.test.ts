import {
  execute,
  getIntrospectionQuery,
  getNamedType,
  introspectionTypes,
  isLeafType,
  isObjectType,
  parse,
  type IntrospectionOptions,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadSupergraph } from '../testing/load-supergraph.ts';
import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';

/** Where a type of the schema of schemas is found. */
const wayTo: Record<string, (inner: string) => string> = {
  __Schema: (inner) => `{ __schema { ${inner} } }`,
  __Type: (inner) => `{ __type(name: "Who") { ${inner} } }`,
  __Field: (inner) => `{ __type(name: "Query") { fields { ${inner} } } }`,
  __InputValue: (inner) => `{ __type(name: "Who") { inputFields { ${inner} } } }`,
  __EnumValue: (inner) => `{ __type(name: "Role") { enumValues { ${inner} } } }`,
  __Directive: (inner) => `{ __schema { directives { ${inner} } } }`,
};

const asks = introspectionTypes.filter(isObjectType).flatMap((type) =>
  Object.values(type.getFields()).flatMap((field) => {
    const inner = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
    const names = [field.name, ...field.args.map(({ name }) => `${field.name}(${name}: true)`)];
    return names.map((name) => [`${type.name}.${name}`, wayTo[type.name]?.(name + inner) ?? '']);
  }),
);

const options: IntrospectionOptions = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
};

describe.each(['foyer', 'apollo'])('introspection by the executor %s', (executor) => {
  let server: ExampleServer;
  beforeAll(async () => {
    server = await startExampleServer({ GATEWAY_EXECUTOR: executor });
  });
  afterAll(() => server.stop());

  /** The answer of the gateway, and that of graphql-js itself. */
  async function answersTo(query: string) {
    const { status, body } = await server.post(query);
    const { publicSchema } = loadSupergraph(server.supergraphSdl);
    const expected = await execute({ schema: publicSchema, document: parse(query) });
    return {
      answer: { status, body },
      expected: { status: 200, body: { data: JSON.parse(JSON.stringify(expected.data)) as object } },
    };
  }

  it.each([{}, options, ...Object.keys(options).map((option) => ({ [option]: true }))])(
    'answers the standard query with %j',
    async (chosen) => {
      const { answer, expected } = await answersTo(getIntrospectionQuery(chosen));
      expect(answer).toEqual(expected);
    },
  );

  it.each(asks)('answers %s', async (_field, query = '') => {
    const { answer, expected } = await answersTo(query);
    expect(answer).toEqual(expected);
  });
});
