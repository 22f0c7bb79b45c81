import { existsSync } from 'node:fs';

import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
} from 'playwright-core';

const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'];

const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

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
