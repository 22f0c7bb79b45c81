/** The settings that tests and the shared server share. */
export const INTERNAL_PSK = 'a secret that two services share';
export const HOOK_SECRET = 'a secret of the upload server';
/** A front-end on another origin, which may call with credentials. */
export const CONSOLE_ORIGIN = 'https://console.example';
/** The base of links in mails, for a login page other than ours. */
export const FRONTEND_URL = 'https://login.acme.test';
/** The previous secret of services. */
export const INTERNAL_PSK_PREVIOUS = 'the secret that they shared before';
/** The variables of a server whose files have other addresses than its own. */
export const ELSEWHERE = {
  UPLOAD_URL: 'https://up.test/core/files/',
  ASSET_BASE_URL: 'https://foyer.test/core/',
  CDN_HOST: 'https://cdn.foyer.test',
};
