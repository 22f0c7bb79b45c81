import { flag, parseConfig } from '@foyer/shared/config';
import { z } from 'zod';

const GIB = 2 ** 30;

/** A base that paths are put behind: no slash at the end. */
const base = z.url().transform((url) => url.replace(/\/$/, ''));

const Env = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    REST_AUTH: z.enum(['documented', 'strict']).optional(),
    MEDIA_DIR: z.string().min(1),
    MEDIA_BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name')
      .default('media'),
    UPLOAD_MAX_BYTES: z.coerce
      .number()
      .int()
      .positive()
      .default(50 * GIB),
    UPLOAD_TOKEN_MINUTES: z.coerce.number().positive().default(10),
    HOOK_SECRET: z.string().min(16, 'must have at least 16 characters'),
    FFMPEG_PATH: z.string().optional(),
    FFPROBE_PATH: z.string().optional(),
    LOUDNORM_TARGET_LUFS: z.coerce.number().min(-70).max(-5).default(-23),
    PROCESSING_BEAT_MS: z.coerce.number().int().min(50).default(3_000),
    ASSET_BASE_URL: base,
    CDN_HOST: base.optional(),
    STREAMER_TIMEOUT_MS: z.coerce.number().int().positive().default(10_000),
    ORIGIN_POLL_MS: z.coerce.number().int().min(100).default(30_000),
    STREAMER_ALLOW_LOOPBACK: flag.optional(),
    PLAYBACK_URL_TEMPLATE: z.string().default('http://{host}:{httpPort}/live/{streamId}/playlist.m3u8'),
  })
  .transform((env) => ({
    /** The edge insists that production chooses; here an unset variable must not open anything. */
    restAuth: env.REST_AUTH ?? (env.NODE_ENV === 'production' ? ('strict' as const) : ('documented' as const)),
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
      /** How often a try shows that it lives, in milliseconds. */
      beatMs: env.PROCESSING_BEAT_MS,
    },
    assets: { baseUrl: env.ASSET_BASE_URL, cdnHost: env.CDN_HOST ?? `${env.ASSET_BASE_URL}/assets` },
    nodes: {
      timeoutMs: env.STREAMER_TIMEOUT_MS,
      /** How often each origin of a channel is asked about, in milliseconds. */
      originPollMs: env.ORIGIN_POLL_MS,
      /** A node on this very machine: for development. */
      allowLoopback: env.STREAMER_ALLOW_LOOPBACK ?? env.NODE_ENV !== 'production',
      playbackUrl: env.PLAYBACK_URL_TEMPLATE,
    },
  }));

export type Config = z.output<typeof Env>;

export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Env, env);
