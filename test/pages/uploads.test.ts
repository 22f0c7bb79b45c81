import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { Browser, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { screens } from '../support/browsers/browser.ts';
import { launchPersistentBrowser } from '../support/browsers/chromium.ts';
import { logInToStudio, openDemo } from '../support/browsers/demo.ts';
import { filesKept, forgetFiles, keptList, namesKept, writeList } from '../support/browsers/kept-uploads.ts';
import { openWeakConnection, type WeakConnection } from '../support/browsers/weak-connection.ts';
import { testVideo } from '../support/fixtures/video.ts';
import type { Server } from '../support/servers/server-process.ts';
import { tus } from '../support/tus.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

/** More than a processor's page, and less than the video. */
const ARRIVED = 20_000;

let server: Server;
let browser: Browser | undefined;
let connection: WeakConnection;
let folder: string;
let video: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-uploads-'));
  connection = await openWeakConnection();
  ({ server, browser } = await beginVisit());
  if (browser) video = await readFile(await testVideo(folder, { seconds: 3, size: '128x72' }));
});
afterAll(async () => {
  await endVisit({ browser });
  await connection.cut();
  await rm(folder, { recursive: true, force: true });
});

/** The offsets from which the page sends bytes. */
function watchOffsets(page: Page): number[] {
  const offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  return offsets;
}

/** Drops the video on the studio, as from a folder of the desktop. */
async function drop(page: Page, name: string) {
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const bytes = Uint8Array.from(atob('${video.toString('base64')}'), (letter) => letter.charCodeAt(0));
      const dropped = new DataTransfer();
      dropped.items.add(new File([bytes], '${name}', { type: 'video/mp4' }));
      return dropped;
    })()`,
  );
  await page.dispatchEvent('.drop', 'dragover', { dataTransfer });
  await page.dispatchEvent('.drop', 'drop', { dataTransfer });
}

/** Waits until the server has kept some of an upload: asking for the offset ends what is being sent, and keeps it. */
const isKept = (location: string) =>
  expect
    .poll(async () => Number((await tus(server, 'HEAD', location)).headers.get('upload-offset')))
    .toBeGreaterThan(0);

const canBePlayed = (page: Page, name: string) =>
  page.getByRole('button', { name: `Play: ${name}` }).waitFor({ timeout: 120_000 });

const asksFor = (operation: string) => (request: Request) =>
  request.url().endsWith('/graphql') && (request.postData() ?? '').includes(`"operationName":"${operation}"`);

/** Whether a request creates the upload of a file, whose name tus sends in base64. */
function isCreated(request: Request, name: string): boolean {
  const [, encoded = ''] = /filename ([^ ,]+)/.exec(request.headers()['upload-metadata'] ?? '') ?? [];
  return request.method() === 'POST' && Buffer.from(encoded, 'base64').toString().endsWith(name);
}

/** Refuses to prepare the upload of a file, as a server without room does. */
function refuse(page: Page, name: string) {
  let count = 0;
  const errors = [{ message: 'No.', extensions: { code: 'FORBIDDEN', reason: 'MEDIA_QUOTA_EXCEEDED' } }];
  const answer = (route: Route) => {
    const isRefused = asksFor('PrepareUpload')(route.request()) && route.request().postData()?.includes(name);
    if (!isRefused) return route.continue();
    count += 1;
    return route.fulfill({ json: { data: null, errors } });
  };
  return {
    begin: () => page.route('**/graphql', answer),
    end: () => page.unroute('**/graphql', answer),
    count: () => count,
  };
}

describe('an upload in the studio', () => {
  it.skipIf(noBrowser)(
    `begins with a dropped file, which leaves the page nowhere, shows its speed, and goes on where it was when the connection is lost${skipped}`,
    async () => {
      const page = await openDemo(browser, server, 'studio', { ...screens.desktop, proxy: connection.proxy });
      await logInToStudio(page);
      const offsets = watchOffsets(page);
      const isHeld = connection.holdAfter(ARRIVED);
      const sent = page.waitForRequest((request) => request.method() === 'PATCH');
      const name = `dropped-${process.pid}.mp4`;
      await drop(page, name);
      const leaves = `document.querySelector('h1').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true }))`;
      expect(await page.evaluate(leaves)).toBe(false); // beside the place for it
      await isHeld;
      await page
        .locator('.uploads li')
        .getByText(/B\/s · .* left$/)
        .waitFor();
      await isKept((await sent).url());

      await connection.cut();
      await connection.restore();
      await canBePlayed(page, name);
      expect(await page.locator('.uploads li').count()).toBe(0);
      expect(offsets[0]).toBe(0);
      expect(offsets.at(-1)).toBeGreaterThan(0);
    },
  );

  it.skipIf(noBrowser)(`shows how far it is, and is cancelled on the server, too${skipped}`, async () => {
    const page = await openDemo(browser, server, 'studio', { ...screens.desktop, proxy: connection.proxy });
    await logInToStudio(page);
    const isHeld = connection.holdAfter(ARRIVED);
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    const name = `cancelled-${process.pid}.mp4`;
    await drop(page, name);
    await isHeld;
    const location = (await sent).url();
    const row = page.locator('.uploads li');
    await expect.poll(() => row.textContent()).toMatch(/Uploading · [1-9]\d* % · .+ \/ .+/);
    const [, percent] = /(\d+) %/.exec((await row.textContent()) ?? '') ?? [];
    expect(await row.locator('progress').getAttribute('value')).toBe(percent);
    expect((await tus(server, 'HEAD', location)).status).toBe(200);

    await page.getByRole('button', { name: `Cancel: ${name}` }).click();
    await expect.poll(() => row.count()).toBe(0);
    await expect.poll(async () => (await tus(server, 'HEAD', location)).status).toBe(404);
    await connection.cut();
    await connection.restore();
  });

  it.skipIf(noBrowser)(
    `whose file the browser has not kept goes on when the file is chosen again, and begins anew when the server refused it${skipped}`,
    async () => {
      const page = await openDemo(browser, server, 'studio');
      await logInToStudio(page);
      const file = join(folder, `again-${process.pid}.mp4`);
      await writeFile(file, video);
      const answers: ('nothing' | 'refusal')[] = ['nothing'];
      await page.route(/\/files\//, (route) => {
        if (route.request().method() !== 'PATCH' || answers.length === 0) return route.continue();
        const body = JSON.stringify({ success: false, code: 'UPLOAD_REJECTED', message: 'No.', requestId: '1' });
        return answers[0] === 'refusal'
          ? route.fulfill({ status: 422, contentType: 'application/json', body })
          : undefined;
      });
      await page.setInputFiles('[name=file]', file);
      await expect.poll(() => page.evaluate(filesKept)).toBe(1);
      await page.evaluate(forgetFiles);
      await page.reload();
      await page.getByText('Choose the same file again to continue.').waitFor();

      answers[0] = 'refusal';
      await page.setInputFiles('[name=file]', file);
      await page.getByText('The server does not take this upload any more.').waitFor();
      answers.length = 0;
      await page.getByRole('button', { name: `Try again: ${basename(file)}` }).click();
      await expect.poll(() => page.locator('.uploads li').count()).toBe(0);
      await page.locator('section').getByText(basename(file)).first().waitFor();
    },
  );

  it.skipIf(noBrowser)(
    `that is refused holds up no other, and once it was tried again its file can be chosen again${skipped}`,
    async () => {
      const page = await openDemo(browser, server, 'studio');
      await logInToStudio(page);
      const [refused, beside, later] = ['refused', 'beside', 'later'].map((word) =>
        join(folder, `${word}-${process.pid}.mp4`),
      ) as [string, string, string];
      for (const file of [refused, beside, later]) await writeFile(file, video);
      const refusals = refuse(page, basename(refused));
      await refusals.begin();
      const listed = (file: string) => page.locator('.uploads li').filter({ hasText: basename(file) });
      const begins = (file: string) => page.waitForRequest((request) => isCreated(request, basename(file)));
      const sent = [begins(beside), begins(later)];

      await page.setInputFiles('[name=file]', [refused, beside]);
      await listed(refused).getByText('There is no room left for this file.').waitFor();
      await sent[0];
      await page.setInputFiles('[name=file]', later);
      await sent[1];
      await expect.poll(() => page.locator('.uploads li').count()).toBe(1);
      expect(refusals.count()).toBe(1);
      await expect.poll(() => page.evaluate(namesKept)).toEqual([basename(refused)]);

      await page.reload();
      await expect.poll(refusals.count).toBe(2);
      await listed(refused).getByText('There is no room left for this file.').waitFor();
      await refusals.end();
      await page.getByRole('button', { name: `Try again: ${basename(refused)}` }).click();
      await expect.poll(() => listed(refused).count()).toBe(0);
      const again = begins(refused);
      await page.setInputFiles('[name=file]', refused);
      await again;
      await expect.poll(() => listed(refused).count()).toBe(0);
      expect(page.problems).toEqual([]);
    },
  );

  it.skipIf(noBrowser)(
    `that is complete is not sent again by a page whose browser has not kept that${skipped}`,
    async () => {
      const page = await openDemo(browser, server, 'studio');
      await logInToStudio(page);
      const file = join(folder, `complete-${process.pid}.mp4`);
      await writeFile(file, video);
      const kept = Promise.withResolvers<void>();
      await page.route(/\/files/, async (route) => {
        await kept.promise;
        await route.continue();
      });
      await page.setInputFiles('[name=file]', file);
      await expect.poll(async () => JSON.stringify(await page.evaluate(keptList))).toContain('uploadToken');
      const list = await page.evaluate(keptList);
      kept.resolve();
      await expect.poll(() => page.locator('.uploads li').count()).toBe(0);
      await expect.poll(() => page.evaluate(namesKept)).toEqual([]);
      const problems = page.problems.length;

      await page.evaluate(writeList(list));
      await page.reload();
      await page.getByText('Choose the same file again to continue.').waitFor();
      await page.setInputFiles('[name=file]', file);

      await expect.poll(() => page.locator('.uploads li').count()).toBe(0);
      expect(page.problems.slice(problems).filter((problem) => !/\b(404|409|410)\b/.test(problem))).toEqual([]);
    },
  );

  it.skipIf(noBrowser)(`can be cancelled before the server has answered${skipped}`, async () => {
    const page = await openDemo(browser, server, 'studio');
    await logInToStudio(page);
    const isAsked = page.waitForRequest(asksFor('PrepareUpload'));
    const answered = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (asksFor('PrepareUpload')(route.request())) await answered.promise;
      await route.continue();
    });
    const name = `regretted-${process.pid}.mp4`;
    await drop(page, name);
    const response = (await isAsked).response();
    await page.getByRole('button', { name: `Cancel: ${name}` }).click();
    answered.resolve();
    await (await response)?.finished();
    await page.evaluate('new Promise((done) => setTimeout(done))'); // what the page does with the answer

    expect(await page.locator('.uploads li').count()).toBe(0);
    expect(page.problems).toEqual([]);
  });

  it.skipIf(noBrowser)(`goes on where it was after the browser was closed and opened again${skipped}`, async () => {
    const options = { baseURL: server.url, locale: 'en-GB', proxy: connection.proxy };
    const profile = join(folder, 'profile');
    const first = await launchPersistentBrowser(profile, options);
    const page = await first.newPage();
    await page.goto('/demo#/studio');
    await logInToStudio(page);
    const isHeld = connection.holdAfter(ARRIVED);
    const name = `restarted-${process.pid}.mp4`;
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.setInputFiles('[name=file]', { name, mimeType: 'video/mp4', buffer: video });
    await isHeld;
    await expect.poll(() => page.evaluate(filesKept)).toBe(1);
    await isKept((await sent).url());
    await first.close();
    await connection.cut();
    await connection.restore();

    const second = await launchPersistentBrowser(profile, options);
    const later = await second.newPage();
    const offsets = watchOffsets(later);
    await later.goto('/demo#/studio');
    await canBePlayed(later, name);
    expect(offsets[0]).toBeGreaterThan(0);
    await second.close();
  });
});
