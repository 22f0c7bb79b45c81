import mime from 'mime';

/** Documents that can run scripts: besides, they load nothing from anywhere. */
const active = /^(text\/html|application\/xhtml\+xml|image\/svg\+xml|(text|application)\/xml|.*\+xml)/;

/** Browsers show it with a part of their own, which no sandbox lets in, and which keeps its scripts to itself. */
const PDF = 'application/pdf';

/**
 * The headers by which a browser knows what it gets, from the name alone: what the client claimed is not believed. As a
 * page of its own a file stands in a sandbox, so that it can't act as this house; within a page that makes no difference.
 */
export function typeHeaders(key: string): Record<string, string> {
  const type = mime.getType(key) ?? 'application/octet-stream';
  return {
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'x-content-type-options': 'nosniff',
    ...(type !== PDF && { 'content-security-policy': active.test(type) ? `sandbox; ${INERT}` : 'sandbox' }),
  };
}

const INERT = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
