import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import { forwardedPrefix } from './forwarded-prefix.ts';

const prefixOf = forwardedPrefix(['loopback', '10.0.0.0/8']);
const from = (remoteAddress: string, prefix?: string | string[]) =>
  ({ headers: { 'x-forwarded-prefix': prefix }, socket: { remoteAddress } }) as unknown as IncomingMessage;

describe('the prefix that a proxy has removed', () => {
  it.each([
    ['/media', '/media'],
    ['/media/', '/media'],
    ['/a/b-c_d.e', '/a/b-c_d.e'],
    ['/%C3%A9t%C3%A9', '/%C3%A9t%C3%A9'],
    ['/outer, /inner', '/outer/inner'],
    ['/', ''],
    ['', ''],
  ])('is read from a trusted one: %j', (said, prefix) => {
    expect(prefixOf(from('10.1.2.3', said))).toBe(prefix);
  });

  it('is empty when no header names it, or no trusted proxy does', () => {
    expect(prefixOf(from('10.1.2.3'))).toBe('');
    expect(prefixOf(from('192.0.2.1', '/media'))).toBe('');
    expect(forwardedPrefix([])(from('127.0.0.1', '/media'))).toBe('');
  });

  it.each([
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    'https://evil.test',
    'evil.test',
    '/a//evil.test',
    '/a/../b',
    '/%2e%2e/b',
    '/%2Fevil.test',
    '/a%0d%0aSet-Cookie:x=y',
    '/a\r\nSet-Cookie: x=y',
    '/a?b',
    '/a#b',
    '/a b',
    '/a, //evil.test',
    `/${'a'.repeat(501)}`,
  ])('is never %j, whoever sends it', (said) => {
    for (const address of ['10.1.2.3', '192.0.2.1'])
      expect(() => prefixOf(from(address, said))).toThrow('The prefix must be a path');
  });
});
