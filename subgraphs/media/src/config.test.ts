import { ConfigError } from '@foyer/shared/config';
import { describe, expect, it } from 'vitest';

import { readConfig } from './config.ts';

const house = {
  MEDIA_DIR: '/tmp/media',
  HOOK_SECRET: 'a secret for tests only',
  ASSET_BASE_URL: 'http://localhost/',
  DATABASE_URL: 'postgresql://localhost/foyer',
};
const s3 = { S3_ENDPOINT: 'http://localhost:9000', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' };

describe('the configuration of media', () => {
  it('has the object store on disk, or on S3 where that is named whole', () => {
    expect(readConfig(house).store).toEqual({ folder: '/tmp/media', bucket: 'media', s3: undefined });
    expect(readConfig({ ...house, ...s3, S3_BUCKET: 'films' }).store).toEqual({
      folder: '/tmp/media',
      bucket: 'films',
      s3: {
        endpoint: new URL(s3.S3_ENDPOINT),
        publicEndpoint: new URL(s3.S3_ENDPOINT),
        region: 'us-east-1',
        accessKey: 'key',
        secretKey: 'secret',
      },
    });
  });

  it('signs links for where others reach S3, which must not have a path', () => {
    const at = (url: string) => readConfig({ ...house, ...s3, S3_PUBLIC_ENDPOINT: url }).store.s3?.publicEndpoint;
    expect(at('https://files.test')).toEqual(new URL('https://files.test'));
    expect(() => at('https://files.test/s3')).toThrow('S3_PUBLIC_ENDPOINT: must have no path');
  });

  it.each(['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const)('refuses half of S3: without %s', (name) => {
    expect(() => readConfig({ ...house, ...s3, [name]: undefined })).toThrow(ConfigError);
    expect(() => readConfig({ ...house, ...s3, [name]: undefined })).toThrow(name);
  });

  it('says where uploads are created: here, or with the upload server', () => {
    expect(readConfig(house).uploads.url).toBe('http://localhost/files/');
    expect(readConfig({ ...house, UPLOAD_URL: 'https://up.test/files/' }).uploads.url).toBe('https://up.test/files/');
  });
});
