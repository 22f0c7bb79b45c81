/** What tests and the shared server both know. */
export const INTERNAL_PSK = 'a secret that two services share';
export const HOOK_SECRET = 'a secret of the upload server';
/** A front-end on another origin, which may call with credentials. */
export const CONSOLE_ORIGIN = 'https://console.example';
