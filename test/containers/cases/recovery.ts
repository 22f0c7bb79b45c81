import { rename } from 'node:fs/promises';
import { join } from 'node:path';

import { startInbox } from '@foyer/ticketing/simulators/inbox';
import { expect, it } from 'vitest';

import { logIn } from '../../support/fixtures/people.ts';
import { until } from '../../support/until.ts';
import { docker } from '../engine.ts';
import { untilHealthy } from '../installation.ts';
import { blocksOf, mainJob, MINUTES, platformPassword, processes, shared, timed } from '../shared.ts';
import { buy, statusOf } from '../visitors.ts';

const asSuperuser = (sql: string) =>
  `docker compose exec -T postgres psql --username postgres --tuples-only --no-align --command "${sql}"`;

export function isRecovered(): void {
  it(
    'goes back to a moment before a mistake, with what happened until then',
    async () => {
      const { here, sale, organization } = shared;
      const [archive = '', base = '', copy = '', putBack = '', recover = ''] = await blocksOf('Back to a moment', 5);
      await here.shell(archive);
      await untilHealthy(here, ...processes);
      await timed('base backup', () => here.shell(base));
      const kept = await buy(here, sale);
      const moment = await here.shell(asSuperuser('SELECT clock_timestamp()'));
      const lost = await buy(here, sale);
      // Of the archive, only its copy is left, as on another machine.
      await here.shell(`${asSuperuser('SELECT pg_switch_wal()')}
        until [ "$(${asSuperuser(`SELECT last_archived_time > '${moment}' FROM pg_stat_archiver`)})" = t ]; do sleep 1; done
        ${copy}
        docker compose exec -T postgres sh -c 'rm -rf /archive/*'
        ${putBack}`);
      await timed('recovery of a moment', () => here.shell(recover.replace(/^moment=.*$/m, `moment='${moment}'`)));
      await untilHealthy(here, ...processes);
      expect(await statusOf(here, organization, kept)).toBe('SUCCESS');
      await expect(statusOf(here, organization, lost)).rejects.toThrow();
      expect(await mainJob()).toContain('#EXTM3U');
    },
    15 * MINUTES,
  );
}

/** The simulator keeps in files what Zitadel keeps in its database. */
const ofSimulator = (what: string) =>
  `docker run --rm --interactive --user 0 --volumes-from "$(docker compose ps --all --quiet zitadel)" --entrypoint tar foyer ${what}`;

export function isRestored(): void {
  it(
    'is restored from its backup in an empty folder on an empty machine',
    async () => {
      const { here: lost, organization, orderNo, playlist } = shared;
      const [backup = '', restore = ''] = await blocksOf('Backup and restore', 2);
      await timed('backup', () => lost.shell(backup));
      await lost.shell(`${ofSimulator('--create --directory /state .')} > backup/simulator.tar`);
      await lost.shell('docker compose down --volumes');

      const here = await lost.another();
      await rename(join(lost.folder, 'backup'), join(here.folder, 'backup'));
      shared.here = here;
      const state = `${ofSimulator('--extract --directory /state')} < backup/simulator.tar`;
      await timed('restore', () => here.shell(restore.replace('docker compose up', `${state}\n$&`)));
      await untilHealthy(here, ...processes);
      expect(await here.shell('stat --format %a .env')).toBe('600');
      // The image was built in the folder of the backup.
      const secrets = 'ls -d /foyer/backup /foyer/.env 2>/dev/null || true';
      expect(await docker('run', '--rm', '--entrypoint', 'sh', 'foyer', '-c', secrets)).toBe('');
      await logIn(here, 'admin@foyer.test', 'PLATFORM', await platformPassword());
      expect(await statusOf(here, organization, orderNo)).toBe('SUCCESS');
      expect(await (await fetch(playlist)).text()).toContain('#EXTM3U');
      expect(await mainJob()).toContain('#EXTM3U');
    },
    20 * MINUTES,
  );
}

const SMTP_PORT = 4186;
const WEB_PORT = 4187;

export function runsWithServicesElsewhere(): void {
  it(
    'is understood by compose without any of the services beside it',
    async () => {
      const names = ['postgres', 'redis', 's3', 'zitadel', 'mailpit'];
      const reduced = [...names.map((removed) => names.filter((name) => name !== removed)), []];
      for (const profiles of reduced) {
        const listed = await shared.here.shell(
          `export COMPOSE_FILE=docker-compose.yml COMPOSE_PROFILES=${profiles.join(',')}
          docker compose config --quiet && docker compose config --services`,
        );
        expect(listed.split('\n').toSorted()).toEqual([...processes, 'migrate', 'proxy', ...profiles].toSorted());
      }
    },
    2 * MINUTES,
  );

  it(
    'runs without Redis and with a mail server elsewhere',
    async () => {
      const { here, sale } = shared;
      const folder = join(shared.folder, 'inbox');
      const inbox = await startInbox({ folder, host: '0.0.0.0', smtpPort: SMTP_PORT, webPort: WEB_PORT });
      try {
        await here.shell(`sed --in-place '/^COMPOSE_PROFILES=/d' .env
          printf '%s\\n' COMPOSE_PROFILES=postgres,s3,zitadel REDIS_URL= SMTP_URL=smtp://machine.test:${SMTP_PORT} >> .env
          docker compose up --detach --wait --remove-orphans
          docker compose rm --stop --force redis mailpit`);
        await untilHealthy(here, ...processes);
        expect(await here.shell('docker compose ps --services')).not.toMatch(/redis|mailpit/);
        shared.orderNo = await buy(here, sale);
        await until('the mail of an order', async () => {
          const mails = await fetch(`http://localhost:${WEB_PORT}/email`);
          return (await mails.text()).includes(shared.orderNo);
        });
      } finally {
        await inbox.stop();
      }
      expect(await mainJob()).toContain('#EXTM3U');
    },
    15 * MINUTES,
  );
}
