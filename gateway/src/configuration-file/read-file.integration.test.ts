import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readConfigurationFile } from './read-file.ts';
import { configurationJsonSchema } from './schema.ts';
import { readSettings } from './settings.ts';

const gateway = join(import.meta.dirname, '../..');
const example = join(gateway, 'examples/gateway.yaml');

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-configuration-'));
  file = join(folder, 'gateway.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

async function read(text: string, env: NodeJS.ProcessEnv = {}) {
  await writeFile(file, text);
  return readConfigurationFile(file, env);
}
const problemsOf = (text: string, env: NodeJS.ProcessEnv = {}): Promise<string> =>
  read(text, env).then(
    () => 'none',
    (error: Error) => error.message,
  );

describe('the configuration file', () => {
  it('may be YAML or JSON', async () => {
    expect(await read('limits: { maxDepth: 7 }')).toEqual({ limits: { maxDepth: 7 } });
    expect(await read('{"limits":{"maxDepth":7}}')).toEqual({ limits: { maxDepth: 7 } });
    expect(await read('')).toEqual({});
  });

  it('is refused with all its problems, each in one line with its path', async () => {
    const problems = await problemsOf(`
limits: { maxDept: 3, maxCost: many }
headers:
  all:
    request:
      - propagate: { named: Host }
      - insert: { name: x-a, value: b }
        remove: { named: x-b }
      - propagate: { matching: '(' }
      - propagate: { matching: a, rename: b }
      - insert: { name: x-a, value: "a\\nb" }
      - remove: {}
cors: { matchOrigins: ['['] , origins: ['*'] }
trafficShaping: { subgraphs: { a.b: { timeout: soon } } }
overrideSubgraphUrl: { users: 'file:///etc/passwd' }
authentication: { jwt: { jwks: [{ url: 'https://x.example', algorithms: [HS256] }] } }
plugins: []
`);

    const [title, ...lines] = problems.split('\n');
    expect(title).toBe('gateway.yaml has 14 problems');
    expect(lines).toEqual([
      '  overrideSubgraphUrl.users: must be an http:// or https:// address',
      '  headers.all.request[0].propagate.named: can not be set: it is no header name, or one that HTTP or the gateway sets',
      '  headers.all.request[1]: must have exactly one of propagate, insert, remove',
      '  headers.all.request[2].propagate.matching: must be a regular expression',
      '  headers.all.request[3].propagate: takes rename and default only with named',
      '  headers.all.request[4].insert.value: must hold only what a header may hold',
      '  headers.all.request[5].remove: must have exactly one of named, matching',
      expect.stringContaining('  authentication.jwt.jwks[0].algorithms[0]: must be RS256 or'),
      '  cors.origins[0]: must be an origin such as https://content.example',
      '  cors.matchOrigins[0]: must be a regular expression',
      '  limits.maxCost: must be a number',
      '  limits.maxDept: there is no such key',
      '  trafficShaping.subgraphs["a.b"].timeout: must be a duration such as 500ms, 10s or 5m',
      '  plugins: there is no such key',
    ]);
  });

  it.each([
    ['no YAML', 'limits: {', /^gateway\.yaml: line 1: /],
    ['a key twice', 'introspection: true\nintrospection: false', /^gateway\.yaml: line 2: /],
    ['an alias that leads to itself', 'limits: &a { webSocket: *a }', /nested too deeply|alias/i],
    [
      'aliases that multiply',
      `a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]`,
      /alias/,
    ],
    ['a list', '[1]', /^gateway\.yaml: the file: must be an object/],
  ])('is refused with one line when it holds %s', async (_what, text, line) => {
    const problems = await problemsOf(text);

    expect(problems).toMatch(line);
    expect(problems).not.toContain('\n');
  });

  it('that is not there is named in one line', async () => {
    await expect(readConfigurationFile('/nowhere.yaml', {})).rejects.toThrow('/nowhere.yaml can not be read: ENOENT');
  });
});

describe('a variable in the configuration file', () => {
  const insert = 'headers: { all: { request: [{ insert: { name: x-key, value: "Key ${env.API_KEY:-none}" } }] } }';
  const inserted = async (env: NodeJS.ProcessEnv) => (await read(insert, env)).headers?.all?.request[0]?.insert?.value;

  it('is replaced, or has a default', async () => {
    expect(await inserted({ API_KEY: 's3cret' })).toBe('Key s3cret');
    expect(await inserted({ API_KEY: '' })).toBe('Key none');
  });

  it('that is not set is a problem at its place', async () => {
    expect(await problemsOf('redis: { url: "${env.REDIS_AT}" }')).toContain(
      'redis.url: the environment has no REDIS_AT',
    );
  });

  it('never shows its value in a problem', async () => {
    const problems = await problemsOf('redis: { url: "${env.PASSWORD}" }', { PASSWORD: 'open-sesame' });

    expect(problems).toContain('redis.url');
    expect(problems).not.toContain('open-sesame');
  });
});

describe('the published JSON schema', () => {
  const fits = () => {
    const ajv = new Ajv({ allErrors: true });
    addFormats.default(ajv);
    return ajv.compile(configurationJsonSchema());
  };

  it('is the one in the repository', async () => {
    const published = await readFile(join(gateway, 'configuration.schema.json'), 'utf8');
    expect(JSON.parse(published)).toEqual(configurationJsonSchema());
  });

  it('has an id by which validators find it, and takes the example by it', async () => {
    const ajv = new Ajv();
    addFormats.default(ajv);
    ajv.addSchema(JSON.parse(await readFile(join(gateway, 'configuration.schema.json'), 'utf8')));

    expect(ajv.validate('urn:foyer:gateway-configuration', parse(await readFile(example, 'utf8')))).toBe(true);
  });

  it('and the gateway both take the example', async () => {
    const text = await readFile(example, 'utf8');
    const validate = fits();

    expect(validate(parse(text)) ? [] : validate.errors).toEqual([]);
    expect(text).toContain('$schema=../configuration.schema.json');
    const { addresses, jwt, supergraphFile } = await readSettings({ JWKS_API_KEY: 'k' }, { config: example });
    expect(supergraphFile).toBe(join(gateway, 'supergraph.graphql'));
    expect(Object.keys(addresses)).toEqual(['identity', 'ticketing', 'media']);
    expect(jwt?.jwks[0]?.headers).toEqual({ 'x-api-key': 'k' });
  });

  it.each([{ plugins: [] }, { limits: { maxDept: 1 } }, { listen: { port: '4000' } }, { cors: { maxAge: 'long' } }])(
    'refuses %j, as the gateway does',
    async (wrong) => {
      expect(fits()(wrong)).toBe(false);
      expect(await problemsOf(JSON.stringify(wrong))).not.toBe('none');
    },
  );

  it('describes every key', () => {
    const undescribed: string[] = [];
    (function look(schema: { properties?: Record<string, object>; description?: string }, path: string) {
      for (const [key, inner] of Object.entries(schema.properties ?? {})) {
        if (!('description' in inner)) undescribed.push(`${path}.${key}`);
        look(inner, `${path}.${key}`);
      }
      for (const inner of ['items', 'additionalProperties'] as const) {
        const found: unknown = (schema as Record<string, unknown>)[inner];
        if (typeof found === 'object' && found !== null) look(found, `${path}.${inner}`);
      }
    })(configurationJsonSchema() as object, '');
    expect(undescribed).toEqual([]);
  });
});
