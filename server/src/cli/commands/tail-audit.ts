import { tailAudit } from '@foyer/identity/tail-audit';
import type { AuditEntry } from '@foyer/prisma/client';
import { z } from 'zod';

import { openDesk } from '../desk.ts';
import { withHouse } from '../reach.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

const Lines = z.coerce.number().int().min(0).max(10_000);

interface Options {
  follow?: boolean;
  lines?: string;
  companyCode?: string;
  action?: string;
}

/** `foyer audit tail`: the newest entries, and with `--follow` all that come. */
export async function tail(
  { env, signal, say }: Terminal,
  { follow, lines, companyCode, action }: Options,
): Promise<boolean> {
  const count = Lines.safeParse(lines);
  if (!count.success) throw new UsageError('--lines must be a number from 0 to 10000');
  return withHouse(env, ['database'], async (reached, later) => {
    const { db } = await openDesk(reached, later);
    const wish = { companyCode, action, lines: count.data, follow: follow ? signal : undefined };
    for await (const entry of tailAudit(db, wish)) say(entry, inWords(entry));
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
