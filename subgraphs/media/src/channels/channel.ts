import { badInput, type InputError } from '@foyer/shared/errors';
import { z } from 'zod';

import { originOf } from '@foyer/shared/http/addresses/address';
import type { AddressPolicy } from '@foyer/shared/http/addresses/address-policy';

import { problemOfIngestUrl } from './ingest-url.ts';

export type SourceType = 'udp' | 'pl';

type Addresses = Pick<AddressPolicy, 'problemOf'>;

export interface ChannelPlan {
  name: string;
  /** The client's own words for the kind of source and the picture quality; null where it sent none. */
  sourceLabel: string | null;
  quality: string | null;
  sourceType: SourceType;
  ingestConfig: Record<string, unknown>;
  transcodeConfig: Record<string, unknown>;
  origins: readonly OriginPlan[];
}

export interface OriginPlan {
  /** As the client sent it. */
  streamerId: string;
  ingestUrl: string | null;
}

const NAME_LIMIT = 200;
const WORD_LIMIT = 50;
const ORIGIN_LIMIT = 50;
/** Characters of a configuration as JSON: whole lists of channels are in memory at once. */
const CONFIG_LIMIT = 16_000;
const URL_LIMIT = 2_000;

const duration = z
  .string()
  .regex(/^(\d+(\.\d+)?(ms|s|m|h))+$/, 'A duration is a number and a unit, such as 500ms or 1m30s.');

const Ingest = z.looseObject({
  chunkDuration: duration.optional(),
  fragmentDuration: duration.optional(),
  netTimeout: duration.optional(),
  forceClean: z.boolean('This is true or false.').optional(),
});

const LoopIngest = Ingest.extend({
  url: z
    .string('A loop needs the url of what is looped.')
    .startsWith('pl:///', 'The url of a loop begins with pl:///.'),
});

/**
 * Reads a client's word for a kind of source: `udp`, `UDP multicast`, `udp_multicast`, `multicast`; or `pl`,
 * `pl:///`, `pl_loop`, `playlist`, `loop`. Undefined for anything else.
 */
export function sourceTypeOf(text: string): SourceType | undefined {
  const [first = ''] = text.toLowerCase().match(/[a-z]+/) ?? [];
  if (first === 'udp' || first === 'multicast') return 'udp';
  return ['pl', 'playlist', 'loop'].includes(first) ? 'pl' : undefined;
}

/**
 * Returns the id of a channel's stream on every streamer: `Morning News 2` becomes `morning_news_2.stream`.
 * Words are runs of letters and digits of any script; a name without any gives null.
 */
export function streamIdOf(name: string): string | null {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words && `${words.join('_')}.stream`;
}

/** What a request brings of a plan; the rest was stored before. */
interface Given {
  ingestConfig?: Record<string, unknown> | null | undefined;
  transcodeConfig?: Record<string, unknown> | null | undefined;
  origins?: readonly Partial<{ ingestUrl: string | null | undefined }>[] | null | undefined;
}

/**
 * Checks the plan of a channel.
 *
 * @param addresses the policy for the addresses from which a streamer may take a stream
 * @param given whose size is limited: a channel from before the limits can still be changed
 * @throws {Refusal} `VALIDATION_FAILED`, naming every invalid field
 */
export function checkChannel(plan: ChannelPlan, addresses: Addresses, given: Given = plan): void {
  const errors = [
    ...problemsOfName(plan.name),
    ...problemsOfWord('sourceType', plan.sourceLabel),
    ...problemsOfWord('quality', plan.quality),
    ...problemsOfIngest(plan),
    ...problemsOfSize('ingestConfig', given.ingestConfig),
    ...problemsOfSize('transcodeConfig', given.transcodeConfig),
    ...problemsOfLength(given.origins),
    ...problemsOfOrigins(plan, addresses),
  ];
  if (errors.length > 0) throw badInput(errors);
}

function problemsOfName(name: string): InputError[] {
  if (name.length > NAME_LIMIT) return [{ path: 'name', message: `The name has at most ${NAME_LIMIT} characters.` }];
  return streamIdOf(name) ? [] : [{ path: 'name', message: 'The name needs at least one letter or digit.' }];
}

function problemsOfWord(path: string, word: string | null): InputError[] {
  if (!word || (word.length <= WORD_LIMIT && !/\p{Cc}/u.test(word))) return [];
  return [{ path, message: `This has at most ${WORD_LIMIT} characters, and no control characters.` }];
}

function problemsOfSize(path: string, config: Given['ingestConfig']): InputError[] {
  if (!config || JSON.stringify(config).length <= CONFIG_LIMIT) return [];
  return [{ path, message: `This has at most ${CONFIG_LIMIT} characters as JSON.` }];
}

const problemsOfLength = (origins: Given['origins']): InputError[] =>
  (origins ?? []).flatMap(({ ingestUrl }, index) =>
    (ingestUrl ?? '').length <= URL_LIMIT
      ? []
      : [{ path: `origins.${index}.ingestUrl`, message: `The ingest URL has at most ${URL_LIMIT} characters.` }],
  );

function problemsOfIngest({ sourceType, ingestConfig }: ChannelPlan): InputError[] {
  const { error } = (sourceType === 'pl' ? LoopIngest : Ingest).safeParse(ingestConfig);
  return (error?.issues ?? []).map(({ path, message }) => ({ path: ['ingestConfig', ...path].join('.'), message }));
}

function problemsOfOrigins({ sourceType, origins }: ChannelPlan, addresses: Addresses): InputError[] {
  if (origins.length === 0 || origins.length > ORIGIN_LIMIT) {
    return [{ path: 'origins', message: `A channel has 1 to ${ORIGIN_LIMIT} origins.` }];
  }
  return origins.flatMap(({ streamerId, ingestUrl }, index) => {
    const path = `origins.${index}`;
    if (origins.findIndex((other) => other.streamerId === streamerId) !== index) {
      return [{ path: `${path}.streamerId`, message: 'A channel has one origin on each streamer.' }];
    }
    const problem = sourceType === 'udp' ? problemOfIngestUrl(ingestUrl, addresses) : undefined;
    return problem ? [{ path: `${path}.ingestUrl`, message: problem }] : [];
  });
}

/**
 * Returns the payload of a stream for a streamer: the ingest and the transcode configuration as one object. Multicast takes
 * its `url` from the origin; a loop has its own, and the origin's is ignored.
 */
export function streamPayload(
  { sourceType, ingestConfig, transcodeConfig }: Pick<ChannelPlan, 'sourceType' | 'ingestConfig' | 'transcodeConfig'>,
  { ingestUrl }: { ingestUrl: string | null },
): Record<string, unknown> {
  return { ...transcodeConfig, ...ingestConfig, ...(sourceType === 'udp' && { url: ingestUrl }) };
}

/** Returns the playback URL of a stream. The template contains `{host}`, `{httpPort}` and `{streamId}`. */
export function playbackUrlOf(template: string, node: { host: string; httpPort: number }, streamId: string): string {
  const { hostname } = new URL(originOf(node.host, node.httpPort));
  return template
    .replaceAll('{host}', hostname)
    .replaceAll('{httpPort}', String(node.httpPort))
    .replaceAll('{streamId}', encodeURIComponent(streamId));
}
