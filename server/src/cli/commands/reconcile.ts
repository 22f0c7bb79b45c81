import { randomUUID } from 'node:crypto';

import { readConfig } from '@foyer/identity/config';
import { identityProvider } from '@foyer/identity/identity-provider';
import { reconcile, type Reconciliation } from '@foyer/identity/reconcile';
import { openErrorLog } from '@foyer/shared/telemetry/log';

import { OPERATOR, openOperatorContext } from '../operator/operator-context.ts';
import { withInstallation } from '../operator/installation.ts';
import type { Terminal } from '../operator/terminal.ts';

/** `foyer reconcile`: aligns our users with those of the identity provider. */
export const reconcileUsers = (terminal: Terminal, { dryRun }: { dryRun: boolean }): Promise<boolean> =>
  // Identity reads its whole configuration, the mail server included.
  withInstallation(terminal.env, ['database', 'identityProvider', 'mail'], async (installation, stack) => {
    const context = await openOperatorContext(installation, stack);
    const progress = terminal.progress('organizations');
    const report = await reconcile(
      {
        ...context,
        viewer: { kind: 'service' },
        client: { address: 'console', userAgent: 'foyer' },
        requestId: randomUUID(),
        identityProvider: identityProvider({
          ...readConfig(installation.env).identityProvider,
          log: openErrorLog(installation.config.logLevel), // such as a token that can't be read
        }),
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
