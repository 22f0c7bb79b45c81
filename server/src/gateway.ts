import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createGateway, foyerExamples, type Gateway, type Outside } from '@foyer/gateway/app';

import type { Later } from './unwinding.ts';

const supergraph = join(import.meta.dirname, '../../gateway/supergraph.graphql');

interface GatewayAt extends Omit<Outside, 'supergraphSdl' | 'validated' | 'examples'> {
  later: Later;
}

/** The gateway over Foyer's own subgraphs, wherever they are. */
export async function openGateway({ later, ...options }: GatewayAt): Promise<Gateway> {
  const supergraphSdl = await readFile(supergraph, 'utf8');
  const ours = { supergraphSdl, validated: true, examples: foyerExamples() };
  return later(await createGateway({ ...options, ...ours }), (open) => open.stop());
}
