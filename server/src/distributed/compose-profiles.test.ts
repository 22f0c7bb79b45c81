import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readConfig as readIdentityConfig } from '@foyer/identity/config';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';
import { beforeAll, describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { envOf, newEnv, readers, root, servicesWith } from './testing/compose-file.ts';

/** What an operator sets who has a service elsewhere. */
const elsewhere: Readonly<Record<string, Record<string, string>>> = {
  postgres: {
    DATABASE_URL: 'postgresql://foyer:1@db.example:5432/foyer',
    MIGRATE_DATABASE_URL: 'postgresql://foyer_owner:2@db.example:5432/foyer',
  },
  redis: { REDIS_URL: 'rediss://:3@cache.example:6380' },
  s3: {
    S3_ENDPOINT: 'https://s3.example',
    S3_PUBLIC_ENDPOINT: 'https://media.example',
    S3_ACCESS_KEY: 'key',
    S3_SECRET_KEY: 'secret',
    S3_REGION: 'ap-southeast-1',
  },
  zitadel: {
    IDP_URL: 'https://login.example',
    IDP_INSTANCE_HOST: 'login.example',
    IDP_PAT: 'token',
    IDP_PLATFORM_ORG_NAME: 'Foyer',
    IDP_ADMIN_LOGIN_NAME: 'admin@login.example',
  },
  mailpit: { SMTP_URL: 'smtps://user:4@mail.example:465', MAIL_FROM: 'Foyer <no-reply@mail.example>' },
};

const names = Object.keys(elsewhere);
let env: Record<string, string>;

beforeAll(async () => {
  env = await newEnv();
});

/** The `.env` of an installation that runs only some of the services beside Foyer. */
const without = (...removed: string[]) => ({
  ...env,
  ...Object.assign({}, ...removed.map((name) => elsewhere[name])),
  COMPOSE_PROFILES: names.filter((name) => !removed.includes(name)).join(','),
});

describe('docker-compose.yml with services of your own', () => {
  it.each([...names.map((name) => [name]), names])('runs without %s', (...removed) => {
    const services = servicesWith(without(...removed));
    expect(Object.keys(services).toSorted()).toEqual(
      [...Object.keys(readers), 'proxy', ...names.filter((name) => !removed.includes(name))].toSorted(),
    );
    for (const [name, { depends_on: waitsFor = {} }] of Object.entries(services))
      for (const [other, { required }] of Object.entries(waitsFor))
        expect([name, other, other in services || required === false]).toEqual([name, other, true]);
    for (const [name, read] of Object.entries(readers).flatMap(([each, all]) => all.map((one) => [each, one] as const)))
      expect(() => read({ ...envOf(services[name]), MEDIA_DIR: '/var/lib/foyer/media' })).not.toThrow();
  });

  it.each(names)('has no address of %s then, but the one that says where nobody may connect to', (removed) => {
    const services = servicesWith(without(removed));
    for (const name of Object.keys(readers)) {
      const { OWN_SERVICES: _, ...own } = envOf(services[name]);
      expect(Object.entries(own).filter(([, value]) => value?.match(new RegExp(`(//|@)${removed}:`)))).toEqual([]);
    }
  });

  it('uses the services that are named instead', () => {
    const services = servicesWith(without(...names));
    const worker = envOf(services['worker']);
    expect(readConfig(worker)).toMatchObject({
      databaseUrl: elsewhere['postgres']?.['DATABASE_URL'],
      redisUrl: elsewhere['redis']?.['REDIS_URL'],
      smtpUrl: elsewhere['mailpit']?.['SMTP_URL'],
    });
    expect(envOf(services['migrate'])['DATABASE_URL']).toBe(elsewhere['postgres']?.['MIGRATE_DATABASE_URL']);
    expect(readIdentityConfig(worker).identityProvider).toMatchObject({
      url: new URL('https://login.example'),
      token: 'token',
    });
    expect(readTicketingConfig(worker).receipts.s3?.endpoint.host).toBe('s3.example');
    expect(envOf(services['media'])['S3_PUBLIC_ENDPOINT']).toBe('https://media.example');
  });

  it('works without any Redis, where REDIS_URL is empty', () => {
    const services = servicesWith({ ...without('redis'), REDIS_URL: '' });
    expect(readConfig(envOf(services['worker'])).redisUrl).toBeUndefined();
  });

  it('documents these variables', () => {
    const text = readFileSync(join(root, 'docs/operations.md'), 'utf8');
    const [, chapter = ''] = text.split('#### Services of your own\n');
    const rows = chapter.split('\n## ')[0]?.split('\n') ?? [];
    for (const [name, variables] of Object.entries(elsewhere)) {
      const row = rows.find((line) => line.startsWith(`| \`${name}\``)) ?? '';
      expect([name, Object.keys(variables).filter((variable) => !row.includes(`\`${variable}\``))]).toEqual([name, []]);
    }
  });
});
