import { expect, it } from 'vitest';

import { until } from '../../support/until.ts';
import { docker } from '../engine.ts';
import { untilHealthy } from '../installation.ts';
import { whileBrowsing } from '../load.ts';
import { figures, mainJob, MINUTES, processes, shared } from '../shared.ts';

export function losesProcessesAndServices(): void {
  it(
    'takes each process back after kill -9, and works on',
    async () => {
      for (const service of processes) {
        const [container = ''] = await shared.here.containers(service);
        const restarts = async () => Number(await docker('inspect', '--format', '{{.RestartCount}}', container));
        const before = await restarts();
        const { count, failures } = await whileBrowsing(shared.here, async () => {
          await shared.here.shell(`docker compose exec -T ${service} sh -c 'kill -9 -1' || true`);
          await until(
            `${service} again`,
            async () =>
              (await restarts()) > before &&
              (await docker('inspect', '--format', '{{.State.Health.Status}}', container)) === 'healthy',
            { timeoutMs: 600_000 },
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
        const { count, failures } = await whileBrowsing(shared.here, async () => {
          await shared.here.shell(`docker compose restart --timeout 5 ${service}`);
          await untilHealthy(shared.here, service, ...processes);
        });
        figures.push(`restart of ${service}: ${failures.length} of ${count} requests failed`);
      }
      expect(await mainJob()).toContain('#EXTM3U');
    },
    15 * MINUTES,
  );
}
