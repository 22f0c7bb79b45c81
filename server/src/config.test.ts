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

describe('a value with which a part could not work', () => {
  const all = { server: readConfig, 'upload server': readUploadServerConfig, ...readers };

  it.each<[string, readonly (keyof typeof all)[], readonly string[], readonly string[]]>([
    ['AUTH_JWT_REFRESH_EXPIRY', ['identity'], ['0', '0s', '99999999d'], ['1s', '7d']],
    ['MAGIC_LINK_TOKEN_DURATION', ['identity'], ['0m', '99999999d'], ['10m']],
    ['AUTH_JWT_ACCESS_EXPIRY', ['identity'], ['0', '99999999999'], ['900']],
    ['ORDER_HOLD_MINUTES', ['ticketing'], ['0', '99999999999'], ['15']],
    ['CUSTOMER_TOKEN_HOURS', ['ticketing'], ['0', '99999999'], ['24']],
    ['UPLOAD_TOKEN_MINUTES', ['media'], ['0', '99999999999'], ['0.5']],
    // Longer timers of Node fire at once.
    ['SUBGRAPH_TIMEOUT_MS', ['server', 'gateway'], ['0', '3000000000'], ['30000']],
    ['DRAIN_MS', ['server', 'gateway', 'upload server'], ['-1', '3000000000'], ['0', '30000']],
    ['SESSION_STREAM_HEARTBEAT_MS', ['identity'], ['10', '3000000000'], ['25000']],
    ['GRAPHQL_RECHECK_MS', ['gateway'], ['0', '3000000000'], ['5000']],
    ['NODE_POLL_MS', ['media'], ['0', '3000000000'], ['30000']],
    ['STORE_TIMEOUT_MS', ['media', 'ticketing'], ['0', '3000000000'], ['15000']],
    ['PAYMENT_GATEWAY_TIMEOUT_MS', ['ticketing'], ['0', '3000000000'], ['10000']],
    [
      'AUTH_COOKIE_DOMAIN',
      ['identity'],
      ['a b', 'https://foyer.example', 'foyer.example/'],
      ['.foyer.example', 'localhost'],
    ],
    [
      'MAIL_FROM',
      ['identity', 'ticketing'],
      ['nobody', 'Foyer <nobody>', 'a@b, c@d'],
      ['a@b', '"Foyer" <a@b.example>'],
    ],
    ['MAIL_FROM_DOMAINS', ['identity'], ['@acme.test', 'acme.test,!'], ['acme.test, other.example']],
    [
      'PUBLIC_URL',
      ['server', 'identity', 'ticketing', 'REST routes'],
      ['http://a.example/?b=c', 'http://a.example/#b'],
      ['http://a.example/b'],
    ],
    [
      'DEMO_PASSWORD',
      ['server', 'identity'],
      ['Short-1', 'password-1', 'PASSWORD-1', 'Password-one', 'Password1'],
      ['Password-1'],
    ],
    ['S3_PUBLIC_ENDPOINT', ['media'], ['x', 'http://a.example/b'], ['http://a.example']],
    [
      'PLAYBACK_URL_TEMPLATE',
      ['media'],
      ['x', 'http://{host}/live', 'http://{hots}/{streamId}'],
      ['https://cdn.example/{streamId}.m3u8', 'https://cdn.example/live.m3u8?stream={streamId}'],
    ],
    ['TRUSTED_DOCUMENTS_ONLY', ['gateway'], ['true'], ['false']],
    ['TRUSTED_DOCUMENTS', ['gateway'], ['/nope'], []],
    ['GRAPHQL_SHARED_SUBSCRIPTIONS', ['gateway'], ['nope', 'mediaChanged,nope'], ['mediaChanged', '*']],
    ['GRAPHQL_OVERRIDE_LABELS', ['gateway'], ['!'], []],
  ])('%s is named', (name, readBy, refused, accepted) => {
    const line = new RegExp(
      `^ *${name === 'TRUSTED_DOCUMENTS_ONLY' ? 'TRUSTED_DOCUMENTS' : name}(\\.[^:]+)?: (?!is missing)`,
      'm',
    );
    for (const reader of readBy) {
      for (const value of refused)
        expect([value, messageOf(() => all[reader]({ [name]: value }))]).toEqual([value, expect.stringMatching(line)]);
      for (const value of accepted)
        expect([value, messageOf(() => all[reader]({ [name]: value }))]).toEqual([
          value,
          expect.not.stringMatching(line),
        ]);
    }
  });
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
