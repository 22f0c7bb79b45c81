import type { AddressPolicy } from '@foyer/shared/http/addresses/address-policy';

type Addresses = Pick<AddressPolicy, 'problemOf'>;

/** The schemes of ingest URLs: with the first kind a streamer listens; with the second it connects to the host (SRT may also listen). */
const listening = ['udp', 'rtp'];
const connecting = ['srt', 'rtmp', 'http', 'https'];

/** Without blanks and backslashes, which some URL parsers skip and others take for a slash. */
const URL_PARTS = /^([a-z]+):\/\/(?:[^/?#\s\\]*@)?(\[[^\]\s\\]*\]|[^/?#:\s\\]*)(?::\d{1,5})?([/?#]|$)/i;

const isAnyAddress = (host: string) => ['', '0.0.0.0', '::'].includes(host);

/** Whether a streamer would listen at an SRT address. With several `mode`s parsers differ in which counts, so all must be `listener`. */
function listens(url: string): boolean {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  const modes = new URLSearchParams(query).getAll('mode');
  return modes.length > 0 && modes.every((mode) => mode === 'listener');
}

/**
 * Returns what is wrong with an ingest URL; undefined when nothing is. A streamer may not be sent to addresses that our own
 * requests may not reach either.
 */
export function problemOfIngestUrl(url: string | null, addresses: Addresses): string | undefined {
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
