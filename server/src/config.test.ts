import { describe, expect, it } from 'vitest';

import { readConfig as readUploadServerConfig } from '@foyer/media/upload-server/config';
import { readers, readServerConfig } from './composition/configuration.ts';
import { readConfig } from './config.ts';

describe('an address in a variable', () => {
  const all = { server: readConfig, 'upload server': readUploadServerConfig, ...readers };

  it.each<[string, readonly (keyof typeof all)[]]>([
    ['PUBLIC_URL', ['server', 'identity', 'ticketing', 'REST routes', 'upload server']],
    ['AUTH_BASE_URL', ['identity']],
    ['IDP_URL', ['server', 'identity']],
    ['PAYMENT_GATEWAY_URL', ['server', 'ticketing']],
    ['PAYMENT_GATEWAY_PUBLIC_URL', ['ticketing']],
    ['ASSET_BASE_URL', ['media']],
    ['CDN_HOST', ['media']],
    ['UPLOAD_URL', ['media']],
    ['HOOK_URL', ['upload server']],
  ])(
    '%s begins with http or https: a host with a port alone would be read as a URL without an origin',
    (name, readBy) => {
      const refused = `${name}: must be a URL such as https://foyer.example`;
      for (const reader of readBy) {
        expect(() => all[reader]({ [name]: 'foyer.example:8443' })).toThrow(refused);
        expect(messageOf(() => all[reader]({ [name]: 'https://foyer.example:8443/' }))).not.toContain(refused);
      }
    },
  );
});

/** Of what is missing besides. */
function messageOf(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

it('an empty variable counts as unset where its default follows from another, in production too', () => {
  const empty = { MEDIA_DIR: '', ASSET_BASE_URL: '', PUBLIC_URL: '', DATA_DIR: '' };
  expect(() => readServerConfig({ NODE_ENV: 'production', ...empty })).toThrow(
    /^(?!.*(MEDIA_DIR|ASSET_BASE_URL|PUBLIC_URL))/s,
  );
});
