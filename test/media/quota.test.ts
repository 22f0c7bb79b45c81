import { expect, it } from 'vitest';

import { createOrganization } from '../support/fixtures/organization.ts';
import { graphql, logIn, send } from '../support/fixtures/people.ts';
import { sharedServer } from '../support/servers/shared-server.ts';

const SET = 'mutation ($input: SetMediaQuotaInput!) { setMediaQuota(input: $input) { quotaBytes } }';

it('a quota refuses an upload that is prepared over REST, with 413 and a reason', async () => {
  const server = await sharedServer('usual-strict');
  const { id: organizationId, workspaceId, companyCode, admin } = await createOrganization(server);
  const platform = await logIn(server, 'admin@foyer.test', 'PLATFORM');
  await graphql(server, SET, { input: { organizationId, bytes: 100, items: 10 } }, platform.headers);

  const prepare = (fileSize: number) => {
    const names = { title: 'x', originalName: 'x', fileName: `${fileSize}.bin`, tenant: companyCode.toLowerCase() };
    const body = { ...names, fileSize, mediaType: 'other', mimeType: 'application/octet-stream' };
    return send(server, 'POST', `/api/media/prepare?workspaceId=${workspaceId}`, { headers: admin.headers, body });
  };
  expect((await prepare(60)).status).toBe(201);
  const refused = await prepare(41);
  expect(refused.status).toBe(413);
  expect(refused.json).toMatchObject({ success: false, code: 'MEDIA_QUOTA_EXCEEDED' });
  expect((await prepare(40)).status).toBe(201);
});
