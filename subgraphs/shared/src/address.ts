import { BlockList, isIP } from 'node:net';

/** Which nodes may be talked to. */
export interface AddressRules {
  /** Whether a node may run on this very machine; true in development only. */
  allowLoopback: boolean;
}

export type AddressProblem = 'malformed' | 'forbidden';

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

/** Where clouds keep the secrets of a machine, by name. */
const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'instance-data', 'instance-data.ec2.internal']);

const loopback = blockList(['127.0.0.0', 8, 'ipv4'], ['::1', 128, 'ipv6']);

/** IPv4 as it looks on a socket for both. */
const ipv4 = blockList(['::ffff:0:0', 96, 'ipv6']);

/** Private networks are where nodes live; these are where none ever does. */
const never = blockList(
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'], // link-local, and the metadata of most clouds
  ['100.100.100.200', 32, 'ipv4'], // the metadata of Alibaba Cloud
  ['192.0.0.192', 32, 'ipv4'], // the metadata of Oracle Cloud
  ['224.0.0.0', 4, 'ipv4'],
  ['255.255.255.255', 32, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
  ['fd00:ec2::', 32, 'ipv6'], // the metadata of AWS
  ['64:ff9b::', 96, 'ipv6'], // IPv4 in disguise
  ['2002::', 16, 'ipv6'],
);

/**
 * What is wrong with a host that someone wants to register; undefined when nothing is.
 * Only the bare name or IP address counts: no scheme, port, path or user.
 */
export function problemOfHost(host: string, rules: AddressRules): AddressProblem | undefined {
  if (isIP(host)) return mayConnect(host, rules) ? undefined : 'forbidden';
  if (!HOST_NAME.test(host)) return 'malformed';
  const name = host.toLowerCase();
  // 0x7f000001 and 2130706433 are addresses to a URL, and names to everyone else.
  if (URL.parse(`http://${name}/`)?.hostname !== name) return 'malformed';
  if (METADATA_NAMES.has(name)) return 'forbidden';
  if (!rules.allowLoopback && (name === 'localhost' || name.endsWith('.localhost'))) return 'forbidden';
  return undefined;
}

/** Whether a connection may be made to an IP address, however it was found. */
export function mayConnect(address: string, { allowLoopback }: AddressRules): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (never.check(address, family)) return false;
  return allowLoopback || !loopback.check(address, family);
}

/** Thrown instead of connecting. */
export class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';

  constructor(address: string) {
    super(`connections to ${address} are not allowed`);
  }
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
