import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createGateway, foyerExamples, type Gateway, type GatewayOptions as Options } from '@foyer/gateway/app';

const supergraph = join(import.meta.dirname, '../../../gateway/supergraph.graphql');

interface GatewayOptions extends Omit<Options, 'supergraphSdl' | 'validated' | 'examples' | 'loginPath'> {
  stack: AsyncDisposableStack;
}

/** The gateway over Foyer's own subgraphs, wherever they are. */
export async function openGateway({ stack, ...options }: GatewayOptions): Promise<Gateway> {
  const supergraphSdl = await readFile(supergraph, 'utf8');
  const loginPath = '/login?redirect_uri=/graphql';
  const ours = { supergraphSdl, validated: true, examples: foyerExamples(), loginPath };
  return stack.adopt(await createGateway({ ...options, ...ours }), (open) => open.stop());
}
