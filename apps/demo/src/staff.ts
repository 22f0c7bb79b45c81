import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';

import { reasonOf } from './refusals.ts';
import { StaffNameDocument } from './generated/operations.ts';
import { forgetStaff, staffHint, staffName } from './sessions.ts';

type Client = ReturnType<typeof useApolloClient>;

const OLD_MS = 300_000;
/** When this page has asked last, and for which session. */
let asked: { at: number; hint: string | undefined } | undefined;

/** Whether somebody may be signed in, and nobody has asked about this session lately. Buyers cause no request. */
function isDue(): boolean {
  const hint = staffHint();
  if (hint === undefined && staffName.read() === undefined) return false;
  return asked === undefined || asked.hint !== hint || Date.now() - asked.at > OLD_MS;
}

async function ask(client: Client): Promise<void> {
  if (!isDue()) return;
  asked = { at: Date.now(), hint: staffHint() };
  try {
    const { data } = await client.query({ query: StaffNameDocument, fetchPolicy: 'network-only' });
    if (data?.me) staffName.write(data.me.user.name ?? data.me.organization.slug);
  } catch (error) {
    if (reasonOf(error) === 'UNAUTHENTICATED') forgetStaff();
  }
}

/**
 * Keeps the name of the member of staff who is signed in: it is asked for when a page opens, and when one is looked at again
 * after a while. So one who signed in elsewhere is known, and a session that ended elsewhere is forgotten.
 *
 * @param isAsked whether the page asks by itself
 */
export function useStaffCheck(isAsked: boolean): void {
  const client = useApolloClient();
  useEffect(() => {
    if (isAsked) return undefined;
    const look = () => void (document.visibilityState === 'visible' && ask(client));
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [client, isAsked]);
}
