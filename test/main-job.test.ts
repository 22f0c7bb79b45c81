import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ffmpeg } from '@foyer/media/testing/made-by-ffmpeg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { decide, formOf, goToTheBank, placeOrder, submit } from './support/servers/bank.ts';
import { newAddress } from './support/fixtures/customers.ts';
import { mailsTo } from './support/servers/inbox.ts';
import { createOrganization, type OrganizationFixture } from './support/fixtures/organization.ts';
import { DEMO_PASSWORD, graphql, send, logInCustomer } from './support/fixtures/people.ts';
import { qrCodesIn } from './support/pdf.ts';
import { sharedServer, type SharedServer } from './support/servers/shared-server.ts';
import { day, onSale } from './support/fixtures/storefront.ts';
import { until } from './support/until.ts';
import { prepareUpload, uploading } from './support/fixtures/uploads.ts';
import { testVideo } from './support/fixtures/video.ts';

const buyerEmail = newAddress();

let server: SharedServer;
let fixture: OrganizationFixture;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-main-job-'));
  server = await sharedServer();
  fixture = await createOrganization(server);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('buying a ticket', () => {
  let orderNo: string;

  it('goes from the order over the bank to the tickets', async () => {
    const customer = await logInCustomer(server);
    const group = await onSale(server, fixture.admin, { workspaceId: fixture.workspaceId });
    const sale = {
      ticketGroupId: Number(group.ticketGroupId),
      name: 'A visit',
      variant: { itemId: group.itemId, unitPrice: 45 },
      admitDate: day(7),
    };
    const placed = await placeOrder(server, customer, { buyerEmail, productDesc: sale.name }, sale);
    expect(placed).toEqual({
      orderNo: expect.stringMatching(/^ORD-\d{8}-[0-9A-HJKMNP-TV-Z]{13}$/),
      billId: expect.stringMatching(/^BILL-/),
      productId: `TG${sale.ticketGroupId}`,
      totalAmount: sale.variant.unitPrice * 2,
      msgToken: '01',
      transactionId: expect.any(String),
    });
    orderNo = placed.orderNo;

    const redirecting = await submit(new URL('/payment/process', server.url), { orderNo });
    expect(redirecting.text).toContain('.submit()');
    expect(formOf(redirecting.text).fields['checksum']).toMatch(/^[0-9a-f]{128}$/);

    const back = await decide(await goToTheBank(server, orderNo), 'approve');
    expect(back.pathname).toBe('/payment/return');

    const returned = await fetch(back, { redirect: 'manual' });
    expect(returned.status).toBe(302);
    const result = new URL(returned.headers.get('location') ?? '', server.url);
    expect(result.pathname).toBe('/payment/success');
    expect(await (await fetch(result)).text()).toContain(orderNo);

    const { json: order } = await send(server, 'GET', `/api/orderTicketGroup?orderNo=${orderNo}`, {
      headers: customer.headers,
    });
    expect(order.transactionStatus).toBe('SUCCESS');
  });

  it('shows a page to a buyer whose payment can not be read', async () => {
    const page = await fetch(`${server.url}/payment/return?payload=forged`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('could not be read');
  });

  it('sends the confirmation with the PDF of the tickets, once', async () => {
    const [mail] = await until('the confirmation', async () => {
      const mails = await mailsTo(server, buyerEmail);
      return mails.length > 0 && mails;
    });
    expect(mail?.attachments).toMatchObject([{ fileName: expect.stringMatching(/\.pdf$/) }, { fileName: 'visit.ics' }]);
    expect(mail?.text).toContain(orderNo);

    const { headers } = await logInCustomer(server);
    await until('isEmailSent', async () => {
      const { json } = await send(server, 'GET', `/api/orderTicketGroup?orderNo=${orderNo}`, { headers });
      return json.isEmailSent as boolean;
    });
    expect(await mailsTo(server, buyerEmail)).toHaveLength(1);
  });

  it('serves the receipt, with one scannable code per admission', async () => {
    const response = await fetch(`${server.url}/pdf/receipt?orderNo=${orderNo}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');

    const codes = await qrCodesIn(new Uint8Array(await response.arrayBuffer()));
    expect(codes).toHaveLength(2);
    expect(codes.every((code) => code.startsWith('T1:'))).toBe(true);
  });

  it('loses nothing and sells nothing twice when the same return comes again', async () => {
    const { json } = await send(server, 'POST', '/payment/generateToken');
    expect(json).toEqual({ success: true, token: expect.any(String) });
    const again = await submit(new URL('/payment/process', server.url), { orderNo });
    expect(again.status).toBe(409);
    expect(await mailsTo(server, buyerEmail)).toHaveLength(1);
  });
});

describe('a video', () => {
  it('is uploaded in two steps, processed, and served in ranges', async () => {
    const trailers = `trailers-${fixture.companyCode.toLowerCase()}`;
    const file = await testVideo(folder);
    const { size } = await stat(file);
    const uploadToken = await prepareUpload(server, { size, fileName: 'test-picture.mp4', folder: trailers });
    await uploading(server, file, { size, uploadToken }).done;

    const media = await until('the video to be processed', async () => {
      const { json } = await send(server, 'GET', `/api/media/?folder=${trailers}`);
      const [found] = json.data;
      return ['done', 'failed'].includes(found?.transcodingStage) && found;
    });
    expect(media).toMatchObject({
      status: 'ready',
      transcodingStage: 'done',
      storageKey: `acme/${trailers}/test-picture.mp4`,
      videoCodec: 'h264',
      audioCodec: 'aac',
      pixelFormat: 'yuv420p',
    });
    expect(media.duration).toBeCloseTo(3, 0);

    const thumbnail = await fetch(media.thumbnailUrl);
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg']);

    const range = await fetch(`${server.url}/assets/${media.storageKey}`, { headers: { range: 'bytes=4-11' } });
    expect(range.status).toBe(206);
    expect(range.headers.get('content-range')).toMatch(/^bytes 4-11\/\d+$/);
    expect((await range.text()).slice(0, 4)).toBe('ftyp');
    const beyond = await fetch(`${server.url}/assets/${media.storageKey}`, { headers: { range: 'bytes=99999999-' } });
    expect(beyond.status).toBe(416);

    const bytes = new Uint8Array(await (await fetch(media.assetUrl)).arrayBuffer());
    const copy = join(folder, 'served.mp4');
    await writeFile(copy, bytes);
    expect(execFileSync(await ffmpeg(), ['-v', 'error', '-i', copy, '-f', 'null', '-']).toString()).toBe('');
  });

  it('is refused without an upload token', async () => {
    const response = await fetch(`${server.url}/files/`, {
      method: 'POST',
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '10', 'upload-metadata': `filename ${btoa('x.mp4')}` },
    });
    expect(response.status).toBe(401);
  });
});

describe('one query', () => {
  it('joins the logged-in user, their organization’s latest order, and the media of an advertising ticket', async () => {
    const { data, errors } = await graphql(
      server,
      `
        {
          me {
            user {
              email
              organization {
                name
              }
            }
            organization {
              organization {
                orders(first: 1) {
                  edges {
                    node {
                      orderNo
                      transactionStatus
                      ticketGroup {
                        organization {
                          name
                        }
                      }
                    }
                  }
                }
              }
            }
          }
          advertisingTickets {
            titleEn
            image {
              id
              status
              thumbnailUrl
            }
          }
        }
      `,
      {},
      fixture.admin.headers,
    );

    expect(errors).toBeUndefined();
    expect(data.me.user).toEqual({
      email: `admin@${fixture.companyCode.toLowerCase()}.test`,
      organization: { name: `OrganizationFixture ${fixture.companyCode}` },
    });
    expect(data.me.organization.organization.orders.edges[0].node).toMatchObject({
      transactionStatus: 'SUCCESS',
      ticketGroup: { organization: { name: `OrganizationFixture ${fixture.companyCode}` } },
    });
    expect(data.advertisingTickets).toContainEqual({
      titleEn: expect.any(String),
      image: { id: expect.any(String), status: 'ready', thumbnailUrl: expect.stringContaining('/assets/') },
    });
  });
});

describe('the output of the server', () => {
  it('contains no password, token or key, whatever requests the server has got so far', async () => {
    const secrets = JSON.parse(await readFile(join(server.dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
    const lines = (await server.printed()).split('Ctrl-C stops it.').slice(1).join('');
    expect(lines.length).toBeGreaterThan(0);

    for (const secret of [...Object.values(secrets), DEMO_PASSWORD]) expect(lines).not.toContain(secret.slice(0, 40));
    expect(lines).not.toMatch(/eyJ[\w-]{10,}\./); // any JWT or JWE
    expect(lines).not.toMatch(/postgresql:\/\/[^\s"]*:[^\s"]*@/);
  });
});
