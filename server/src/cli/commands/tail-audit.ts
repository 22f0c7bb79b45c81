import { tailAudit } from '@foyer/identity/tail-audit';
import type { AuditEntry } from '@foyer/prisma/client';
import { z } from 'zod';

import { openOperatorContext } from '../operator/operator-context.ts';
import { withInstallation } from '../operator/installation.ts';
import type { Terminal } from '../operator/terminal.ts';
import { UsageError } from '../operator/usage-error.ts';

const Lines = z.coerce.number().int().min(0).max(10_000);

interface Options {
  follow?: boolean;
  lines?: string;
  companyCode?: string;
  action?: string;
}

/** `foyer audit tail`: prints the newest entries, and with `--follow` new ones as they are written. */
export async function tail(
  { env, signal, say }: Terminal,
  { follow, lines, companyCode, action }: Options,
): Promise<boolean> {
  const count = Lines.safeParse(lines);
  if (!count.success) throw new UsageError('--lines must be a number from 0 to 10000');
  return withInstallation(env, ['database'], async (installation, stack) => {
    const { db } = await openOperatorContext(installation, stack);
    const query = { companyCode, action, lines: count.data, follow: follow ? signal : undefined };
    for await (const entry of tailAudit(db, query)) say(entry, inWords(entry));
    return true;
  });
}

function inWords({ at, actorId, action, targetKind, targetId, outcome, reason, address }: AuditEntry): string {
  const target = targetKind ? `${targetKind} ${targetId}` : '';
  const why = [outcome === 'refused' && 'refused', reason].filter(Boolean).join(': ');
  return [at.toISOString(), action, target, `by ${actorId ?? 'nobody known'}`, address && `from ${address}`, why]
    .filter(Boolean)
    .join('  ');
}
