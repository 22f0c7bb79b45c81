import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

import ipaddr from 'ipaddr.js';
import { z } from 'zod';

import { problemOfName, type AddressProblem } from './address.ts';
import { inOneForm, classOf } from './address-classes.ts';
import type { Service } from '../../config/own-services.ts';

/** Finds all addresses of a name, as `dns.promises.lookup` does. */
export type Lookup = (hostname: string, options: LookupAllOptions) => Promise<LookupAddress[]>;

interface Settings {
  /** Networks outside the public internet that are allowed, such as `10.20.0.0/16`. */
  networks: readonly string[];
  /** The addresses of Foyer's own services, which are forbidden in every network. */
  services: readonly Service[];
  resolve?: Lookup;
}

declare const judged: unique symbol;

/** An address that a policy has allowed; only a policy makes one. */
export interface JudgedAddress extends LookupAddress {
  readonly [judged]: true;
}

/** The policy for requests to hosts that users have entered: a node, an organization's mail server. */
export interface AddressPolicy {
  /**
   * Returns what is wrong with a host that a user registers; undefined when nothing is. A host is a bare name or IP
   * address, without scheme, port, path or user. The addresses of a name are checked when it is connected to.
   */
  problemOf(host: string): AddressProblem | undefined;
  /**
   * Looks a host up, once, and checks every address. The caller must connect to one of these.
   *
   * @throws {AddressForbidden} when one of them is forbidden
   * @throws {Error} of the lookup
   */
  addressesOf(host: string, port: number): Promise<[JudgedAddress, ...JudgedAddress[]]>;
}

const LOOKUP_TIMEOUT_MS = 5_000;

/** The networks of nodes in development: this machine, and the private networks. */
export const loopback = ['127.0.0.0/8', '::1/128'] as const;
export const developmentNetworks = [...loopback, '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'] as const;

/** Thrown instead of connecting. */
export class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';

  constructor(address: string) {
    super(`connections to ${address} are not allowed`);
  }
}

/** The policy for every connection to an address that an operator or a user has given. */
export function openAddressPolicy({ networks, services, resolve = lookup }: Settings): AddressPolicy {
  const listed = networks.map((network) => ipaddr.parseCIDR(network));
  const mayReach = (address: string) => classOf(address, listed) === 'allowed';
  const isOwn = ownServices(services, resolve);

  return {
    problemOf(host) {
      if (isIP(host)) return mayReach(host) ? undefined : 'forbidden';
      return problemOfName(host) ?? (isThisMachine(host) && !mayReach('127.0.0.1') ? 'forbidden' : undefined);
    },
    async addressesOf(host, port) {
      const [first, ...others] = isIP(host) ? [literal(host)] : await inTime(resolve(host, { all: true }), host);
      if (!first) throw new AddressForbidden(host);
      for (const { address } of [first, ...others])
        if (!mayReach(address) || (await isOwn(address, port))) throw new AddressForbidden(address);
      return [first, ...others] as [JudgedAddress, ...JudgedAddress[]];
    },
  };
}

const everything = ['0.0.0.0/0', '::/0'].map((network) => ipaddr.parseCIDR(network));

/** What is wrong with a host under every policy; undefined when it depends on the policy, or nothing is. */
export const problemOfHost = (host: string): AddressProblem | undefined =>
  isIP(host) ? (classOf(host, everything) === 'allowed' ? undefined : 'forbidden') : problemOfName(host);

const literal = (address: string): LookupAddress => ({ address, family: isIP(address) });

/** A name server that does not answer counts as one that does not know the name. */
async function inTime<Answer>(lookup: Promise<Answer>, host: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = Object.assign(new Error(`looking ${host} up took too long`), { code: 'EAI_AGAIN' });
    timer = setTimeout(() => reject(error), LOOKUP_TIMEOUT_MS).unref();
  });
  return Promise.race([lookup, late]).finally(() => clearTimeout(timer));
}

/** Whether an address and port are a service of Foyer's own, under whatever name or address a request names it. */
function ownServices(services: readonly Service[], resolve: Lookup) {
  /** The last addresses of each service, which count while its name can't be looked up. */
  const found = new Map<string, string[]>();
  const addressesOf = async (host: string) => {
    if (isIP(host)) return [host];
    const now = await inTime(resolve(host, { all: true }), host).catch(() => undefined);
    if (now)
      found.set(
        host,
        now.map(({ address }) => address),
      );
    return found.get(host) ?? [];
  };
  return async (address: string, port: number): Promise<boolean> => {
    const normalized = inOneForm(address);
    for (const service of services) {
      if (service.port !== port) continue;
      const own = (await addressesOf(service.host)).map(inOneForm);
      if (own.includes(normalized) || (isHere(normalized) && own.some(isHere))) return true;
    }
    return false;
  };
}

/** Whether an address is one of this machine: a service that listens on one of them may listen on all. */
function isHere(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (['loopback', 'unspecified'].includes(parsed.range())) return true;
  return Object.values(networkInterfaces()).some((own) => own?.some((at) => inOneForm(at.address) === address));
}

/** Whether the name of a host means this machine. */
export const isThisMachine = (host: string): boolean =>
  isIP(host) ? isHere(inOneForm(host)) : /(^|\.)localhost$/i.test(host);

/** A variable that names networks: `10.20.0.0/16, fd12::/48`, or bare addresses; `none` for none. */
export const networkList = z
  .string()
  .transform((text) => (text.trim() === 'none' ? [] : text.split(',').map((each) => each.trim())))
  .pipe(z.array(z.string().transform(asNetwork)));

function asNetwork(text: string, context: z.RefinementCtx): string {
  const network = isIP(text) ? `${text}/${isIP(text) === 4 ? 32 : 128}` : text;
  if (ipaddr.isValidCIDR(network) && isIP(network.replace(/\/\d+$/, ''))) return network;
  context.addIssue({ code: 'custom', message: 'must be networks such as 10.20.0.0/16, separated by commas, or none' });
  return z.NEVER;
}
