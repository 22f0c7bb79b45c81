import mime from 'mime';

/** Types of documents that can run scripts: they may also load nothing from anywhere. */
const active = /^(text\/html|application\/xhtml\+xml|image\/svg\+xml|(text|application)\/xml|.*\+xml)/;

/** Browsers show PDF with a built-in viewer, which a sandbox blocks and which isolates scripts itself. */
const PDF = 'application/pdf';

/**
 * Returns the headers that tell a browser the type of an object, by its name alone: the type that the client claimed is
 * not trusted. A file that is opened as a page is sandboxed, so that it can't act with our origin.
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
