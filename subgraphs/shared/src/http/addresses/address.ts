import { BlockList, isIP } from 'node:net';

import { LRUCache } from 'lru-cache';

export type AddressProblem = 'malformed' | 'forbidden';

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

/** The names of metadata services of clouds. */
const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'instance-data', 'instance-data.ec2.internal']);

/** The prefix of IPv4 addresses on a dual-stack socket. */
const ipv4 = blockList(['::ffff:0:0', 96, 'ipv6']);

/** Returns what is wrong with a host that is not an IP address; undefined for a valid name. */
export function problemOfName(host: string): AddressProblem | undefined {
  if (!HOST_NAME.test(host)) return 'malformed';
  const name = host.toLowerCase();
  // 0x7f000001 and 2130706433 are addresses to a URL, and names to everyone else.
  if (URL.parse(`http://${name}/`)?.hostname !== name) return 'malformed';
  return METADATA_NAMES.has(name) ? 'forbidden' : undefined;
}

/** The origin of a node: `http://host:port`. */
export const originOf = (host: string, port: number): string =>
  `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/**
 * Returns the network by which a client is counted: an IPv4 address itself, the /64 of an IPv6 address, because one client
 * has all of its addresses.
 *
 * @param address from the connection or a trusted proxy; any other text is returned unchanged
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const known = networks.get(address) ?? networkOfIpv6(address);
  networks.set(address, known);
  return known;
}

/** Networks of the addresses seen last: every request is counted by one, and to find it takes longer than to count. */
const networks = new LRUCache<string, string>({ max: 1_000 });

function networkOfIpv6(address: string): string {
  const [withoutZone = ''] = address.split('%');
  const { hostname } = new URL(`http://[${withoutZone}]`); // in its one canonical form
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return ipv4.check(withoutZone, 'ipv6') ? ipv4Of(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
}

const ipv4Of = (groups: readonly string[]) =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 0xff])
    .join('.');

function blockList(...subnets: [net: string, prefix: number, type: 'ipv4' | 'ipv6'][]): BlockList {
  const list = new BlockList();
  for (const [net, prefix, type] of subnets) list.addSubnet(net, prefix, type);
  return list;
}

/** Whether a host of a URL is this machine, for browsers: they reject Secure cookies from there over plain HTTP. */
export const isLoopbackHost = (host: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(host) || host.endsWith('.localhost');
