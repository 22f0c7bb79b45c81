import { describe, expect, it } from 'vitest';

import { networkOf, originOf } from './address.ts';

describe('the origin of a node', () => {
  it('has brackets in a URL when it is an IPv6 address', () => {
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
