import type { Services } from '../context.ts';

/** The settings of the start-up sequence. */
interface StartUpSettings {
  platform: {
    /** The name of the platform organization here. */
    name: string;
    companyCode: string;
    /** The name of its counterpart at the identity provider. */
    idpOrgName: string;
    adminLoginName: string;
  };
  settings: {
    /** The sender of Foyer's own e-mails. */
    mailFrom: string;
  };
  ticketingWorkspaceId?: string | undefined;
  /** The password of all demo accounts; unset where there are none. */
  demoPassword?: string | undefined;
}

export type StartUpNeeds = Pick<Services, 'db' | 'clock' | 'log' | 'identityProvider' | 'licenseGuard'> & {
  config: StartUpSettings;
};
