import { Refusal } from '@foyer/shared/errors';

import type { Services } from '../context.ts';
import { registerEmbeddedStreamer } from '../streamers/register-embedded-streamer.ts';
import { seedDemoMedia } from './demo-media.ts';
import { seedProfiles } from './profiles.ts';

export interface SeedOptions {
  /** The present address of the embedded streamer node; undefined when there is none. */
  streamer?: { host: string; httpPort: number; apiPort: number } | undefined;
  /** Whether to seed the demo data. */
  demo: boolean;
}

/** Writes the first data of a new installation; run again, it changes nothing. */
export async function seedMedia(services: Services, { streamer, demo }: SeedOptions): Promise<void> {
  await seedProfiles(services);
  if (streamer) await registerEmbeddedStreamer(services, streamer);
  if (demo) await seedDemoMedia(services).catch((error: unknown) => ignoreRefusal(services, error));
}

/** Ignores an unavailable store, so that the server can start; the next start seeds the demo media. */
function ignoreRefusal({ log }: Services, error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  log.warn({ err: error }, 'the demo media could not be seeded');
}
