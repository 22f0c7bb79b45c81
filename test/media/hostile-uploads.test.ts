import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ffmpeg } from '@foyer/media/testing/made-by-ffmpeg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fill, openBrowser, openPage } from '../support/browsers/browser.ts';
import { DEMO_PASSWORD } from '../support/fixtures/people.ts';
import { mediaNamed } from '../support/tus.ts';
import { prepareUpload, uploading } from '../support/fixtures/uploads.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

const attack = `document.title = 'the script ran'; fetch('/api/v1/logout', { method: 'POST' })`;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

let server: SharedServer;
let folder: string;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-hostile-'));
  server = await sharedServer();
  browser = await openBrowser();
  page = await openPage(browser, server, '/login');
  await fill(page, { companyCode: 'PLATFORM', username: 'admin@foyer.test', password: DEMO_PASSWORD });
  await page.waitForURL('**/login/devices');
});
afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

/** @returns the address of the file in the server */
async function uploaded(fileName: string, content: Buffer): Promise<string> {
  const file = join(folder, fileName);
  await writeFile(file, content);
  const size = content.length;
  const uploadToken = await prepareUpload(server, { size, fileName, folder: 'hostile', mediaType: 'other' });
  await uploading(server, file, { size, uploadToken }).done;
  return (await mediaNamed(server, 'hostile', fileName)).assetUrl;
}

describe('an uploaded file, opened by a logged-in user', () => {
  it.each([
    ['page.html', `<!doctype html><title>before</title><script>${attack}</script><p>here`],
    [
      'page.xhtml',
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>before</title><script>${attack}</script></head><body>here</body></html>`,
    ],
    [
      'drawing.svg',
      `<svg xmlns="http://www.w3.org/2000/svg"><title>before</title><script>${attack}</script><text y="20">here</text></svg>`,
    ],
  ])('runs no script, and can not use their session: %s', async (fileName, text) => {
    await page.goto(await uploaded(fileName, Buffer.from(text)));
    await page.getByText('here').first().waitFor();

    expect(await page.title()).toBe('before');
    await page.goto('/login/devices');
    expect(page.url()).toBe(`${server.url}/login/devices`);
  });

  it('is still shown when it is a picture', async () => {
    await page.goto(await uploaded('dot.png', png));
    expect(await page.evaluate('document.images[0].naturalWidth')).toBe(1);
  });

  it('still plays when it is a video', async () => {
    const file = join(folder, 'bars.webm');
    const args = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:d=1', '-c:v', 'libvpx', '-y', file];
    await promisify(execFile)(await ffmpeg(), args);
    await page.goto(await uploaded('film.webm', await readFile(file)));
    await expect.poll(async () => page.evaluate('document.querySelector("video").videoWidth')).toBe(64);
  });
});
