import { z } from 'zod';

import {
  AcceptPaymentReturnDocument,
  BanksDocument,
  DecryptPayloadDocument,
  GeneratePaymentTokenDocument,
  PaymentStateDocument,
  StartPaymentDocument,
} from '../generated/operations.ts';
import { page } from '../page.ts';
import { redirect, route } from '../route.ts';

const text = z.string().max(500).optional();
const Payload = z.object({ query: z.object({ payload: z.string().min(1).max(8_192) }) });

const words = {
  SUCCESS: ['Thank you', 'Your payment has arrived. The tickets are on their way to your inbox.'],
  FREE: ['Thank you', 'Your tickets are on their way to your inbox.'],
  PENDING: ['Waiting for your bank', 'Your bank has not confirmed the payment yet. This page looks again by itself.'],
  INITIATED: ['Not paid yet', 'This order waits for its payment.'],
  FAILED: ['The payment did not go through', 'Nothing was sold, and no ticket was issued. You may order again.'],
} as const;

/** Money has come, but not as it should have: the page must not say that nothing happened. */
const reviewed = [
  'We are looking into your payment',
  'Your bank told us of a payment, and somebody of our staff has to look at it. You need not pay again.',
] as const;

/** A page that tells the state of an order from the database, whatever the query string may claim. */
const resultPage = (url: string) =>
  route('GET', url, {
    document: PaymentStateDocument,
    input: z.object({ query: z.object({ orderNo: z.string().max(64).default('') }) }),
    variables: ({ query }) => ({ orderNo: query.orderNo }),
    reply: ({ paymentState }) => {
      const { orderNo, transactionStatus, underReview } = paymentState;
      const hasTickets = transactionStatus === 'SUCCESS' || transactionStatus === 'FREE';
      const [title, said] = underReview && !hasTickets ? reviewed : words[transactionStatus];
      return page('payment-result.eta', {
        orderNo,
        transactionStatus,
        title,
        words: said,
        refresh: transactionStatus === 'PENDING' && !underReview,
        receipt: hasTickets,
      });
    },
    refusalPage: () =>
      page('payment-result.eta', {
        title: 'Payment',
        words: 'This payment could not be read. If money has left your account, we will find it.',
      }),
  });

/** Spec 2, "Payment (prefix /payment)". */
export const payments = [
  route('POST', '/payment/generateToken', {
    document: GeneratePaymentTokenDocument,
    input: z.object({}),
    variables: () => ({}),
    reply: ({ generatePaymentToken }) => ({ success: true, token: generatePaymentToken }),
  }),

  route('POST', '/payment/bankList', {
    document: BanksDocument,
    input: z.object({ body: z.object({ mode: z.string().max(20) }) }),
    variables: ({ body }) => body,
    reply: ({ banks }) => ({ success: true, banks }),
  }),

  route('POST', '/payment/process', {
    document: StartPaymentDocument,
    input: z.object({
      body: z.object({
        orderNo: z.string().min(1).max(64),
        token: text,
        bankCode: text,
        billId: text,
        productId: text,
        transactionId: text,
        totalAmount: z.coerce.number().optional(),
        currency: text,
        msgToken: text,
        buyerName: text,
        buyerEmail: text,
        productDesc: text,
      }),
    }),
    variables: ({ body }) => ({ input: body }),
    reply: ({ startPayment }) =>
      page(
        'payment-form.eta',
        { ...startPayment, totalAmount: startPayment.fields.find(({ name }) => name === 'totalAmount')?.value },
        { formAction: startPayment.origin },
      ),
    refusalPage: ({ message }, status) =>
      page('payment-result.eta', { title: 'The payment can not be started', words: message }, { status }),
  }),

  route('GET', '/payment/return', {
    document: AcceptPaymentReturnDocument,
    input: Payload,
    variables: ({ query }) => query,
    reply: ({ acceptPaymentReturn }) => redirect(acceptPaymentReturn.redirectPath),
    refusalPage: () => redirect('/payment/failure?code=INVALID_PAYLOAD'),
  }),

  route('GET', '/payment/decrypt', {
    document: DecryptPayloadDocument,
    input: Payload,
    variables: ({ query }) => query,
    reply: ({ decryptPayload }) => decryptPayload,
  }),

  resultPage('/payment/success'),
  resultPage('/payment/failure'),
];
