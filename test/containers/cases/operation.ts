import { expect, it } from 'vitest';

import { docker } from '../engine.ts';
import { untilHealthy } from '../installation.ts';
import { whileUsing } from '../load.ts';
import { blocksOf, figures, MINUTES, processes, shared, timed } from '../shared.ts';
import { statusOf } from '../visitors.ts';

/** What is replaced while the others go on. */
const replaced = ['identity', 'ticketing', 'media', 'upload', 'gateway', 'worker'];

export function isDeployed(): void {
  it(
    'gets a new version without a failed request',
    async () => {
      const { here } = shared;
      const containers = async () => (await Promise.all(replaced.map((service) => here.containers(service)))).flat();
      const old = await containers();
      const marker = 'server/src/new-version.txt';
      await here.shell(`echo 2 > ${marker}`);
      const [deploy = ''] = await blocksOf('A new version without a failed request', 1);
      const { counts, failures } = await whileUsing(shared, () => here.shell(deploy));
      const done = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
      figures.push(`new version: ${failures.length} failures of ${done.join(', ')}`);
      expect(failures).toEqual([]);
      for (const [kind, count] of Object.entries(counts)) expect([kind, count > 0]).toEqual([kind, true]);
      const now = await containers();
      expect(now.length).toBe(old.length);
      expect(now.filter((container) => old.includes(container))).toEqual([]);
      for (const service of replaced)
        expect([service, await here.shell(`docker compose exec -T ${service} cat ${marker}`)]).toEqual([service, '2']);
      await untilHealthy(here, ...processes);
    },
    20 * MINUTES,
  );
}

/** When the last container of a service ended. */
async function endOf(service: string): Promise<number> {
  const containers = (await shared.here.shell(`docker compose ps --all --quiet ${service}`)).split('\n');
  const ends = await docker('inspect', '--format', '{{.State.FinishedAt}}', ...containers);
  return Math.max(...ends.split('\n').map((end) => Date.parse(end)));
}

export function isStoppedAndStarted(): void {
  it(
    'stops the proxy and the gateways first, and the store and the database after all that use them',
    async () => {
      await shared.here.shell('docker compose stop');
      const ends = Object.fromEntries(
        await Promise.all(
          ['proxy', ...processes, 'postgres', 's3'].map(async (service) => [service, await endOf(service)] as const),
        ),
      );
      const isBefore = (first: string, second: string) => (ends[first] ?? Infinity) <= (ends[second] ?? 0);
      for (const service of ['media', 'worker', 'upload'])
        expect([service, isBefore(service, 's3')]).toEqual([service, true]);
      for (const service of processes) expect([service, isBefore(service, 'postgres')]).toEqual([service, true]);
      expect(isBefore('proxy', 'gateway')).toBe(true);
      for (const service of ['identity', 'ticketing', 'media']) expect(isBefore('gateway', service)).toBe(true);
    },
    5 * MINUTES,
  );

  it(
    'has everything again after a start',
    async () => {
      const { here, organization, orderNo, playlist } = shared;
      await timed('start', async () => {
        await here.shell('docker compose start');
        await untilHealthy(here, ...processes);
      });
      expect(await statusOf(here, organization, orderNo)).toBe('SUCCESS');
      expect((await fetch(playlist)).status).toBe(200);
    },
    10 * MINUTES,
  );
}

export function namesTheCauseOfAFailedMigration(): void {
  it(
    'ends a start whose migration fails, with the cause in its log',
    async () => {
      const { here } = shared;
      // The first migration is not recorded, so it is tried again, and what it makes is there already.
      const forget = `DELETE FROM public._prisma_migrations
        WHERE migration_name = (SELECT min(migration_name) FROM public._prisma_migrations)`;
      await here.shell(`docker compose exec -T postgres psql --username postgres --dbname foyer --command "${forget}"`);
      await here.shell('docker compose rm --stop --force worker migrate');
      expect(await here.shell('docker compose up --detach worker 2>&1 && echo started || true')).toMatch(
        /"migrate" didn't complete successfully/,
      );
      const log = await here.shell('docker compose logs --no-log-prefix migrate');
      expect(log.split('\n').at(-1)).toMatch(/already exists/);
    },
    10 * MINUTES,
  );
}
