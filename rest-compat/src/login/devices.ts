import { getParser } from 'bowser';

import { answered } from '../answered.ts';
import {
  LogoutDocument,
  MeDocument,
  RevokeOtherSessionsDocument,
  RevokeSessionDocument,
  SessionsDocument,
} from '../generated/operations.ts';
import { tokensOf } from '../refresh-cookies.ts';
import type { PageContext, Refused } from './page-context.ts';
import { tagOf } from '@foyer/shared/http/language';

const SHOWN = 100;

export async function showDevices(context: PageContext, refused?: Refused) {
  const { words, viewer, language, params } = context;
  if (viewer?.kind !== 'staff') return context.leave('/login?redirect_uri=/login/devices');
  const [{ me }, { sessions }] = await Promise.all([
    context.run(MeDocument, {}),
    context.run(SessionsDocument, { first: SHOWN, offset: 0 }),
  ]);
  const { user } = answered(me);
  const when = new Intl.DateTimeFormat(tagOf[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Kuala_Lumpur',
  });
  return context.show(
    'devices.eta',
    {
      lead: words.devices.lead(user.email ?? user.username ?? ''),
      notice: params['notice'] === 'ended' ? words.devices.ended : undefined,
      devices: answered(sessions).edges.map(({ node }) => ({
        ...node,
        device: deviceName(node.device),
        lastUsed: when.format(new Date(node.lastUsedAt)),
      })),
    },
    refused,
  );
}

export async function endDevice(context: PageContext) {
  try {
    await context.run(RevokeSessionDocument, { id: context.params['id'] ?? '' });
    return context.go('/login/devices', { notice: 'ended' });
  } catch (error) {
    return showDevices(context, context.explain(error));
  }
}

export async function endOtherDevices(context: PageContext) {
  try {
    await context.run(RevokeOtherSessionsDocument, {});
    return context.go('/login/devices', { notice: 'ended' });
  } catch (error) {
    return showDevices(context, context.explain(error));
  }
}

/** Ends the session, also by the refresh token alone. Without either it has ended before, in another tab for example. */
export async function logout(context: PageContext) {
  try {
    await context.run(LogoutDocument, { input: { ...tokensOf(context.refreshTokens), accessTokenRequired: false } });
  } catch (error) {
    if (context.explain(error).code !== 'UNAUTHENTICATED') throw error;
  }
  return context.go('/login', { notice: 'ended' });
}

/** "Chrome on Linux", where the User-Agent tells; else the beginning of it. */
function deviceName(userAgent: string): string {
  const { browser, os } = getParser(userAgent || ' ').getResult();
  const parts = [browser.name, os.name].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : userAgent.slice(0, 40) || '—';
}
