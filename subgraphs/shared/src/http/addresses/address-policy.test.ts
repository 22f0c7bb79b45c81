import { networkInterfaces } from 'node:os';

import { describe, expect, it } from 'vitest';

import {
  AddressForbidden,
  developmentNetworks,
  loopback,
  networkList,
  openAddressPolicy,
  problemOfHost,
  type Lookup,
} from './address-policy.ts';
import { ownServicesIn } from '../../config/own-services.ts';

/** A name server with these names only. */
const knowing =
  (names: Record<string, string[]>): Lookup =>
  async (name) => {
    const addresses = names[name];
    if (!addresses) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };

const policy = (networks: readonly string[] = [], names: Record<string, string[]> = {}) =>
  openAddressPolicy({ networks, services: [], resolve: knowing(names) });

/** Every range that is not the public internet, by some address of it, and a network that names it. */
const special: readonly [what: string, address: string, network: string][] = [
  ['this machine', '127.0.0.1', '127.0.0.0/8'],
  ['this machine, elsewhere', '127.9.9.9', '127.0.0.0/8'],
  ['this machine, by IPv6', '::1', '::1/128'],
  ['private', '10.1.2.3', '10.0.0.0/8'],
  ['private', '172.31.0.1', '172.16.0.0/12'],
  ['private', '192.168.7.7', '192.168.0.0/16'],
  ['of providers', '100.64.0.1', '100.64.0.0/10'],
  ['of a link', '169.254.1.1', '169.254.0.0/16'],
  ['of a link, by IPv6', 'fe80::1', 'fe80::/10'],
  ['the metadata of most clouds', '169.254.169.254', '169.254.169.254/32'],
  ['the metadata of Alibaba Cloud', '100.100.100.200', '100.100.100.200/32'],
  ['the metadata of Oracle Cloud', '192.0.0.192', '192.0.0.192/32'],
  ['the host of a machine in Azure', '168.63.129.16', '168.63.129.16/32'],
  ['the metadata of AWS', 'fd00:ec2::254', 'fd00:ec2::/32'],
  ['IETF protocols', '192.0.0.1', '192.0.0.0/24'],
  ['documentation', '192.0.2.1', '192.0.2.0/24'],
  ['documentation', '198.51.100.1', '198.51.100.0/24'],
  ['documentation', '203.0.113.1', '203.0.113.0/24'],
  ['documentation, by IPv6', '2001:db8::1', '2001:db8::/32'],
  ['6to4 relays', '192.88.99.1', '192.88.99.0/24'],
  ['benchmarks', '198.19.0.1', '198.18.0.0/15'],
  ['reserved', '240.0.0.1', '240.0.0.0/4'],
  ['unique and local', 'fd12::1', 'fc00::/7'],
  ['of a site, of old', 'fec0::1', 'fec0::/10'],
  ['IPv4 within IPv6, of old', '::a01:203', '::/96'],
  ['thrown away', '100::1', '100::/64'],
  ['Teredo', '2001::1', '2001::/32'],
  ['ORCHID', '2001:20::1', '2001:20::/28'],
  ['NAT64, chosen by an operator', '64:ff9b:1::808:808', '64:ff9b:1::/48'],
  ['NAT64', '64:ff9b::808:808', '64:ff9b::/96'],
  ['6to4', '2002:808:808::1', '2002::/16'],
  ['not given out', '4000::1', '4000::/3'],
];

describe('an address that requests go to', () => {
  it.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('may be %s, of the public internet', async (address) => {
    expect(policy().problemOf(address)).toBeUndefined();
    expect(await policy().addressesOf(address, 80)).toMatchObject([{ address }]);
  });

  it.each(special)('is %s (%s) only where the operator lists it', async (_what, address, network) => {
    expect(policy().problemOf(address)).toBe('forbidden');
    await expect(policy().addressesOf(address, 80)).rejects.toThrow(AddressForbidden);
    await expect(policy([], { name: [address] }).addressesOf('name', 80)).rejects.toThrow(AddressForbidden);

    expect(policy([network]).problemOf(address)).toBeUndefined();
    expect(await policy([network], { name: [address] }).addressesOf('name', 80)).toMatchObject([{ address }]);
  });

  it.each(special.filter(([, address]) => !address.includes(':')))(
    'is not %s (%s) written as IPv6 either',
    (_what, address) => {
      const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
      const hex = `${bytes.slice(0, 2).join('')}:${bytes.slice(2).join('')}`;
      expect(policy().problemOf(`::ffff:${address}`)).toBe('forbidden');
      expect(policy().problemOf(`::ffff:${hex}`)).toBe('forbidden');
      // A translating network allows only addresses that are allowed by themselves.
      for (const dressed of [`64:ff9b::${hex}`, `64:ff9b:1::${hex}`, `2002:${hex}::1`])
        expect(policy(['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16']).problemOf(dressed)).toBe('forbidden');
    },
  );

  it.each(['0.0.0.0', '0.1.2.3', '::', '224.0.0.1', '255.255.255.255', 'ff02::1'])(
    'is never %s, whatever the operator lists',
    (address) => {
      expect(policy(['0.0.0.0/0', '::/0']).problemOf(address)).toBe('forbidden');
    },
  );

  it.each(['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254', 'fe80::1'])(
    'is not %s when a larger listed network happens to cover it',
    (address) => {
      const networks = ['0.0.0.0/0', '::/0', '100.64.0.0/10', 'fc00::/7'];
      expect(policy(networks).problemOf(address)).toBe('forbidden');
      expect(problemOfHost(address)).toBe('forbidden');
    },
  );

  it('is refused when any address of a name is forbidden', async () => {
    const { addressesOf } = policy([], { name: ['8.8.8.8', '10.0.0.1'] });
    await expect(addressesOf('name', 80)).rejects.toThrow(AddressForbidden);
  });

  it('may be on this machine or a private network in development', () => {
    for (const address of ['127.0.0.1', '::1', 'localhost', '10.1.1.1', '192.168.1.1', '172.16.0.1', 'fd12::1'])
      expect(policy(developmentNetworks).problemOf(address)).toBeUndefined();
    for (const address of ['localhost', 'x.localhost']) expect(policy().problemOf(address)).toBe('forbidden');
  });
});

describe('a host that a user registers', () => {
  it.each(['streamer-1', 'streamer.example.com', 'node_1.internal'])('may be the name %s', (host) =>
    expect(policy().problemOf(host)).toBeUndefined(),
  );

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
    ['an address written in octal', '0177.0.0.1'],
    ['an address written in short', '127.1'],
    ['an address in brackets', '[::1]'],
    ['a name that is too long', `${'a'.repeat(64)}.com`],
  ])('is not %s', (_what, host) => expect(policy(loopback).problemOf(host)).toBe('malformed'));

  it('is never the name of a metadata service', () => {
    expect(policy(loopback).problemOf('metadata.google.internal')).toBe('forbidden');
  });
});

describe("a service of Foyer's own", () => {
  const names = { postgres: ['10.0.0.5'], alias: ['10.0.0.5'], here: ['127.0.0.1'], both: ['8.8.8.8', '10.0.0.5'] };
  const env = { DATABASE_URL: 'postgres://u:p@postgres/foyer', REDIS_URL: 'redis://[fd12::7]:6380', PORT: '4000' };
  const over = (resolve: Lookup) =>
    openAddressPolicy({
      networks: developmentNetworks,
      services: ownServicesIn({ ...env, OWN_SERVICES: 's3:8333, 10.0.0.9:25' }, []),
      resolve,
    });
  const { addressesOf } = over(knowing({ ...names, s3: ['192.168.0.3'] }));

  it.each([
    ['postgres', 5432],
    ['alias', 5432],
    ['both', 5432],
    ['10.0.0.5', 5432],
    ['::ffff:10.0.0.5', 5432],
    ['fd12::7', 6380],
    ['fd12:0:0::7', 6380],
    ['192.168.0.3', 8333],
    ['10.0.0.9', 25],
  ])('is never connected to as %s:%i, though its network is listed', async (host, port) => {
    await expect(addressesOf(host, port)).rejects.toThrow(AddressForbidden);
  });

  it('does not block the other ports of its machine', async () => {
    expect(await addressesOf('postgres', 8080)).toMatchObject([{ address: '10.0.0.5' }]);
  });

  it('on this machine, has all of its addresses', async () => {
    const own = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
    for (const host of ['here', '127.0.0.1', '127.1.2.3', '::1', ...own])
      await expect(addressesOf(host, 4000)).rejects.toThrow(AddressForbidden);
    expect(await addressesOf('127.0.0.1', 4001)).toMatchObject([{ address: '127.0.0.1' }]);
  });

  it('is known by its last address while its name can not be looked up', async () => {
    let isAway = false;
    const resolve: Lookup = async (name, options) => {
      if (isAway) throw new Error('no name server');
      return knowing({ ...names, s3: [] })(name, options);
    };
    const policyThen = over(resolve);
    await expect(policyThen.addressesOf('10.0.0.5', 5432)).rejects.toThrow(AddressForbidden);
    isAway = true;
    await expect(policyThen.addressesOf('10.0.0.5', 5432)).rejects.toThrow(AddressForbidden);
  });

  it('must be configured in production before a network is opened', () => {
    const blind = { NODE_ENV: 'production', DATABASE_URL: 'postgres://postgres/foyer' };
    expect(() => ownServicesIn(blind, ['10.0.0.0/8'])).toThrow('OWN_SERVICES');
    expect(ownServicesIn(blind, [])).toContainEqual({ host: 'postgres', port: 5432 });
    expect(ownServicesIn({ ...blind, OWN_SERVICES: 'redis:6379' }, ['10.0.0.0/8'])).toContainEqual({
      host: 'redis',
      port: 6379,
    });
    expect(() => ownServicesIn({ OWN_SERVICES: 'redis' }, [])).toThrow('OWN_SERVICES');
  });
});

describe('a list of networks', () => {
  it('may hold bare addresses, and `none`', () => {
    expect(networkList.parse('10.0.0.0/8, fd12::/48,192.0.2.7,::1')).toEqual([
      '10.0.0.0/8',
      'fd12::/48',
      '192.0.2.7/32',
      '::1/128',
    ]);
    expect(networkList.parse('none')).toEqual([]);
  });

  it.each(['10.0.0.0/33', '10.0.0.0/8;', 'example.com', '0x7f.1/8', '10.0.0.0/', ''])('is not %s', (text) =>
    expect(networkList.safeParse(text).success).toBe(false),
  );
});
