import type { IncomingHttpHeaders } from 'node:http';

import { headersTo } from '@foyer/shared/graphql/operation-context';
import { ownHeaderValue } from '@foyer/shared/http/header-value';
import type { Reply } from '@foyer/shared/http/request';
import { describe, expect, it } from 'vitest';

import { forwardedHeaders } from './request-headers.ts';
import { collectResponseHeaders, type ReceivedHeaders } from './response-headers.ts';
import type { RequestRule, ResponseRule } from './rules.ts';

const value = ownHeaderValue;

/** What the subgraph `products` gets by rules for all, and by its own. */
const sent = (
  request: RequestRule[],
  headers: IncomingHttpHeaders,
  claims: Record<string, unknown> = {},
  own: RequestRule[] = [],
) =>
  headersTo(
    'products',
    forwardedHeaders(
      headers,
      { all: { request, response: [] }, subgraphs: { products: { request: own, response: [] } } },
      claims,
    ),
  );

describe('a rule for requests', () => {
  it.each<[string, RequestRule[], IncomingHttpHeaders, object]>([
    ['propagates a header', [{ propagate: { named: 'x-a' } }], { 'x-a': '1', 'x-b': '2' }, { 'x-a': '1' }],
    ['propagates none that was not sent', [{ propagate: { named: 'x-a' } }], {}, {}],
    [
      'propagates by a pattern, but nothing that belongs to one connection',
      [{ propagate: { matching: /.*/ } }],
      { 'x-a': '1', host: 'h', 'content-length': '3', 'accept-encoding': 'gzip', 'sec-websocket-key': 'k', te: 't' },
      { 'x-a': '1' },
    ],
    ['renames', [{ propagate: { named: 'x-a', rename: 'x-b' } }], { 'x-a': '1' }, { 'x-b': '1' }],
    ['has a default', [{ propagate: { named: 'x-a', default: value('0') } }], {}, { 'x-a': '0' }],
    [
      'inserts over what came before',
      [{ propagate: { named: 'x-a' } }, insert('x-a', 'ours')],
      { 'x-a': '1' },
      { 'x-a': 'ours' },
    ],
    ['removes what came before', [insert('x-a', '1'), { remove: { named: 'x-a' } }], {}, {}],
    ['removes by a pattern', [insert('x-a', '1'), insert('y', '2'), { remove: { matching: /^x-/ } }], {}, { y: '2' }],
    ['removes nothing that comes after', [{ remove: { named: 'x-a' } }, insert('x-a', '1')], {}, { 'x-a': '1' }],
  ])('%s', (_what, rules, headers, made) => {
    expect(sent(rules, headers)).toEqual(made);
  });

  it('for one subgraph follows those for all, and concerns no other', () => {
    const rules = {
      all: { request: [insert('x-a', '1'), insert('x-b', '1')], response: [] },
      subgraphs: { products: { request: [{ remove: { named: 'x-a' } }], response: [] } },
    };

    const forwarded = forwardedHeaders({}, rules);

    expect(headersTo('products', forwarded)).toEqual({ 'x-b': '1' });
    expect(headersTo('reviews', forwarded)).toEqual({ 'x-a': '1', 'x-b': '1' });
  });
});

describe('a claim in a header', () => {
  const claim: RequestRule = { insert: { name: 'x-user-id', claim: 'sub' } };

  it.each<[string, RequestRule[], RequestRule[]]>([
    ['by a later rule', [claim, { propagate: { matching: /^x-/ } }], []],
    ['by its name', [claim, { propagate: { named: 'x-user-id' } }], []],
    ['by another name', [claim, { propagate: { named: 'x-a', rename: 'x-user-id' } }], []],
    ['by the rules of the subgraph', [claim], [{ propagate: { matching: /.*/ } }]],
  ])('is never replaced with what the client sent %s', (_how, all, own) => {
    const headers = { 'x-user-id': 'admin', 'x-a': 'admin' };

    expect(sent(all, headers, { sub: 'u1' }, own)).toMatchObject({ 'x-user-id': 'u1' });
    expect(sent(all, headers, {}, own)).not.toHaveProperty('x-user-id');
  });

  const rules: RequestRule[] = [{ propagate: { matching: /^x-/ } }, { insert: { name: 'x-user-id', claim: 'sub' } }];

  it.each<[unknown, string]>([
    ['u1', 'u1'],
    [7, '7'],
    [true, 'true'],
    [['a', 'b'], 'a,b'],
  ])('%j is sent as %s', (sub, text) => {
    expect(sent(rules, {}, { sub })).toEqual({ 'x-user-id': text });
  });

  it.each([[undefined], [{ a: 1 }], [['a', {}]], [[]], ['a\r\nx-admin: yes'], ['😀']])(
    '%j is not sent, and neither is what the client made up',
    (sub) => {
      expect(sent(rules, { 'x-user-id': 'admin', 'x-b': '1' }, { sub })).toEqual({ 'x-b': '1' });
    },
  );
});

const insert = (name: string, text: string) => ({ insert: { name, value: value(text) } });

/** What the client gets when these subgraphs answer one after the other. */
function returned(rules: ResponseRule[], ...answers: ReceivedHeaders[]): object {
  const reply: Reply = { cookies: [] };
  for (const received of answers) {
    collectResponseHeaders({ all: { request: [], response: rules }, subgraphs: {} }, 'products', received, reply);
  }
  return Object.fromEntries(reply.headers ?? []);
}

describe('a rule for responses', () => {
  it.each<['first' | 'last' | 'append', string[]]>([
    ['first', ['1']],
    ['last', ['2']],
    ['append', ['1', '2']],
  ])('merges the headers of several subgraphs: %s', (merge, values) => {
    const rules = [{ propagate: { named: 'x-a', merge } }];

    expect(returned(rules, { 'x-a': '1' }, {}, { 'x-a': '2' })).toEqual({ 'x-a': values });
  });

  it('by a pattern returns no cookie, and nothing that holds for one answer only', () => {
    const received = { 'x-a': '1', 'set-cookie': ['s=1'], 'cache-control': 'public', 'content-length': '9' };

    expect(returned([{ propagate: { matching: /.*/, merge: 'last' } }], received)).toEqual({ 'x-a': ['1'] });
  });

  it('returns cookies when it names them', () => {
    const rules: ResponseRule[] = [{ propagate: { named: 'set-cookie', merge: 'append' } }];

    expect(returned(rules, { 'set-cookie': ['a=1', 'b=1'] }, { 'set-cookie': ['c=1'] })).toEqual({
      'set-cookie': ['a=1', 'b=1', 'c=1'],
    });
  });

  it('inserts, renames and removes in its order', () => {
    const rules: ResponseRule[] = [
      { propagate: { matching: /^x-/, merge: 'last' } },
      { propagate: { named: 'x-a', rename: 'x-c', merge: 'last' } },
      { remove: { named: 'x-a' } },
      insert('x-d', '4'),
    ];

    expect(returned(rules, { 'x-a': '1', 'x-b': '2' })).toEqual({ 'x-b': ['2'], 'x-c': ['1'], 'x-d': ['4'] });
  });

  it('leaves out what would make the head too large', () => {
    const rules: ResponseRule[] = [{ propagate: { matching: /^x-/, merge: 'append' } }];
    const half = 'x'.repeat(5_000);

    expect(returned(rules, { 'x-a': half }, { 'x-b': half })).toEqual({ 'x-a': [half] });
  });
});
