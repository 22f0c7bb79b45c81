import { describe, expect, it } from 'vitest';

import { readServerConfig } from './composition/configuration.ts';
import { readConfig } from './config.ts';

describe('an address in a variable', () => {
  it.each([
    'PUBLIC_URL',
    'AUTH_BASE_URL',
    'ASSET_BASE_URL',
    'CDN_HOST',
    'UPLOAD_URL',
    'IDP_URL',
    'PAYMENT_GATEWAY_URL',
    'PAYMENT_GATEWAY_PUBLIC_URL',
  ])('%s begins with http or https: a host with a port alone would be read as a URL without an origin', (variable) => {
    expect(() => readConfig({ [variable]: 'foyer.example:8443' })).toThrow(
      `${variable}: must be a URL such as https://foyer.example`,
    );
    expect(() => readConfig({ [variable]: 'https://foyer.example:8443/' })).not.toThrow();
  });
});

it('an empty variable counts as unset where its default follows from another, in production too', () => {
  const empty = { MEDIA_DIR: '', ASSET_BASE_URL: '', PUBLIC_URL: '', DATA_DIR: '' };
  expect(() => readServerConfig({ NODE_ENV: 'production', ...empty })).toThrow(
    /^(?!.*(MEDIA_DIR|ASSET_BASE_URL|PUBLIC_URL))/s,
  );
});
