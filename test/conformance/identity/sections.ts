import { knownDeviations } from './deviations.ts';
import { loginRules, publicRoutes } from './public-routes.ts';

/** Document 1, section by section. */
export const identity = {
  'Auth service: public routes': publicRoutes,
  'Login rules': loginRules,
  'Known deviations': knownDeviations,
};
