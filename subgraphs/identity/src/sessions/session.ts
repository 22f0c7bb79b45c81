import type { RefreshSession } from '@foyer/prisma/client';

/** A session as its owner sees it. */
export interface SeenSession {
  id: string;
  platform: 'WEB' | 'MOBILE';
  device: string;
  address: string;
  createdAt: string;
  lastUsedAt: string;
  expiresAt: string;
  /** Whether it is the session of this request. */
  current: boolean;
}

export const seen = (session: RefreshSession, currentId: string): SeenSession => ({
  id: session.id,
  platform: session.platform === 'web' ? 'WEB' : 'MOBILE',
  device: session.device,
  address: session.address,
  createdAt: session.createdAt.toISOString(),
  lastUsedAt: session.lastUsedAt.toISOString(),
  expiresAt: session.expiresAt.toISOString(),
  current: session.id === currentId,
});
