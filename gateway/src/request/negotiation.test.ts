import { expect, it } from 'vitest';

import { negotiated } from './negotiation.ts';

it.each([
  ['application/json;callbackSpec=1.0', 'application/json'],
  ['application/json; callbackSpec="1.0, or later"; charset=utf-8', 'application/json'],
  ['multipart/mixed;callbackSpec', 'multipart/mixed'],
  ['multipart/mixed; deferSpec=20220824', 'multipart/mixed'],
  ['multipart/mixed;boundary="-";subscriptionSpec=1.0', 'multipart/mixed'],
])('a parameter that is unknown excludes nothing: %s', (accept, type) => {
  expect(negotiated(accept)).toEqual({ type, named: true });
});

it.each([
  ['multipart/mixed;deferSpec=20220824, application/graphql-response+json', 'application/graphql-response+json'],
  ['multipart/mixed;deferSpec=20220824, application/json', 'application/json'],
  ['multipart/mixed;boundary=graphql;subscriptionSpec=1.0, application/json', 'multipart/mixed'],
])('a type without unknown parameters is preferred: %s', (accept, type) => {
  expect(negotiated(accept)).toEqual({ type, named: true });
});

it.each([
  'multipart/mixed;subscriptionSpec=2.0',
  'application/json;callbackSpec=1.0;q=0',
  'image/png;callbackSpec=1.0',
])('another version of a known protocol, and what the client refuses, is not acceptable: %s', (accept) => {
  expect(negotiated(accept)).toEqual({ type: undefined, named: false });
});
