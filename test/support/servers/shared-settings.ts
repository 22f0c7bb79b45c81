/** What tests and the shared server both know. */
export const INTERNAL_PSK = 'a secret that two services share';
export const HOOK_SECRET = 'a secret of the upload server';
/** A front-end on another origin, which may call with credentials. */
export const CONSOLE_ORIGIN = 'https://console.example';
/** Where people are sent by mail, where another page than ours signs them in. */
export const FRONTEND_URL = 'https://login.acme.test';
/** The secret that services shared before. */
export const INTERNAL_PSK_PREVIOUS = 'the secret that they shared before';
/** A server whose files are reached at other addresses than its own. */
export const ELSEWHERE = {
  UPLOAD_URL: 'https://up.test/core/files/',
  ASSET_BASE_URL: 'https://foyer.test/core/',
  CDN_HOST: 'https://cdn.foyer.test',
};
