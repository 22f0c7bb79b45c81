import { beforeAll, describe, expect, it } from 'vitest';

import { distributed } from './support/servers/server-process.ts';
import { noRedis } from './support/servers/redis-server.ts';
import { graphql, send, logIn } from './support/fixtures/people.ts';
import { sharedServer, type SharedServer } from './support/servers/shared-server.ts';

/** The health checks of the process that answers: a gateway has no database. */
const checks = distributed
  ? { ...(!noRedis && { redis: true }), identity: true, ticketing: true, media: true, subgraphs: true }
  : { database: true, migrations: true, store: true, worker: true };

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

describe('entities that cross subgraphs', () => {
  it('an organization, its workspaces and their people have fields of ticketing and media', async () => {
    const { headers } = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const { data, errors } = await graphql(
      server,
      `
        {
          me {
            user {
              id
              media {
                totalCount
              }
              organization {
                name
              }
            }
            organization {
              organization {
                name
                orders {
                  totalCount
                }
                campaigns {
                  edges {
                    node {
                      name
                      workspace {
                        name
                      }
                    }
                  }
                }
                media {
                  totalCount
                }
                channels {
                  totalCount
                }
                workspaces {
                  name
                  media {
                    totalCount
                  }
                  channels {
                    totalCount
                  }
                  campaigns {
                    edges {
                      node {
                        name
                      }
                    }
                  }
                  notifications {
                    edges {
                      node {
                        title
                      }
                    }
                  }
                }
              }
            }
          }
        }
      `,
      {},
      headers,
    );

    expect(errors).toBeUndefined();
    const { organization } = data.me.organization;
    expect(organization.media.totalCount).toBeGreaterThan(0);
    expect(organization.campaigns.edges.length).toBeGreaterThan(0);
    expect(organization.workspaces.length).toBeGreaterThan(1);
  });

  it('show nobody what they may not see', async () => {
    const admin = await logIn(server, 'admin@foyer.test', 'PLATFORM');
    const { data: acme } = await graphql(server, '{ ticketGroups { edges { node { organization { id } } } } }');
    const { id } = acme.ticketGroups.edges[0].node.organization;

    const { data } = await graphql(
      server,
      `
        query ($id: ID!) {
          organization(id: $id) {
            orders {
              totalCount
            }
            media {
              totalCount
            }
          }
        }
      `,
      { id },
      admin.headers,
    );
    expect(data.organization?.orders?.totalCount ?? 0).toBe(0);
  });
});

describe('monitoring of the server', () => {
  it('serves liveness, readiness and metrics', async () => {
    expect((await send(server, 'GET', '/health/live')).json).toEqual({ status: 'ok' });
    const ready = async () => (await send(server, 'GET', '/health/ready')).json;
    await expect.poll(ready, { timeout: 50_000 }).toEqual({ status: 'ok', checks });
    const { text } = await send(server, 'GET', '/metrics');
    expect(text).toMatch(/^foyer_graphql_fetch_seconds_count\{subgraph="media",outcome="ok"\} [1-9]/m);
    expect(text).toMatch(/^process_resident_memory_bytes /m);
  });

  it('answers every unknown path with the body of an error, and its request id', async () => {
    const { status, json } = await send(server, 'GET', '/no/such/path');
    expect([status, json]).toEqual([
      404,
      { success: false, code: 'ROUTE_NOT_FOUND', message: 'There is no such route.', requestId: expect.any(String) },
    ]);
    const unreadable = await send(server, 'GET', '/api/media/%zz');
    expect([unreadable.status, unreadable.json.code]).toEqual([400, 'BAD_REQUEST']);
    const endless = await send(server, 'GET', `/api/media/${'1'.repeat(200)}`);
    expect([endless.status, endless.json.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  });

  it('shows a start page with links to everything', async () => {
    const { text, headers } = await send(server, 'GET', '/');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const link of ['/graphql', '/docs/README.md', '/sim/inbox/', '/sim/bank/'])
      expect(text).toContain(`${server.url}${link}`);
    for (const account of ['admin@foyer.test', 'orgadmin@acme.test', 'customer@foyer.test'])
      expect(text).toContain(account);
    for (const path of ['/docs/README.md', '/sim/inbox/', '/sim/bank/', '/foyer.css']) {
      expect((await fetch(`${server.url}${path}`)).status).toBe(200);
    }
  });
});
