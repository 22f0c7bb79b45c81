import { describe, expect, it } from 'vitest';

import { mayConnect, networkOf, originOf, problemOfHost } from './address.ts';

const strict = { allowLoopback: false };

describe('the host of a node', () => {
  it.each([
    'streamer-1',
    'streamer.example.com',
    'node_1.internal',
    '10.0.0.8',
    '192.168.1.2',
    '172.16.0.1',
    'fd12::1',
  ])('may be %s', (host) => expect(problemOfHost(host, strict)).toBeUndefined());

  it.each([
    ['a URL', 'http://example.com'],
    ['a host with a port', 'example.com:80'],
    ['a host with a path', 'example.com/x'],
    ['a user', 'root@example.com'],
    ['a query', 'example.com?x'],
    ['a fragment', 'example.com#x'],
    ['nothing', ''],
    ['blanks', 'exa mple.com'],
    ['an address written as a number', '2130706433'],
    ['an address written in hex', '0x7f000001'],
    ['an address written in short', '127.1'],
    ['an address in brackets', '[::1]'],
    ['a name that is too long', `${'a'.repeat(64)}.com`],
  ])('is not %s', (_what, host) => expect(problemOfHost(host, strict)).toBe('malformed'));

  it.each([
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'ff02::1',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'metadata.google.internal',
  ])('is never %s', (host) => expect(problemOfHost(host, { allowLoopback: true })).toBe('forbidden'));

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', 'localhost', 'x.localhost'])(
    'is %s in development only',
    (host) => {
      expect(problemOfHost(host, strict)).toBe('forbidden');
      expect(problemOfHost(host, { allowLoopback: true })).toBeUndefined();
    },
  );

  it('is judged again by the address that its name leads to', () => {
    expect(mayConnect('10.1.2.3', strict)).toBe(true);
    expect(mayConnect('127.0.0.1', strict)).toBe(false);
  });

  it('stands in brackets in a URL when it is an IPv6 address', () => {
    expect(originOf('fd12::1', 80)).toBe('http://[fd12::1]:80');
  });
});

describe('a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
    ['2001:0DB8:0000:0007:ffff:1:2:3', '2001:db8:0:7::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['nowhere', 'nowhere'],
  ])('at %s is counted as %s', (address, network) => expect(networkOf(address)).toBe(network));
});
