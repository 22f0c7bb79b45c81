import { randomUUID } from 'node:crypto';

import { readConfig } from '@foyer/identity/config';
import { identityProvider } from '@foyer/identity/identity-provider';
import { reconcile, type Reconciliation } from '@foyer/identity/reconcile';

import { OPERATOR, openDesk } from '../desk.ts';
import { withHouse } from '../reach.ts';
import type { Terminal } from '../terminal.ts';

/** `foyer reconcile`: aligns our people with those of the identity provider. */
export const reconcilePeople = (terminal: Terminal, { dryRun }: { dryRun: boolean }): Promise<boolean> =>
  // Identity reads its configuration as a whole, the mail server included.
  withHouse(terminal.env, ['database', 'identityProvider', 'mail'], async (reached, later) => {
    const desk = await openDesk(reached, later);
    const progress = terminal.progress('organizations');
    const report = await reconcile(
      {
        ...desk,
        viewer: { kind: 'service' },
        client: { address: 'console', userAgent: 'foyer' },
        requestId: randomUUID(),
        identityProvider: identityProvider({ ...readConfig(reached.env).identityProvider, log: desk.log }),
        actor: OPERATOR,
        progress: progress.to,
      },
      { dryRun },
    ).finally(progress.end);
    terminal.say(report, inWords(report));
    return true;
  });

function inWords(report: Reconciliation): string {
  const { dryRun, organizations, unchanged } = report;
  const lines = (['created', 'activated', 'updated', 'elsewhere', 'missing'] as const).flatMap((verdict) =>
    report[verdict].map(({ email, was }) => `  ${verdict.padEnd(10)} ${email}${was ? ` (was ${was})` : ''}`),
  );
  const head = `${organizations} organizations, ${unchanged} people unchanged, ${lines.length} not`;
  return [dryRun ? `${head}; nothing was changed (dry run)` : head, ...lines].join('\n');
}
