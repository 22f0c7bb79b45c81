import { existsSync } from 'node:fs';

import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
} from 'playwright-core';

const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'];

const WHOLE = '/usr/bin/chromium';
const programs = ['/usr/bin/chromium-headless-shell', WHOLE] as const;

/** Debian's Chromium, without a window; its headless shell, where it is installed, loads a page in half the time. */
const executablePath = programs.find(existsSync) ?? programs[1];

/** A Chromium outside of a test run. */
export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args });

/** A Chromium that keeps what it knows in a folder, as people's browsers do; closing it ends its process. */
export const launchPersistentBrowser = (folder: string, options: BrowserContextOptions): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, { ...options, executablePath, args });

/** A Chromium that several processes share. */
export const launchBrowserServer = (): Promise<BrowserServer> =>
  chromium.launchServer({ executablePath, args, host: '127.0.0.1' });

/** A whole Chromium that plays films without a click, which several processes share. */
export const launchPlayerServer = (): Promise<BrowserServer> =>
  chromium.launchServer({
    executablePath: WHOLE,
    args: [
      '--no-sandbox',
      '--autoplay-policy=no-user-gesture-required',
      '--disable-gpu',
      '--mute-audio',
      // The page is put in by the test and has no address: it could not reach a node on this machine.
      '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
    ],
    host: '127.0.0.1',
  });
