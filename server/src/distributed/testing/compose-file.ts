import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { readConfig as readIdentityConfig, readCustomerDirectoryConfig } from '@foyer/identity/config';
import { readConfig as readMediaConfig } from '@foyer/media/config';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';
import { parse } from 'yaml';

import { runProgram } from '../../cli/program.ts';
import { readConfig } from '../../config.ts';
import { readersOf } from '../roles.ts';

export const root: string = join(import.meta.dirname, '../../../..');
export const composeText: string = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

export interface Service {
  image: string;
  build?: { context: string; target: string };
  profiles?: string[];
  restart?: string;
  read_only?: boolean;
  tmpfs?: string[];
  volumes?: string[];
  pids_limit?: number;
  mem_limit?: string;
  logging?: { driver: string; options: Record<string, string> };
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string | number>;
  ports?: string[];
  deploy?: { replicas: number };
  networks?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  healthcheck?: { test: string[]; start_period?: string; start_interval?: string };
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string; required?: boolean }>;
}

/** The processes of Foyer among the services, and what reads their variables. */
export const readers: Record<string, readonly ((env: NodeJS.ProcessEnv) => unknown)[]> = {
  ...readersOf,
  migrate: [readConfig, readIdentityConfig, readTicketingConfig, readCustomerDirectoryConfig, readMediaConfig],
};

/** The `.env` that `foyer secrets` makes, with the one address that it can not know. */
export async function newEnv(): Promise<Record<string, string>> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  await runProgram(['secrets', '--json'], { env: {}, out, err, signal: new AbortController().signal });
  out.end();
  const secrets = JSON.parse(await text(out)) as Record<string, string>;
  return { ...secrets, PAYMENT_GATEWAY_URL: 'https://gateway.bank.example' };
}

/** The services of docker-compose.yml as compose starts them with this `.env`: those of its profiles, with its values. */
export function servicesWith(given: Record<string, string>): Record<string, Service> {
  const merged: unknown = parse(composeText, { merge: true });
  const { services } = JSON.parse(JSON.stringify(merged), (_key, value: unknown) =>
    typeof value === 'string' ? interpolated(value, given) : value,
  ) as { services: Record<string, Service> };
  const profiles = (given['COMPOSE_PROFILES'] ?? '').split(',');
  return Object.fromEntries(
    Object.entries(services).filter(([, own]) => !own.profiles || own.profiles.some((each) => profiles.includes(each))),
  );
}

/** The environment of a service. */
export const envOf = (service: Service | undefined): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(service?.environment ?? {}).map(([key, value]) => [key, String(value)]));

/** The lines of the script that a service starts with. */
export const scriptOf = (service: Service | undefined): string[] =>
  ((service?.entrypoint ?? service?.command)?.[2] ?? '').split('\n').map((line) => line.trim());

const VARIABLE = /(?<!\$)\$\{(\w+)(?:(:?[-?])([^{}]*))?\}/g;

/** Substitutes variables as compose does: `${NAME:-otherwise}`, also nested, and `${NAME:?}` for required ones. */
function interpolated(value: string, given: Record<string, string>): string {
  const done = value.replaceAll(VARIABLE, (_all, name: string, how = '', otherwise = '') => {
    const found = String(how).startsWith(':') ? given[name] || undefined : given[name];
    if (found !== undefined) return found;
    if (String(how).endsWith('-')) return String(otherwise);
    throw new Error(`${name} is not set`);
  });
  return done === value ? done : interpolated(done, given);
}
