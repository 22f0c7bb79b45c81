import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address and how many of its bits count. */
export type Network = readonly [Address, number];

/** Ranges in which no service can be, whatever a list of networks says. */
const nowhere = new Set(['unspecified', 'multicast', 'broadcast']);

/**
 * The metadata services of clouds, and link-local addresses. A listed network that merely covers one of these does not
 * allow it; a network within it does.
 */
const delicate = [
  '169.254.0.0/16', // link-local, and the metadata of most clouds
  'fe80::/10',
  '100.100.100.200/32', // the metadata of Alibaba Cloud
  '192.0.0.192/32', // the metadata of Oracle Cloud
  '168.63.129.16/32', // the host of a machine in Azure: an address of the public internet by its number alone
  'fd00:ec2::/32', // the metadata of AWS
].map((network) => ipaddr.parseCIDR(network));

/** Prefixes that translate to IPv4, and the byte at which the IPv4 address begins (RFC 6052, 8215, 3056). */
const translated = (
  [
    ['64:ff9b::/96', 12],
    ['64:ff9b:1::/48', 12],
    ['2002::/16', 2],
  ] as const
).map(([network, from]) => [ipaddr.parseCIDR(network), from] as const);

/** Global unicast (RFC 4291): all other IPv6 addresses are special, also those without a name yet. */
const global = ipaddr.parseCIDR('2000::/3');

/** Normalizes an address: IPv4 written as IPv6 (`::ffff:…`) becomes IPv4, and a zone is removed. */
export const inOneForm = (address: string): string => ipaddr.process(withoutZone(address)).toString();

const withoutZone = (address: string) => address.replace(/%.*$/, '');

/**
 * Whether an IP address may be connected to: one of the public internet, or one in a network that is listed.
 *
 * @param address in any spelling that `net.isIP` takes
 */
export function classOf(address: string, listed: readonly Network[]): 'allowed' | 'forbidden' {
  const parsed = ipaddr.process(withoutZone(address));
  if (nowhere.has(parsed.range())) return 'forbidden';
  const naming = listed.filter((network) => isContained(parsed, network));
  const guarded = delicate.find((network) => isContained(parsed, network));
  if (guarded)
    return naming.some(([start, bits]) => bits >= guarded[1] && isContained(start, guarded)) ? 'allowed' : 'forbidden';
  const behind = translatedFrom(parsed);
  if (behind && classOf(behind, listed) === 'forbidden') return 'forbidden';
  return naming.length > 0 || isPublic(parsed) ? 'allowed' : 'forbidden';
}

const isPublic = (address: Address) =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || isContained(address, global));

/** Whether an address, or the first of a network, lies in a network. */
export const isContained = (address: Address, [start, bits]: Network): boolean =>
  address.kind() === start.kind() && address.match(start, bits);

function translatedFrom(address: Address): string | undefined {
  const [, from] = translated.find(([network]) => isContained(address, network)) ?? [];
  return from === undefined
    ? undefined
    : address
        .toByteArray()
        .slice(from, from + 4)
        .join('.');
}
