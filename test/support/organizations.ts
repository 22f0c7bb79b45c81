import { accessIn } from './access.ts';
import { createOrganization } from './organization.ts';
import { sharedServer } from './shared-server.ts';

/** The shared server with an organization where Mei and Raj work, and another organization. */
export async function createOrganizations() {
  const server = await sharedServer();
  const [organization, other] = [await createOrganization(server), await createOrganization(server)];
  const [mei, raj] = [await organization.join('mei'), await organization.join('raj')];
  return { server, organization, other, mei, raj, access: accessIn(server, organization) };
}

export type Organizations = Awaited<ReturnType<typeof createOrganizations>>;
