import { onTestFailed } from 'vitest';

import type { OrganizationFixture } from '../support/fixtures/organization.ts';
import { commandsOf, type Installation } from './installation.ts';
import { buy, publish, statusOf, type Sale } from './visitors.ts';

/** Limits for a machine that has much else to do: on a quiet one everything takes a fifth of them. */
export const MINUTES = 5 * 60_000;

/** The processes of Foyer. */
export const processes = ['gateway', 'identity', 'ticketing', 'media', 'worker', 'upload'];

/** What the tests share: they follow one installation from its first start to its restore, each from where the last one ended. */
export interface Shared {
  here: Installation;
  organization: OrganizationFixture;
  sale: Sale;
  video: { file: string; size: number };
  /** The last order that was paid. */
  orderNo: string;
  /** The URL of the last film's playlist. */
  playlist: string;
  /** A folder for files, outside of the installation. */
  folder: string;
}

/** Filled by the first tests. */
export const shared = {} as Shared;

/** What is measured, printed at the end. */
export const figures: string[] = [];

export async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await work();
  figures.push(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

export const platformPassword = (): Promise<string> => shared.here.secret('ZITADEL_ADMIN_PASSWORD');

/** The blocks of commands in a chapter of the document; fails where there are not as many as a test expects. */
export async function blocksOf(chapter: string, count: number): Promise<string[]> {
  const blocks = await commandsOf(chapter);
  if (blocks.length !== count) throw new Error(`"${chapter}" has ${blocks.length} blocks of commands, not ${count}`);
  return blocks;
}

/** The whole of what people do: a purchase, and a film. Returns its playlist. */
export async function mainJob(): Promise<string> {
  const { here, sale, organization, video } = shared;
  showLog();
  shared.orderNo = await buy(here, sale);
  const status = await statusOf(here, organization, shared.orderNo);
  if (status !== 'SUCCESS') throw new Error(`the order is ${status}`);
  shared.playlist = await publish(here, organization, video.file, video.size);
  return (await fetch(shared.playlist)).text();
}

/** What its processes have printed of errors lately, for the report of a test that fails. */
function showLog(): void {
  onTestFailed(async () => {
    const log = await shared.here.shell('docker compose logs --tail 40');
    const lines = log.split('\n').filter((line) => !line.includes('"level":30'));
    process.stdout.write(`${lines.join('\n')}\n`);
  });
}
