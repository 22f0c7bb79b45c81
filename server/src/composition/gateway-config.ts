import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readConfig, type Config } from '@foyer/gateway/config';
import { assertNamesKnown } from '@foyer/gateway/configuration-file/known-names';
import { readTrustedDocuments } from '@foyer/gateway/documents/trusted-documents-file';

/** The supergraph of Foyer's own subgraphs. */
export const supergraphFile: string = join(import.meta.dirname, '../../../gateway/supergraph.graphql');

const keys = { shared: 'GRAPHQL_SHARED_SUBSCRIPTIONS', labels: 'GRAPHQL_OVERRIDE_LABELS' };

/**
 * Reads the configuration of the gateway over Foyer's own subgraphs, with what it names: documents, and parts of the
 * supergraph.
 *
 * @throws {ConfigError} naming the variable that can't be used
 */
export function readGatewayConfig(env: NodeJS.ProcessEnv): Config {
  const config = readConfig(env);
  const { trustedDocuments, streams, overrideLabels } = config;
  if (trustedDocuments.file) readTrustedDocuments(trustedDocuments.file);
  if (streams.shared.length > 0 || overrideLabels.length > 0)
    assertNamesKnown({ addresses: {}, config, keys }, readFileSync(supergraphFile, 'utf8'));
  return config;
}
