import { developmentNetworks, loopback } from '@foyer/shared/http/addresses/address-policy';
import { ConfigError } from '@foyer/shared/config/config';
import { describe, expect, it } from 'vitest';

import { readConfig, warningsAbout } from './config.ts';

const base = {
  MEDIA_DIR: '/tmp/media',
  HOOK_SECRET: 'a secret for tests only',
  ASSET_BASE_URL: 'http://localhost/',
  DATABASE_URL: 'postgresql://localhost/foyer',
};
const s3 = { S3_ENDPOINT: 'http://localhost:9000', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' };

describe('the configuration of media', () => {
  it('puts the object store on disk, or on S3 where that is fully configured', () => {
    expect(readConfig(base).store).toEqual({ folder: '/tmp/media', bucket: 'media', s3: undefined });
    expect(readConfig({ ...base, ...s3, S3_BUCKET: 'films' }).store).toEqual({
      folder: '/tmp/media',
      bucket: 'films',
      s3: {
        endpoint: new URL(s3.S3_ENDPOINT),
        publicEndpoint: new URL(s3.S3_ENDPOINT),
        region: 'us-east-1',
        accessKey: 'key',
        secretKey: 'secret',
        timeoutMs: 15_000,
      },
    });
  });

  it('signs links for the public endpoint of S3, which must not have a path', () => {
    const at = (url: string) => readConfig({ ...base, ...s3, S3_PUBLIC_ENDPOINT: url }).store.s3?.publicEndpoint;
    expect(at('https://files.test')).toEqual(new URL('https://files.test'));
    expect(() => at('https://files.test/s3')).toThrow('S3_PUBLIC_ENDPOINT: must have no path');
  });

  it.each(['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const)('refuses half of S3: without %s', (name) => {
    expect(() => readConfig({ ...base, ...s3, [name]: undefined })).toThrow(ConfigError);
    expect(() => readConfig({ ...base, ...s3, [name]: undefined })).toThrow(name);
  });

  it('names the URL for uploads: ours, or that of the upload server', () => {
    expect(readConfig(base).uploads.url).toBe('http://localhost/files/');
    expect(readConfig({ ...base, UPLOAD_URL: 'https://up.test/files/' }).uploads.url).toBe('https://up.test/files/');
  });

  it('keeps the prefix under which an upload was created', () => {
    const baseOf = (env: object) => readConfig({ ...base, ...env }).uploads.locationBase;
    expect(baseOf({})).toBe('/files');
    expect(baseOf({ ASSET_BASE_URL: 'https://foyer.test/core/' })).toBe('/core/files');
    expect(baseOf({ UPLOAD_URL: 'https://up.test/media/files/' })).toBe('https://up.test/media/files');
  });

  it('warns of quotas while a route is open that they do not limit', () => {
    const warnings = (env: object) => warningsAbout(readConfig({ ...base, ...env }));
    expect(warnings({ MEDIA_QUOTA_BYTES: '100' })).toEqual([expect.stringContaining('REST_AUTH=strict')]);
    expect(warnings({ MEDIA_QUOTA_ITEMS: '1' })).toHaveLength(1);
    expect(warnings({ MEDIA_QUOTA_BYTES: '100', REST_AUTH: 'strict' })).toEqual([]);
    expect(warnings({})).toEqual([]);
  });

  const production = { ...base, NODE_ENV: 'production', REST_AUTH: 'strict', OWN_SERVICES: 'redis:6379' };

  it('allows nodes on this machine and private networks; in production only those of NODE_NETWORKS', () => {
    expect(readConfig(base).nodes.addresses.networks).toEqual(developmentNetworks);
    expect(readConfig({ ...base, NODE_NETWORKS: '10.20.0.0/16' }).nodes.addresses.networks).toEqual(['10.20.0.0/16']);
    expect(readConfig(production).nodes.addresses.networks).toEqual([]);
    expect(readConfig({ ...production, NODE_NETWORKS: '10.0.0.8' }).nodes.addresses.networks).toEqual(['10.0.0.8/32']);
    expect(() => readConfig({ ...base, NODE_NETWORKS: 'streamers' })).toThrow('NODE_NETWORKS');
  });

  it('refuses production where anybody may register a node and NODE_NETWORKS is unset', () => {
    const open = { ...production, REST_AUTH: 'documented' };
    expect(() => readConfig(open)).toThrow(ConfigError);
    expect(() => readConfig(open)).toThrow('NODE_NETWORKS');
    expect(readConfig({ ...open, NODE_NETWORKS: 'none' }).nodes.addresses.networks).toEqual([]);
    expect(readConfig({ ...open, NODE_NETWORKS: '10.20.0.0/16' }).nodes.addresses.networks).toEqual(['10.20.0.0/16']);
  });

  it('refuses to open a network in production without OWN_SERVICES', () => {
    const blind = { ...production, OWN_SERVICES: undefined, NODE_NETWORKS: '10.20.0.0/16' };
    expect(() => readConfig(blind)).toThrow('OWN_SERVICES');
  });

  it('still reads STREAMER_ALLOW_LOOPBACK', () => {
    const networksOf = (env: NodeJS.ProcessEnv) => readConfig(env).nodes.addresses.networks;
    expect(networksOf({ ...production, STREAMER_ALLOW_LOOPBACK: 'true' })).toEqual(loopback);
    expect(networksOf({ ...base, STREAMER_ALLOW_LOOPBACK: 'false' })).not.toContain('127.0.0.0/8');
  });

  it.each([
    [{ REST_AUTH: 'documented' }, 3_600],
    [{ REST_AUTH: 'strict' }, 300],
    [{ REST_AUTH: 'documented', MEDIA_PRESIGN_SECONDS: '120' }, 120],
  ])('lets presigned links last an hour only for clients of the documents: %j', (env, seconds) => {
    expect(readConfig({ ...base, ...env }).assets.presignSeconds).toBe(seconds);
  });
});
