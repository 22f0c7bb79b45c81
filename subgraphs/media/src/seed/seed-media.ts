import { Refusal } from '@foyer/shared/errors';

import type { House } from '../context.ts';
import { registerEmbeddedStreamer } from '../streamers/register-embedded-streamer.ts';
import { seedDemoMedia } from './demo-media.ts';
import { seedProfiles } from './profiles.ts';

export interface SeedOptions {
  /** Where the embedded streamer node listens this time; undefined when there is none. */
  streamer?: { host: string; httpPort: number; apiPort: number } | undefined;
  /** Whether the demo world is wanted. */
  demo: boolean;
}

/** Writes what a house starts with; run again, it changes nothing. */
export async function seedMedia(house: House, { streamer, demo }: SeedOptions): Promise<void> {
  await seedProfiles(house);
  if (streamer) await registerEmbeddedStreamer(house, streamer);
  if (demo) await seedDemoMedia(house).catch((error: unknown) => leaveForLater(house, error));
}

/** A house opens without its store; what could not be written is written at its next start. */
function leaveForLater({ log }: House, error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  log.warn({ err: error }, 'the demo media are not there yet');
}
