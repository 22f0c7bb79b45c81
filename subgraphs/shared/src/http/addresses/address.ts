import { BlockList, isIP } from 'node:net';

export type AddressProblem = 'malformed' | 'forbidden';

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

/** Where clouds keep the secrets of a machine, by name. */
const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'instance-data', 'instance-data.ec2.internal']);

/** IPv4 as it looks on a socket for both. */
const ipv4 = blockList(['::ffff:0:0', 96, 'ipv6']);

/** What is wrong with a host that is no IP address; undefined when it is a name, and nothing else. */
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
 * By what a client is counted: an IPv4 address as it is, an IPv6 address by its /64, since whoever has one address
 * there has all of them.
 *
 * @param address as the connection or a trusted proxy says it; what is no address is left as it is
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
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
