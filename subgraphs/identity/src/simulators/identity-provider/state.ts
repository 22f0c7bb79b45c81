import { randomInt } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { readKept } from '@foyer/shared/process/read-kept';
import { writeWhole } from '@foyer/shared/process/write-whole';
import { z } from 'zod';

export interface Organization {
  id: string;
  name: string;
  createdAt: string;
}

export interface User {
  id: string;
  organizationId: string;
  username: string;
  state: 'USER_STATE_ACTIVE' | 'USER_STATE_INACTIVE' | 'USER_STATE_LOCKED';
  createdAt: string;
  changedAt: string;
  /** Absent for a machine user. */
  human?: {
    givenName: string;
    familyName: string;
    email: string;
    emailVerified: boolean;
    /** argon2id. */
    passwordHash?: string;
    changeRequired: boolean;
    failedAttempts: number;
  };
}

const isObject = (each: unknown) => typeof each === 'object' && each !== null;

/** As much as tells a damaged file from one that was written here. */
const Kept = z.object({
  instanceId: z.string(),
  organizations: z.array(z.custom<Organization>(isObject)),
  users: z.array(z.custom<User>(isObject)),
});

/** What the provider knows. Sessions live in memory only: ending one that is unknown is no error. */
export interface State extends z.output<typeof Kept> {
  sessions: Map<string, { userId: string; expiresAt: number }>;
  /** Saves everything; resolves once it survives a crash. */
  save(): Promise<void>;
  /** The time of the last write, for searches that lag behind. */
  writtenAt: Map<string, number>;
}

/** Eighteen digits, like the provider's ids. */
export const newId = (): string => `3${String(randomInt(10 ** 8, 10 ** 9))}${String(randomInt(10 ** 7, 10 ** 8))}`;

/**
 * Opens the state that a folder keeps, or creates a new one.
 *
 * @throws {ConfigError} when it is damaged
 */
export async function openState(folder: string): Promise<State> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'state.json');
  const kept = (await readKept(file, Kept)) ?? { instanceId: newId(), organizations: [], users: [] };

  let writing = Promise.resolve();
  const state: State = {
    ...kept,
    sessions: new Map(),
    writtenAt: new Map(),
    save() {
      writing = writing
        .catch(() => undefined) // a failed write must not fail later ones
        .then(() => {
          const { instanceId, organizations, users } = state;
          return writeWhole(file, JSON.stringify({ instanceId, organizations, users }, null, 1));
        });
      return writing;
    },
  };
  return state;
}
