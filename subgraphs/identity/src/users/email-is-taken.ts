import type { Context } from '../context.ts';

type Needs = Pick<Context, 'db' | 'identityProvider'>;

/** Whether anybody has this address, in any case, here or at the identity provider. */
export async function emailIsTaken({ db, identityProvider }: Needs, email: string): Promise<boolean> {
  const [here] = await db.$queryRaw<unknown[]>`SELECT 1 FROM auth.users WHERE lower(email) = lower(${email}) LIMIT 1`;
  return here !== undefined || (await identityProvider.findUsers(email)).length > 0;
}
