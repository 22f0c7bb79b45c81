import { authRecords, claims, coreRecords } from './claims.ts';
import { knownDeviations } from './deviations.ts';
import { authInternal, coreInternal } from './internal.ts';
import { errors, limits } from './limits.ts';
import { events, protectedRoutes } from './protected.ts';
import { loginRules, publicRoutes } from './public-routes.ts';
import { revocation } from './revocation.ts';
import { roles } from './roles.ts';
import { flows, service } from './service.ts';
import { startUpSequence } from './start-up.ts';
import { accountStates, organizationStatus } from './states.ts';
import { tenancyRules } from './tenancy-rules.ts';
import { tenancyRoutes } from './tenancy.ts';
import { permissionCheck, serviceToService, tokens } from './tokens.ts';

/** Document 1, section by section. */
export const identity = {
  'What the service does': service,
  'Start-up sequence': startUpSequence,
  'Access token claims': claims,
  'Records of the auth service': authRecords,
  'Records of the core service': coreRecords,
  'Seeded roles and permission catalog': roles,
  'Organization status': organizationStatus,
  'User account_state': accountStates,
  'Auth service: public routes': publicRoutes,
  'Login rules': loginRules,
  'Invite, redeem and reset flows': flows,
  'Auth service: internal routes': authInternal,
  'Core service: internal routes': coreInternal,
  'Core service: identity and tenancy routes': tenancyRoutes,
  'Rules of the tenancy routes': tenancyRules,
  'Tokens and cookies': tokens,
  'Service-to-service': serviceToService,
  'How a permission check is resolved': permissionCheck,
  Revocation: revocation,
  'Which routes are protected': protectedRoutes,
  'Known deviations': knownDeviations,
  Events: events,
  Errors: errors,
  'Limits and versioning': limits,
};
