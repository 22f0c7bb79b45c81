import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'vitest';

import type { OrganizationFixture } from '../support/fixtures/organization.ts';
import { aGuest, ask, day, onSale } from '../support/fixtures/storefront.ts';
import { uploading } from '../support/fixtures/uploads.ts';
import { payAtTheBank, placeOrder } from '../support/servers/bank.ts';
import type { Server } from '../support/servers/server-process.ts';
import { until } from '../support/until.ts';
import { dockerBytes } from './engine.ts';

const PREPARE = `mutation ($input: PrepareUploadInput!) { prepareUpload(input: $input) { uploadToken } }`;
const MEDIA = `query ($filter: MediaFilter!) { mediaList(filter: $filter) { edges { node { status playbackUrl assetUrl } } } }`;
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

interface Wish {
  fileName: string;
  size: number;
  mediaType: string;
  mimeType: string;
  transcodingProfileId?: string | undefined;
}

/** The first step of an upload; returns the upload token. */
export async function prepareUpload(
  server: Server,
  { admin, workspaceId, companyCode }: OrganizationFixture,
  wish: Wish,
) {
  const { fileName, size, ...kind } = wish;
  const input = {
    ...kind,
    workspaceId,
    title: fileName,
    fileSize: size,
    originalName: fileName,
    fileName,
    tenant: companyCode.toLowerCase(),
    visibility: 'PUBLIC',
  };
  const { uploadToken } = await ask(server, admin, PREPARE, { input });
  return uploadToken as string;
}

/** An item of the library, by its name; undefined while it is not there. */
export async function mediaOf(server: Server, { admin }: OrganizationFixture, fileName: string) {
  const { edges } = await ask(server, admin, MEDIA, { filter: { text: fileName } });
  const [found] = edges as { node: { status: string; playbackUrl: string; assetUrl: string } }[];
  if (found?.node.status === 'failed') throw new Error(`${fileName} failed`);
  return found?.node;
}

/** Uploads a film in parts, and waits until it can be watched; returns the URL of its playlist. */
export async function publish(server: Server, organization: OrganizationFixture, file: string, size: number) {
  const fileName = `film-${Date.now()}.mp4`;
  const profiles = (await ask(server, organization.admin, PROFILES)) as {
    id: string;
    category: string;
    isDefault: boolean;
  }[];
  const profile = profiles.find(({ category, isDefault }) => category === 'video' && isDefault);
  const wish = { mediaType: 'video', mimeType: 'video/mp4', transcodingProfileId: profile?.id };
  const uploadToken = await prepareUpload(server, organization, { ...wish, fileName, size });
  await uploading(server, file, { size, uploadToken }).done;
  return until(
    `${fileName} can be watched`,
    async () => {
      const found = await mediaOf(server, organization, fileName);
      return found?.status === 'ready' && found.playbackUrl;
    },
    { timeoutMs: 900_000, everyMs: 500 },
  );
}
