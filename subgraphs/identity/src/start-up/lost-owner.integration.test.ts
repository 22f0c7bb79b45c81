import { describe, expect, it } from 'vitest';

import { PLATFORM_ORGANIZATION_ID } from '../tenancy/platform-organization.ts';
import { log, startUpFixture } from '../testing/start-up-fixture.ts';
import { seedPlatform } from './seed-platform.ts';

const { emptyStore, start } = startUpFixture();

describe('a platform that has lost its owner', () => {
  /** Creates a store after a start, with one other person left. */
  async function orphaned() {
    const db = await emptyStore();
    await start(db);
    const someone = { idpUserId: 'oldest-left', username: 'oldest@foyer.test', email: 'oldest@foyer.test' };
    const { id } = await db.authUser.create({ data: { ...someone, orgId: PLATFORM_ORGANIZATION_ID } });
    const { username, email } = someone;
    await db.user.create({ data: { id, organizationId: PLATFORM_ORGANIZATION_ID, username, email } });
    return db;
  }

  it.each(['the membership', 'the person', 'everybody'])(
    'promotes nobody when it starts again: %s was deleted',
    async (what) => {
      const db = await orphaned();
      const owner = await db.platformMember.findFirstOrThrow();
      if (what === 'the membership') await db.platformMember.deleteMany();
      else {
        const gone = { where: what === 'everybody' ? {} : { id: owner.userId } };
        await db.user.deleteMany(gone);
        await db.authUser.deleteMany(gone);
      }
      expect(await db.platformMember.count()).toBe(0);

      await start(db);

      expect(await db.platformMember.count()).toBe(0);
    },
  );

  it('warns until an operator has named another one', async () => {
    const db = await orphaned();
    await db.platformMember.deleteMany();
    const warned: unknown[] = [];
    const listening = { ...log, warn: (...words: unknown[]) => void warned.push(words) } as unknown as typeof log;
    await seedPlatform({ db, log: listening });
    expect(JSON.stringify(warned)).toContain('platform owner add');
  });

  it('keeps the fact, whatever is deleted', async () => {
    const db = await orphaned();
    await expect(db.platformOwnership.deleteMany()).rejects.toThrow(/stays/);
  });
});
