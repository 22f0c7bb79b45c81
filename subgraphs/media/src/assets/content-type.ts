import mime from 'mime';

/** Documents that can run scripts: they are served into a sandbox, so that they can't act as this house. */
const active = /^(text\/html|application\/xhtml\+xml|image\/svg\+xml|(text|application)\/xml|.*\+xml)/;

/** The headers by which a browser knows what it gets, from the name alone: what the client claimed is not believed. */
export function typeHeaders(key: string): Record<string, string> {
  const type = mime.getType(key) ?? 'application/octet-stream';
  return {
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'x-content-type-options': 'nosniff',
    ...(active.test(type) && {
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    }),
  };
}
