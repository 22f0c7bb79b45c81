import type { FastifyInstance } from 'fastify';

import { OtherAnswer, type Edge } from '../route.ts';
import {
  askForCustomerReset,
  confirmCustomerReset,
  showCustomerForgotten,
  showCustomerReset,
  showVerification,
  verify,
} from './account.ts';
import { mountPage } from './page-context.ts';
import { endDevice, endOtherDevices, showDevices, logout } from './devices.ts';
import { acceptInvitation, showMagicLink } from './magic-link.ts';
import {
  askForReset,
  choosePassword,
  confirmReset,
  showForgotten,
  showPasswordChange,
  showReset,
} from './passwords.ts';
import { showLogin, login } from './login.ts';
import { apply, sendCode, showSignUp } from './sign-up.ts';

const SIGN_OUT = '/api/v1/login/sign-out';
const postToSignOut = () => new OtherAnswer((response) => response.redirect(SIGN_OUT, 307));

/** Mounts the login app (spec 1, flow 5): pages over the public schema that work without scripts. */
export function mountLoginApp(app: FastifyInstance, edge: Edge): void {
  mountPage(app, edge, '/login', { get: showLogin, post: login });
  mountPage(app, edge, '/login/password', { get: showPasswordChange, post: choosePassword });
  mountPage(app, edge, '/login/forgot', { get: showForgotten, post: askForReset });
  mountPage(app, edge, '/login/sign-up', { get: showSignUp, post: sendCode });
  mountPage(app, edge, '/login/sign-up/application', { get: showSignUp, post: apply });
  mountPage(app, edge, '/login/devices', { get: showDevices, post: endDevice });
  mountPage(app, edge, '/login/devices/others', { get: showDevices, post: endOtherDevices });
  // Under the path of the refresh cookie: the session ends even if the access token has expired.
  mountPage(app, edge, SIGN_OUT, { get: showDevices, post: logout });
  // Pages that were opened before it was there post to this one, to which the browser does not send that cookie.
  mountPage(app, edge, '/login/sign-out', { get: showDevices, post: postToSignOut });
  // The pages that mails link (spec 1, "Invite, redeem and reset flows").
  mountPage(app, edge, '/auth/magic-link', { get: showMagicLink, post: acceptInvitation });
  mountPage(app, edge, '/reset-password', { get: showReset, post: confirmReset });
  mountPage(app, edge, '/account/verify', { get: showVerification, post: verify });
  mountPage(app, edge, '/account/forgot', { get: showCustomerForgotten, post: askForCustomerReset });
  mountPage(app, edge, '/account/reset-password', { get: showCustomerReset, post: confirmCustomerReset });
}
