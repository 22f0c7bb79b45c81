import type { AddressPolicy } from '@foyer/shared/http/address-policy';

type Judge = Pick<AddressPolicy, 'problemOf'>;

/** Schemes that a streamer takes a stream in by; of the second kind it connects to the host (SRT may listen), of the first it listens. */
const listening = ['udp', 'rtp'];
const connecting = ['srt', 'rtmp', 'http', 'https'];

/** Without blanks and backslashes, which some readers of URLs skip and others take for a slash. */
const URL_PARTS = /^([a-z]+):\/\/(?:[^/?#\s\\]*@)?(\[[^\]\s\\]*\]|[^/?#:\s\\]*)(?::\d{1,5})?([/?#]|$)/i;

const isAnyAddress = (host: string) => ['', '0.0.0.0', '::'].includes(host);

/** Whether a streamer would wait at a SRT address; readers take either of two modes, so all must say so. */
function listens(url: string): boolean {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  const modes = new URLSearchParams(query).getAll('mode');
  return modes.length > 0 && modes.every((mode) => mode === 'listener');
}

/**
 * What is wrong with the address that a streamer should take a stream from; undefined when nothing is. The streamer
 * connects, not we; but nobody sends it where our own requests may not go.
 */
export function problemOfIngestUrl(url: string | null, addresses: Judge): string | undefined {
  const [, scheme = '', bracketed = ''] = URL_PARTS.exec(url?.trim() ?? '') ?? [];
  const kind = scheme.toLowerCase();
  const host = bracketed.replaceAll(/[[\]]/g, '');
  if (listening.includes(kind)) return undefined;
  if (!connecting.includes(kind))
    return 'The ingest URL begins with udp://, rtp://, srt://, rtmp://, http:// or https://, and names a host.';
  if (kind === 'srt' && isAnyAddress(host))
    return listens(url ?? '') ? undefined : 'An SRT URL names a host, or says mode=listener.';
  const problem = addresses.problemOf(host.toLowerCase());
  return (
    problem &&
    (problem === 'forbidden' ? 'A streamer may not take a stream from this address.' : 'The ingest URL names no host.')
  );
}
