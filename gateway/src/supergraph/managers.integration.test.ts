import { IntrospectAndCompose, type SupergraphSdlUpdateFunction } from '@apollo/gateway';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { systemClock } from '@foyer/shared/clock';
import { openLog } from '@foyer/shared/telemetry/log';
import { parse } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';

import { createGateway, type Gateway, type GatewayOptions } from '../app.ts';
import { readConfig } from '../config.ts';
import { guardedBlog } from '../testing/guarded-blog.ts';
import { serveSubgraph, type RemoteSubgraph } from '../testing/remote-shops.ts';
import { shops } from '../testing/shops.ts';
import { compose } from './compose.ts';

let gateway: Gateway | undefined;
const remote: RemoteSubgraph[] = [];
afterEach(async () => {
  await gateway?.stop();
  for (const subgraph of remote.splice(0)) await subgraph.die();
});

const open = async (options: Pick<GatewayOptions, 'supergraphSdl' | 'subgraphs' | 'remote'>) =>
  (gateway = await createGateway({
    authenticate: async () => ({ viewer: null, by: 'nothing' }),
    config: readConfig({}),
    log: openLog('silent'),
    clock: systemClock,
    ...options,
  }));

async function ask(query: string) {
  const scope = {
    requestId: 'managers',
    viewer: null,
    client: { address: '', userAgent: '' },
    signal: new AbortController().signal,
    reply: { cookies: [] },
  };
  const answer = await gateway?.execute({ document: parse(query) }, scope);
  return JSON.parse(JSON.stringify(answer)) as { data?: Record<string, unknown>; errors?: { extensions: object }[] };
}

describe('a supergraph of a manager of @apollo/gateway', () => {
  it('may be composed from what the subgraphs say: IntrospectAndCompose', async () => {
    const subgraphs: { name: string; url: string }[] = [];
    for (const [name, schema] of Object.entries(shops.schemas)) {
      const subgraph = await serveSubgraph(schema);
      remote.push(subgraph);
      subgraphs.push({ name, url: subgraph.url });
    }

    await open({ supergraphSdl: new IntrospectAndCompose({ subgraphs }), subgraphs: {}, remote: {} });

    expect((await ask('{ lastReview { author { name } } }')).data).toEqual({
      lastReview: { author: { name: expect.any(String) } },
    });
  });

  it('may come from a function, have guarded fields, and be replaced by it', async () => {
    const { supergraphSdl, schemas } = guardedBlog();
    const contextFor = () => ({});
    const given: { update?: SupergraphSdlUpdateFunction } = {};
    await open({
      async supergraphSdl({ update }) {
        given.update = update;
        return { supergraphSdl };
      },
      subgraphs: { people: { schema: schemas.people, contextFor }, blog: { schema: schemas.blog, contextFor } },
    });
    const guarded = async () => (await ask('{ user(id: 1) { email } }')).errors?.map(({ extensions }) => extensions);
    expect(await guarded()).toMatchObject([{ code: 'UNAUTHORIZED_FIELD_OR_TYPE' }]);

    given.update?.(
      supergraphSdl.replaceAll('@join__field(graph: PEOPLE) @authenticated', '@join__field(graph: PEOPLE)'),
    );

    expect(await guarded()).toBeUndefined();
    expect(() => gateway?.reload(supergraphSdl)).toThrow('comes from a manager');
  });
});

describe('a subgraph that one supergraph lacks', () => {
  it('answers again at the same address with the next', async () => {
    const services: { name: string; url: string; typeDefs: string }[] = [];
    for (const name of ['tickets', 'seats']) {
      const typeDefs = `type Query { ${name}: Int }`;
      const subgraph = await serveSubgraph(
        buildSubgraphSchema([{ typeDefs: parse(typeDefs), resolvers: { Query: { [name]: () => 7 } } }]),
      );
      remote.push(subgraph);
      services.push({ name, url: subgraph.url, typeDefs });
    }
    const both = compose(services).supergraphSdl;
    await open({ supergraphSdl: both, subgraphs: {}, remote: {} });
    const seats = { data: { seats: 7 } };
    expect(await ask('{ seats }')).toEqual(seats);

    gateway?.reload(compose(services.slice(0, 1)).supergraphSdl);
    expect(await ask('{ tickets }')).toEqual({ data: { tickets: 7 } });
    gateway?.reload(both);

    expect(await ask('{ seats }')).toEqual(seats);
  });
});
