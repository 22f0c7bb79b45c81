/** Preloaded into a server (`node --import`): it runs from its sources, because a bundle contains copies of them. */
import { registerHooks } from 'node:module';

const sources = new URL('../../server/src/single-process/serve.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => next(specifier.includes('/foyer-bundle/') ? sources : specifier, context),
});
