import { parseConfig } from '@foyer/shared/config';
import { z } from 'zod';

const GIB = 2 ** 30;

/** A base that paths are put behind: no slash at the end. */
const base = z.url().transform((url) => url.replace(/\/$/, ''));

const Env = z
  .object({
    MEDIA_DIR: z.string().min(1),
    MEDIA_BUCKET: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name').default('media'),
    UPLOAD_MAX_BYTES: z.coerce.number().int().positive().default(50 * GIB),
    UPLOAD_TOKEN_MINUTES: z.coerce.number().positive().default(10),
    HOOK_SECRET: z.string().min(16, 'must have at least 16 characters'),
    FFMPEG_PATH: z.string().optional(),
    FFPROBE_PATH: z.string().optional(),
    LOUDNORM_TARGET_LUFS: z.coerce.number().min(-70).max(-5).default(-23),
    ASSET_BASE_URL: base,
    CDN_HOST: base.optional(),
  })
  .transform((env) => ({
    store: { folder: env.MEDIA_DIR, bucket: env.MEDIA_BUCKET },
    uploads: {
      maxBytes: env.UPLOAD_MAX_BYTES,
      tokenMinutes: env.UPLOAD_TOKEN_MINUTES,
      hookSecret: env.HOOK_SECRET,
    },
    processing: {
      ffmpegPath: env.FFMPEG_PATH,
      ffprobePath: env.FFPROBE_PATH,
      /** In LUFS, after EBU R128. */
      targetLoudness: env.LOUDNORM_TARGET_LUFS,
    },
    assets: { baseUrl: env.ASSET_BASE_URL, cdnHost: env.CDN_HOST ?? `${env.ASSET_BASE_URL}/assets` },
  }));

export type Config = z.output<typeof Env>;

export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Env, env);
