import { Refusal } from '@foyer/shared/errors';

import type { Services } from '../context.ts';
import { registerEmbeddedStreamer } from '../streamers/register-embedded-streamer.ts';
import { seedDemoMedia } from './demo-media.ts';
import { seedProfiles } from './profiles.ts';

export interface SeedOptions {
  /** Where the embedded streamer node listens this time; undefined when there is none. */
  streamer?: { host: string; httpPort: number; apiPort: number } | undefined;
  /** Whether the demo world is wanted. */
  demo: boolean;
}

/** Writes what a services starts with; run again, it changes nothing. */
export async function seedMedia(services: Services, { streamer, demo }: SeedOptions): Promise<void> {
  await seedProfiles(services);
  if (streamer) await registerEmbeddedStreamer(services, streamer);
  if (demo) await seedDemoMedia(services).catch((error: unknown) => leaveForLater(services, error));
}

/** A services opens without its store; what could not be written is written at its next start. */
function leaveForLater({ log }: Services, error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  log.warn({ err: error }, 'the demo media are not there yet');
}
