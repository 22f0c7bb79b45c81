import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import type { ServerConfig } from '../config.ts';
import {
  envOf as environmentOf,
  composeText,
  newEnv,
  readers,
  root,
  scriptOf,
  servicesWith,
  type Service,
} from './testing/compose-file.ts';

let secrets: Record<string, string>;
let services: Record<string, Service>;

beforeAll(async () => {
  secrets = await newEnv();
  services = servicesWith(secrets);
});

const envOf = (name: string): NodeJS.ProcessEnv => environmentOf(services[name]);

describe('the containers of docker-compose.yml', () => {
  it('builds each image in one service, from a stage of the Dockerfile', () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    const built = Object.entries(services).flatMap(([name, { build, image }]) =>
      build ? [[name, image, build.target]] : [],
    );
    expect(built).toEqual([
      ['worker', 'foyer-worker', 'foyer-worker'],
      ['migrate', 'foyer', 'foyer'],
    ]);
    for (const [, , target] of built) expect(dockerfile).toMatch(new RegExp(`^FROM [\\w-]+ AS ${target}$`, 'm'));
  });

  it('gives up on a migration that fails again and again', () => {
    expect(services['migrate']?.restart).toBe('on-failure:3');
  });

  it('lets every service write to memory and its volumes only', () => {
    const written = Object.entries(services).map(([name, { tmpfs = [], volumes = [] }]) => {
      const volumesOf = volumes.filter((volume) => !volume.endsWith(':ro')).map((volume) => volume.split(':')[1] ?? '');
      return [name, [...tmpfs.map((path) => path.split(':')[0] ?? ''), ...volumesOf].toSorted()];
    });
    const process = ['/tmp', '/var/lib/foyer'];
    expect(Object.fromEntries(written)).toEqual({
      ...Object.fromEntries(Object.keys(readers).map((name) => [name, process])),
      proxy: ['/config', '/data', '/tmp'],
      postgres: ['/archive', '/docker-entrypoint-initdb.d', '/tmp', '/var/lib/postgresql', '/var/run/postgresql'],
      redis: ['/data', '/tmp'],
      s3: ['/data', '/tmp'],
      mailpit: ['/tmp'],
      zitadel: ['/run/zitadel', '/tmp'],
    });
    for (const [name, { read_only: isReadOnly }] of Object.entries(services))
      expect([name, isReadOnly]).toEqual([name, true]);
  });

  it('bounds processes, memory and log of every service', () => {
    for (const [name, { pids_limit: pids, mem_limit: memory, logging }] of Object.entries(services)) {
      expect([name, pids]).toEqual([name, expect.any(Number)]);
      expect([name, memory]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect([name, logging?.options]).toEqual([name, { 'max-size': '10m', 'max-file': '5' }]);
    }
  });

  it('copies no config of the file into a container, which compose can not where that is read-only', () => {
    expect(composeText).not.toMatch(/^ *configs:/m);
  });

  it('keeps films and parts of uploads on a disk, a folder for each process', () => {
    const folders = ['worker', 'upload'].map((name) => services[name]?.volumes?.find((at) => at.includes('/var/lib')));
    expect(folders).toEqual(['worker-work:/var/lib/foyer', 'upload-work:/var/lib/foyer']);
  });

  it('starts those that use the store after it, and so stops them before it', () => {
    expect(services['s3']?.healthcheck).toBeDefined();
    for (const name of ['media', 'worker', 'upload', 'migrate'])
      expect(services[name]?.depends_on?.['s3']).toEqual({ condition: 'service_healthy', required: false });
  });

  it('has every process of Foyer, two gateways behind a proxy, and all external services', () => {
    const outside = ['proxy', 'postgres', 'redis', 's3', 'mailpit', 'zitadel'];
    expect(Object.keys(services).toSorted()).toEqual([...Object.keys(readers), ...outside].toSorted());
    expect(services['gateway']?.deploy?.replicas).toBe(2);
  });

  it.each(Object.keys(readers))('runs the process %s from an existing file', (name) => {
    const [file = ''] = services[name]?.command ?? [];
    expect(existsSync(join(root, file))).toBe(true);
  });

  it('lets no client supervise the processes, choose a request id, or state its own address', () => {
    const lines = scriptOf(services['proxy']);
    expect(lines).toContain('@inside path /metrics /metrics/ /health/*');
    expect(lines).toContain('request_header X-Request-Id {http.request.uuid}');
    expect(lines).toContain('trusted_proxies static 127.0.0.1/32'); // unless PROXIES_IN_FRONT is set
    expect(lines.filter((line) => line.startsWith('reverse_proxy'))).toHaveLength(1);
    expect(lines).toContain('header_up X-Forwarded-For {client_ip}');
  });

  it('finds all replicas of gateways and upload servers, and tries another where one stops', () => {
    const lines = scriptOf(services['proxy']);
    expect(lines).toContain('import replicas gateway 4000');
    expect(lines).toContain('import replicas upload 4080');
    expect(lines).toContain('dynamic a {args[0]} {args[1]} {');
    expect(lines).toContain('lb_try_duration 5s');
  });

  it('has the files of /docs in its image, and neither secrets nor backups', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).not.toContain('docs');
    expect(ignored).toEqual(expect.arrayContaining(['backup', '**/.env', '**/.env.*', '**/*.pem', '**/*.key']));
  });

  it('asks again every two seconds while a service starts', () => {
    const checked = Object.entries(services).filter(([, { healthcheck }]) => healthcheck);
    for (const [name, { healthcheck: check }] of checked)
      expect([name, check?.start_period, check?.start_interval]).toEqual([name, '90s', '2s']);
    expect(Object.keys(services).filter((name) => !services[name]?.healthcheck)).toEqual(['migrate', 'mailpit']);
  });

  it('keeps all networks internal but those that are published or call other services', () => {
    const { networks } = parse(composeText) as { networks: Record<string, { internal?: boolean } | null> };
    const open = Object.keys(networks).filter((name) => !networks[name]?.internal);
    expect(open).toEqual(['edge', 'store', 'outside']);
  });

  it('gives no service a needless capability, and Foyer none', () => {
    for (const [name, { cap_drop: dropped, security_opt: options }] of Object.entries(services))
      expect({ name, dropped, options }).toEqual({ name, dropped: ['ALL'], options: ['no-new-privileges:true'] });
    for (const name of Object.keys(readers)) expect(services[name]?.cap_add).toBeUndefined();
  });

  it('connects each service to those that it calls, and no public one to a database', () => {
    const beside = (name: string) =>
      Object.keys(services).filter(
        (other) =>
          other !== name && services[other]?.networks?.some((each) => services[name]?.networks?.includes(each)),
      );
    expect(beside('proxy')).toEqual(['gateway', 'upload']);
    expect(beside('s3')).toEqual(['ticketing', 'media', 'worker', 'upload', 'migrate']);
    expect(beside('mailpit')).toEqual(['identity', 'ticketing', 'worker', 'migrate', 'zitadel']);
    expect(beside('redis')).toEqual(Object.keys(readers));
    const withDatabase = Object.keys(readers).filter((name) => name !== 'gateway');
    expect(beside('postgres')).toEqual([...withDatabase, 'zitadel']);
  });

  it('sets a password for Redis', () => {
    expect(envOf('gateway')['REDIS_URL']).toBe(`redis://:${secrets['REDIS_PASSWORD']}@redis:6379`);
    expect(scriptOf(services['redis'])).toContain('requirepass $$REDIS_PASSWORD'); // a line of its configuration
    expect(envOf('redis')).toEqual({
      REDIS_PASSWORD: secrets['REDIS_PASSWORD'],
      REDISCLI_AUTH: secrets['REDIS_PASSWORD'],
    });
  });

  it('pins the version of every image, and of pnpm', () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    expect(dockerfile).toMatch(/^FROM node:\d+\.\d+\.\d+-\w+-slim AS base$/m);
    expect(dockerfile).toMatch(/ pnpm@\d+\.\d+\.\d+$/m);
    const images = Object.values(services).map(({ image }) => image);
    for (const image of images.filter((image) => !image.startsWith('foyer'))) expect(image).toMatch(/:v?\d+[\w.-]*$/);
  });

  it.each(Object.keys(readers).filter((name) => name !== 'migrate'))(
    'checks the health of %s, gives it the time to stop, and starts it on a ready database',
    (name) => {
      const { healthcheck, stop_grace_period: grace, depends_on: waitsFor } = services[name] ?? {};
      const [read = () => ({})] = readers[name] ?? [];
      const { shutdownDelayMs, drainMs } = read({ ...envOf(name), MEDIA_DIR: '/var' }) as ServerConfig;
      expect(healthcheck?.test.join(' ')).toContain('/health/ready');
      expect([healthcheck?.start_period, healthcheck?.start_interval]).toEqual(['90s', '2s']);
      const stoppingMs = shutdownDelayMs + drainMs + 11_000; // what a process may take (shared/src/process/run.ts)
      expect(1_000 * Number(/^(\d+)s$/.exec(grace ?? '')?.[1])).toBeGreaterThanOrEqual(stoppingMs);
      expect(waitsFor?.['migrate']?.condition).toBe('service_completed_successfully');
    },
  );
});
