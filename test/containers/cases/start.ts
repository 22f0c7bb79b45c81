import { stat } from 'node:fs/promises';
import { loadavg } from 'node:os';

import { expect, it } from 'vitest';

import { createOrganization } from '../../support/fixtures/organization.ts';
import { until } from '../../support/until.ts';
import { docker } from '../engine.ts';
import { prepare, startOf, untilHealthy } from '../installation.ts';
import { blocksOf, figures, mainJob, MINUTES, platformPassword, processes, shared, timed } from '../shared.ts';
import { film, openSale } from '../visitors.ts';

interface Report {
  findings: { state: string }[];
}

const hasFailed = ({ state }: Report['findings'][number]) => state === 'failed';

export function comesUp(): void {
  it(
    'comes up from an empty machine by the commands of the document, and moves to the ports that .env names',
    async () => {
      shared.here = await prepare();
      const { here } = shared;
      const [withNode = '', withoutNode = '', start = ''] = await blocksOf('In containers', 3);
      for (const newSecrets of [withNode, `rm --force .env\n${withoutNode}`]) {
        await here.shell(newSecrets);
        expect(await here.shell('stat --format %a .env')).toBe('600');
      }
      await timed('up', () => here.shell(start));
      expect((await fetch(here.url)).status).toBe(200);

      shared.organization = await createOrganization(here, await platformPassword());
      shared.sale = await openSale(here, shared.organization);
      const file = await film(shared.folder);
      shared.video = { file, size: (await stat(file)).size };
    },
    20 * MINUTES,
  );

  it(
    'writes nothing into the log of the proxy when its health is checked',
    async () => {
      const { here } = shared;
      const [proxy = ''] = await here.containers('proxy');
      const begun = new Date().toISOString();
      const checks = new Set<string>();
      await until('two checks', async () => {
        const listed = await docker('inspect', '--format', '{{range .State.Health.Log}}{{.Start}}|{{end}}', proxy);
        return checks.add(listed).size > 2;
      });
      expect(await here.shell(`docker compose logs --no-log-prefix --since ${begun} proxy`)).not.toContain('admin');
    },
    5 * MINUTES,
  );

  it(
    'sells tickets, and processes and plays films',
    async () => {
      expect(await mainJob()).toContain('#EXTM3U');
    },
    5 * MINUTES,
  );

  it(
    'is found right by foyer doctor, in each process',
    async () => {
      for (const service of processes) {
        const command = `docker compose exec -T ${service} node server/src/cli/main.ts doctor --json || true`;
        // A service that does not answer in time may do so later.
        await expect
          .poll(async () => (JSON.parse(await shared.here.shell(command)) as Report).findings.filter(hasFailed), {
            timeout: 10 * MINUTES,
            interval: 1_000,
          })
          .toEqual([]);
      }
    },
    30 * MINUTES,
  );
}

export function runsInBounds(): void {
  it(
    'runs as a role that changes no table, and without a privilege',
    async () => {
      const { here } = shared;
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
      for (const service of ['proxy', 'postgres', 'redis', 's3', 'mailpit', 'zitadel']) {
        const tried = `docker compose exec -T --user 0 ${service} sh -c 'touch /usr/x 2>&1 || true'`;
        expect([service, await here.shell(tried)]).toEqual([service, expect.stringContaining('Read-only file system')]);
      }
    },
    2 * MINUTES,
  );

  it(
    'has no connection of a gateway in its database, whose password no gateway has',
    async () => {
      const { here } = shared;
      const connected = await here.shell(
        `docker compose exec -T postgres psql --username postgres --tuples-only --no-align --command \
          "SELECT DISTINCT host(client_addr) FROM pg_stat_activity WHERE datname = 'foyer' AND client_addr IS NOT NULL"`,
      );
      const clients = new Set(connected.split('\n'));
      const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
      const isConnected = async (service: string) => {
        const addresses = await docker('inspect', '--format', format, ...(await here.containers(service)));
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
}

/** How long a start may take until the process is ready. */
const MOST_SECONDS = 3;
/**
 * The same in starts of Node for an empty script, each of which takes 0.05 s of CPU on a slow core. For a machine that does other
 * things as well: there the clock says little.
 */
const MOST_EMPTY_SCRIPTS = 60;

export function startsQuickly(): void {
  it(
    'has each process back after at most three seconds, or their CPU on a busy machine, when it alone starts',
    async () => {
      const starts: { service: string; seconds: number; emptyScripts: number }[] = [];
      for (const service of processes) {
        const { seconds, cpuSeconds, emptyScripts } = await startOf(shared.here, service);
        starts.push({ service, seconds, emptyScripts });
        const [load = 0] = loadavg();
        const costs = `${cpuSeconds.toFixed(1)} s of CPU, as ${emptyScripts.toFixed(0)} empty scripts`;
        figures.push(
          `${service}, started alone: ready after ${seconds.toFixed(1)} s, ${costs} (load ${load.toFixed(1)})`,
        );
      }
      await untilHealthy(shared.here, ...processes);
      expect((await fetch(shared.here.url)).status).toBe(200);
      const isSlow = ({ seconds, emptyScripts }: (typeof starts)[number]) =>
        seconds > MOST_SECONDS && emptyScripts > MOST_EMPTY_SCRIPTS;
      expect(starts.filter(isSlow)).toEqual([]);
    },
    10 * MINUTES,
  );
}
