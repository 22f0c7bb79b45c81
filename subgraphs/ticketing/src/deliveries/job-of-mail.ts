import { resendTicketsJob } from './send-again.ts';
import { sendConfirmationJob } from './send-confirmation.ts';
import { sendRefundNoticeJob } from './send-refund-notice.ts';

/** The job that sends a mail, by its kind. */
export const jobOfMail = {
  confirmation: sendConfirmationJob,
  refundDue: sendRefundNoticeJob,
  resend: resendTicketsJob,
};
