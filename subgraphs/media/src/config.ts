import { createHmac } from 'node:crypto';

import { developmentNetworks, loopback, networkList } from '@foyer/shared/http/addresses/address-policy';
import {
  always,
  flag,
  lifetime,
  milliseconds,
  origin,
  parseConfig,
  trustedProxies,
  webAddress,
  webUrl,
} from '@foyer/shared/config/config';
import { ownServicesIn } from '@foyer/shared/config/own-services';
import { bucketName, S3Env } from '@foyer/shared/s3/variables';
import { z } from 'zod';

import type { LinkSecrets } from './storage/link-token.ts';

const GIB = 2 ** 30;

/** A base URL, without a slash at the end. */
const base = webAddress.transform((url) => url.replace(/\/$/, ''));

/** Required together: a half-configured S3 would silently fall back to the local disk. */
const together = ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const;

const linkSecret = z.string().min(16, 'must have at least 16 characters');

const isPlaybackTemplate = (text: string) =>
  text.includes('{streamId}') &&
  webUrl.safeParse(text.replaceAll('{host}', 'node').replaceAll('{httpPort}', '80').replaceAll('{streamId}', 'id'))
    .success &&
  !/[{}]/.test(text.replaceAll(/\{(?:host|httpPort|streamId)\}/g, ''));

const playbackTemplate = z
  .string()
  .refine(isPlaybackTemplate, 'must be a URL with {streamId} in it, and {host} and {httpPort} where they belong');

export const Env = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    REST_AUTH: z.enum(['documented', 'strict']).optional(),
    MEDIA_DIR: z.string().min(1),
    MEDIA_BUCKET: bucketName.default('media'),
    UPLOAD_MAX_BYTES: z.coerce
      .number()
      .int()
      .positive()
      .default(50 * GIB),
    MEDIA_QUOTA_BYTES: z.coerce.number().int().positive().optional(),
    MEDIA_QUOTA_ITEMS: z.coerce
      .number()
      .int()
      .positive()
      .max(2 ** 31 - 1)
      .optional(),
    UPLOAD_IDLE_SECONDS: z.coerce.number().positive().max(3_600).default(60),
    UPLOAD_URL: base.optional(),
    TRUSTED_PROXIES: trustedProxies,
    DATABASE_URL: z.string().min(1),
    ...S3Env.shape,
    S3_PUBLIC_ENDPOINT: z
      .url({ protocol: /^https?$/, message: 'must be a http:// or https:// URL' })
      .refine((url) => URL.parse(url)?.pathname === '/', 'must have no path: links are signed for it')
      .optional(),
    S3_BUCKET: bucketName.optional(),
    UPLOAD_TOKEN_MINUTES: lifetime('m').default(10),
    HOOK_SECRET: z.string().min(16, 'must have at least 16 characters'),
    FFMPEG_PATH: z.string().optional(),
    FFPROBE_PATH: z.string().optional(),
    LOUDNORM_TARGET_LUFS: z.coerce.number().min(-70).max(-5).default(-23),
    MEDIA_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(1),
    PROCESSING_BEAT_MS: milliseconds(50).default(3_000),
    ASSET_BASE_URL: base,
    CONTENT_ORIGIN: origin.optional(),
    CDN_HOST: base.optional(),
    MEDIA_LINK_SECONDS: z.coerce.number().int().min(60).max(604_800).default(21_600),
    MEDIA_PRESIGN_SECONDS: z.coerce.number().int().min(60).max(604_800).optional(),
    MEDIA_LINK_SECRET: linkSecret.optional(),
    MEDIA_LINK_SECRET_PREVIOUS: linkSecret.optional(),
    STREAMER_TIMEOUT_MS: milliseconds().default(10_000),
    NODE_PROXY_IDLE_MS: milliseconds().default(30_000),
    NODE_PROXY_TOTAL_MS: milliseconds().default(300_000),
    ORIGIN_POLL_MS: milliseconds(100).default(30_000),
    RESTORE_STREAMS: flag.default(true),
    NODE_POLL_MS: milliseconds(100).default(30_000),
    NODE_NETWORKS: networkList.optional(),
    STREAMER_ALLOW_LOOPBACK: flag.optional(),
    PLAYBACK_URL_TEMPLATE: playbackTemplate.default('http://{host}:{httpPort}/live/{streamId}/playlist.m3u8'),
  })
  .superRefine((env, context) => {
    const given = [...together, 'S3_BUCKET' as const].filter((name) => env[name] !== undefined);
    if (given.length === 0) return;
    for (const name of together) {
      if (env[name] !== undefined) continue;
      context.addIssue({ code: 'custom', path: [name], message: `is needed where ${given[0]} is set` });
    }
  })
  .refine((env) => env.NODE_ENV !== 'production' || env.REST_AUTH !== 'documented' || env.NODE_NETWORKS, {
    path: ['NODE_NETWORKS'],
    message: 'must be named where REST_AUTH=documented lets anybody register a node (10.20.0.0/16, or none)',
    ...always,
  })
  .transform((env) => ({
    /** The edge requires production to choose; here an unset variable must not open anything. */
    restAuth: isDocumented(env) ? ('documented' as const) : ('strict' as const),
    databaseUrl: env.DATABASE_URL,
    /** Whose `X-Forwarded-Prefix` is believed. */
    trustedProxies: env.TRUSTED_PROXIES,
    store: {
      /** For uploads, media and unfinished work; with S3 only for unfinished work. */
      folder: env.MEDIA_DIR,
      bucket: env.S3_BUCKET ?? env.MEDIA_BUCKET,
      s3: s3Of(env),
    },
    uploads: {
      maxBytes: env.UPLOAD_MAX_BYTES,
      tokenMinutes: env.UPLOAD_TOKEN_MINUTES,
      /** How much an organization may store, unless it has limits of its own; null for no limit. */
      quota: { bytes: env.MEDIA_QUOTA_BYTES ?? null, items: env.MEDIA_QUOTA_ITEMS ?? null },
      /** How long a request may go without a byte before the upload server ends it. */
      idleSeconds: env.UPLOAD_IDLE_SECONDS,
      /** The URL at which uploads are created. */
      url: `${env.UPLOAD_URL ?? `${env.ASSET_BASE_URL}/files`}/`,
      /** The part of `Location` before the id of an upload, unless a proxy names its own prefix. */
      locationBase: env.UPLOAD_URL ?? `${new URL(env.ASSET_BASE_URL).pathname.replace(/\/$/, '')}/files`,
      hookSecret: env.HOOK_SECRET,
    },
    processing: {
      ffmpegPath: env.FFMPEG_PATH,
      ffprobePath: env.FFPROBE_PATH,
      /** In LUFS, after EBU R128. */
      targetLoudness: env.LOUDNORM_TARGET_LUFS,
      /** How often an attempt writes a sign of life, in milliseconds. */
      beatMs: env.PROCESSING_BEAT_MS,
      /** How many items one process works on at a time, in each step. */
      concurrency: env.MEDIA_CONCURRENCY,
    },
    assets: {
      ...assetsOf(env),
      /** The longest that a signed link is valid. */
      linkSeconds: env.MEDIA_LINK_SECONDS,
      /** How long a presigned link is valid: those of S3 can't be called back. */
      presignSeconds: env.MEDIA_PRESIGN_SECONDS ?? (isDocumented(env) ? 3_600 : 300),
      linkSecrets: linkSecretsOf(env),
    },
    nodes: {
      timeoutMs: env.STREAMER_TIMEOUT_MS,
      /** How long a proxied exchange may be idle, and how long it may take in all. */
      proxyLimits: { idleMs: env.NODE_PROXY_IDLE_MS, totalMs: env.NODE_PROXY_TOTAL_MS },
      /** How often each origin of a channel is checked, in milliseconds. */
      originPollMs: env.ORIGIN_POLL_MS,
      /** Whether a check orders a stream again that its streamer does not have. */
      restoreStreams: env.RESTORE_STREAMS,
      /** How often each node is pinged, in milliseconds. */
      nodePollMs: env.NODE_POLL_MS,
      /** The networks in which nodes may be, besides the public internet. */
      networks: nodeNetworks(env),
      /** Deprecated: `NODE_NETWORKS` replaces it. */
      oldLoopback: env.STREAMER_ALLOW_LOOPBACK,
      playbackUrl: env.PLAYBACK_URL_TEMPLATE,
    },
  }));

const isDocumented = ({ NODE_ENV, REST_AUTH }: { NODE_ENV: string; REST_AUTH?: string | undefined }) =>
  (REST_AUTH ?? (NODE_ENV === 'production' ? 'strict' : 'documented')) === 'documented';

interface LinkVariables {
  HOOK_SECRET: string;
  MEDIA_LINK_SECRET?: string | undefined;
  MEDIA_LINK_SECRET_PREVIOUS?: string | undefined;
}

/** The keys of signed links, the same in all processes: the first one signs, the others are still accepted. */
function linkSecretsOf(env: LinkVariables): LinkSecrets {
  const given = [env.MEDIA_LINK_SECRET ?? env.HOOK_SECRET, env.MEDIA_LINK_SECRET_PREVIOUS];
  const [present = '', ...previous] = given
    .filter((secret) => secret !== undefined)
    .map((secret) => createHmac('sha256', secret).update('asset links').digest('base64url'));
  return [present, ...previous];
}

/** The addresses at which files are read; `CONTENT_ORIGIN` takes precedence over the server's own. */
function assetsOf(env: { ASSET_BASE_URL: string; CONTENT_ORIGIN?: string | undefined; CDN_HOST?: string | undefined }) {
  const baseUrl = env.CONTENT_ORIGIN ?? env.ASSET_BASE_URL;
  return { baseUrl, cdnHost: env.CDN_HOST ?? `${baseUrl}/assets` };
}

interface S3Variables {
  S3_ENDPOINT?: string | undefined;
  S3_PUBLIC_ENDPOINT?: string | undefined;
  S3_REGION: string;
  S3_ACCESS_KEY?: string | undefined;
  S3_SECRET_KEY?: string | undefined;
  STORE_TIMEOUT_MS: number;
}

function s3Of({ S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY, ...env }: S3Variables) {
  if (!S3_ENDPOINT || !S3_ACCESS_KEY || !S3_SECRET_KEY) return undefined;
  return {
    endpoint: new URL(S3_ENDPOINT),
    publicEndpoint: new URL(env.S3_PUBLIC_ENDPOINT ?? S3_ENDPOINT),
    region: env.S3_REGION,
    accessKey: S3_ACCESS_KEY,
    secretKey: S3_SECRET_KEY,
    timeoutMs: env.STORE_TIMEOUT_MS,
  };
}

interface NodeVariables {
  NODE_ENV: string;
  NODE_NETWORKS?: string[] | undefined;
  STREAMER_ALLOW_LOOPBACK?: boolean | undefined;
}

function nodeNetworks({ NODE_ENV, NODE_NETWORKS, STREAMER_ALLOW_LOOPBACK }: NodeVariables): readonly string[] {
  const networks = NODE_NETWORKS ?? (NODE_ENV === 'production' ? [] : developmentNetworks);
  if (STREAMER_ALLOW_LOOPBACK === undefined) return networks;
  const others = networks.filter((network) => !(loopback as readonly string[]).includes(network));
  return STREAMER_ALLOW_LOOPBACK ? [...others, ...loopback] : others;
}

/** Reads the configuration of media. @throws {ConfigError} naming the variable that can't be used */
export function readConfig(env: NodeJS.ProcessEnv) {
  const config = parseConfig(Env, env);
  const { networks } = config.nodes;
  return { ...config, nodes: { ...config.nodes, addresses: { networks, services: ownServicesIn(env, networks) } } };
}

export type Config = ReturnType<typeof readConfig>;

/** What its operators should know of a configuration that can be used. */
export function warningsAbout({ nodes, restAuth, uploads }: Config): string[] {
  const warnings: string[] = [];
  if (nodes.oldLoopback !== undefined)
    warnings.push('STREAMER_ALLOW_LOOPBACK is deprecated: name the networks of nodes in NODE_NETWORKS');
  const hasQuota = uploads.quota.bytes !== null || uploads.quota.items !== null;
  if (hasQuota && restAuth === 'documented')
    warnings.push('no quota limits the open route POST /api/media/prepare: set REST_AUTH=strict');
  return warnings;
}
