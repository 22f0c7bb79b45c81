import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'vitest';

import type { OrganizationFixture } from '../support/fixtures/organization.ts';
import { graphql } from '../support/fixtures/people.ts';
import { aGuest, ask, day, onSale } from '../support/fixtures/storefront.ts';
import { uploading } from '../support/fixtures/uploads.ts';
import { payAtTheBank, placeOrder } from '../support/servers/bank.ts';
import type { Server } from '../support/servers/server-process.ts';
import { until } from '../support/until.ts';
import { dockerBytes } from './engine.ts';

const PREPARE = `mutation ($input: PrepareUploadInput!) { prepareUpload(input: $input) { uploadToken } }`;
const MEDIA = `query ($filter: MediaFilter!) { mediaList(filter: $filter) { edges { node { status playbackUrl } } } }`;
const PROFILES = '{ transcodingProfiles { id category isDefault } }';
const ORDER = `query ($orderNo: String) { order(orderNo: $orderNo) { transactionStatus } }`;

/** A ticket group with one variant, of an organization. */
export interface Sale {
  ticketGroupId: number;
  name: string;
  variant: { itemId: string; unitPrice: number };
  admitDate: string;
}

export async function openSale(server: Server, { admin, workspaceId }: OrganizationFixture): Promise<Sale> {
  const { ticketGroupId, itemId } = await onSale(server, admin, { workspaceId, group: { dailyCapacity: 10_000 } });
  return {
    ticketGroupId: Number(ticketGroupId),
    name: 'A visit',
    variant: { itemId, unitPrice: 45 },
    admitDate: day(7),
  };
}

/** Orders two tickets as a guest, and pays for them; returns the order's number. */
export async function buy(server: Server, sale: Sale): Promise<string> {
  const custId = await aGuest(server);
  const { orderNo } = await placeOrder(server, { custId, headers: {} }, {}, sale);
  expect((await payAtTheBank(server, orderNo)).pathname).toBe('/payment/success');
  return orderNo;
}

export const statusOf = async (server: Server, { admin }: OrganizationFixture, orderNo: string) =>
  (await ask(server, admin, ORDER, { orderNo })).transactionStatus as string;

/** A film of two seconds, made by the ffmpeg of the worker's image. */
export async function film(folder: string): Promise<string> {
  const file = join(folder, 'film.mp4');
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=2', '-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=2'];
  const output = [
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-f',
    'mp4',
    '-movflags',
    'frag_keyframe',
    '-',
  ];
  const args = ['run', '--rm', '--entrypoint', 'ffmpeg', 'foyer-worker', '-loglevel', 'error', ...inputs, ...output];
  await writeFile(file, await dockerBytes(...args));
  return file;
}

/** Uploads a film in parts, and waits until it can be watched; returns the URL of its playlist. */
export async function publish(
  server: Server,
  { admin, workspaceId, companyCode }: OrganizationFixture,
  file: string,
  size: number,
) {
  const fileName = `film-${Date.now()}.mp4`;
  const profiles = (await ask(server, admin, PROFILES)) as { id: string; category: string; isDefault: boolean }[];
  const profile = profiles.find(({ category, isDefault }) => category === 'video' && isDefault);
  const input = {
    workspaceId,
    title: fileName,
    mediaType: 'video',
    mimeType: 'video/mp4',
    fileSize: size,
    originalName: fileName,
    fileName,
    tenant: companyCode.toLowerCase(),
    transcodingProfileId: profile?.id,
    visibility: 'PUBLIC',
  };
  const { uploadToken } = await ask(server, admin, PREPARE, { input });
  await uploading(server, file, { size, uploadToken }).done;
  return until(
    `${fileName} can be watched`,
    async () => {
      const { edges } = await ask(server, admin, MEDIA, { filter: { text: fileName } });
      const [found] = edges as { node: { status: string; playbackUrl: string } }[];
      if (found?.node.status === 'failed') throw new Error(`${fileName} failed`);
      return found?.node.status === 'ready' && found.node.playbackUrl;
    },
    { timeoutMs: 180_000, everyMs: 500 },
  );
}

/** Four clients with one address may send 25 requests a second each (`GRAPHQL_REQUESTS_PER_ADDRESS`): these send at most 20. */
const PAUSE_MS = 50;

/** Four clients that ask for what the storefront shows, one request after another, while something happens. */
export async function whileAsking(server: Server, happens: () => Promise<unknown>) {
  const failures: string[] = [];
  let count = 0;
  const over = new AbortController();
  const request = async () =>
    graphql(server, '{ ticketGroups(first: 1) { edges { node { ticketGroupId } } } }').then(
      ({ status, errors }) => (status === 200 && !errors ? undefined : `${status} ${JSON.stringify(errors)}`),
      ({ message, cause }: Error) => `${message}: ${cause instanceof Error ? cause.message : ''}`,
    );
  async function client() {
    while (!over.signal.aborted) {
      count += 1;
      const failure = await request();
      if (failure) failures.push(failure);
      await sleep(PAUSE_MS);
    }
  }
  const clients = [client(), client(), client(), client()];
  await happens().finally(() => over.abort());
  await Promise.all(clients);
  return { count, failures };
}
