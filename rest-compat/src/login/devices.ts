import { getParser } from 'bowser';

import {
  LogoutDocument,
  MeDocument,
  RevokeOtherSessionsDocument,
  RevokeSessionDocument,
  SessionsDocument,
} from '../generated/operations.ts';
import type { Desk, Refused } from './desk.ts';
import { tagOf } from './language.ts';

const SHOWN = 100;

export async function showDevices(desk: Desk, refused?: Refused) {
  const { words, viewer, language, asked } = desk;
  if (viewer?.kind !== 'staff') return desk.leave('/login?redirect_uri=/login/devices');
  const [{ me }, { sessions }] = await Promise.all([
    desk.run(MeDocument, {}),
    desk.run(SessionsDocument, { first: SHOWN, offset: 0 }),
  ]);
  const when = new Intl.DateTimeFormat(tagOf[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Kuala_Lumpur',
  });
  return desk.show(
    'devices.eta',
    {
      lead: words.devices.lead(me.user.email ?? me.user.username ?? ''),
      notice: asked['notice'] === 'ended' ? words.devices.ended : undefined,
      devices: sessions.edges.map(({ node }) => ({
        ...node,
        device: deviceName(node.device),
        lastUsed: when.format(new Date(node.lastUsedAt)),
      })),
    },
    refused,
  );
}

export async function endDevice(desk: Desk) {
  try {
    await desk.run(RevokeSessionDocument, { id: desk.asked['id'] ?? '' });
    return desk.go('/login/devices', { notice: 'ended' });
  } catch (error) {
    return showDevices(desk, desk.explain(error));
  }
}

export async function endOtherDevices(desk: Desk) {
  try {
    await desk.run(RevokeOtherSessionsDocument, {});
    return desk.go('/login/devices', { notice: 'ended' });
  } catch (error) {
    return showDevices(desk, desk.explain(error));
  }
}

export async function signOut(desk: Desk) {
  await desk.run(LogoutDocument, { input: { accessTokenRequired: false } });
  return desk.go('/login', { notice: 'ended' });
}

/** "Chrome on Linux", where the User-Agent tells; else the beginning of it. */
function deviceName(userAgent: string): string {
  const { browser, os } = getParser(userAgent || ' ').getResult();
  const parts = [browser.name, os.name].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : userAgent.slice(0, 40) || '—';
}
