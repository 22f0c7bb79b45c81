import { z } from 'zod';

import { answered } from '../answered.ts';
import { Done, done } from '../answers/envelope.ts';
import {
  AcceptPaymentReturnDocument,
  BanksDocument,
  DecryptPayloadDocument,
  GeneratePaymentTokenDocument,
  PaymentStateDocument,
  StartPaymentDocument,
} from '../generated/operations.ts';
import { bankPage, notStartedPage, refusedPage, safePage, statePage, unreadablePage } from '../payment/pages.ts';
import { redirect, route } from '../route.ts';

const text = z.string().max(500).optional();
/** A form field is a text, and empty if there is no value. */
const amount = z
  .string()
  .trim()
  .transform((said) => (said === '' ? undefined : said))
  .pipe(z.coerce.number<string | undefined>().optional())
  .optional();
const Payload = z.object({ query: z.object({ payload: z.string().min(1).max(8_192) }) });

/** A page with the state of an order from the database, whatever the query string claims. */
const resultPage = (url: string) =>
  route('GET', url, {
    token: 'ignored',
    document: PaymentStateDocument,
    input: z.object({ query: z.object({ orderNo: z.string().max(64).default('') }) }),
    variables: ({ query }) => ({ orderNo: query.orderNo }),
    otherAnswer: 'text/html',
    reply: ({ paymentState, order }, _input, config) => statePage(answered(paymentState), order, config),
    uncounted: true, // a buyer who reloads after paying must not see an error
    refusalPage: unreadablePage,
    troublePage: safePage,
  });

/** Spec 2, "Payment (prefix /payment)". */
export const payments = [
  route('POST', '/payment/generateToken', {
    token: 'ignored',
    document: GeneratePaymentTokenDocument,
    input: z.object({}),
    variables: () => ({}),
    answer: Done.extend({ token: z.string() }),
    reply: ({ generatePaymentToken }) => ({ ...done, token: generatePaymentToken }),
  }),

  route('POST', '/payment/bankList', {
    token: 'ignored',
    document: BanksDocument,
    input: z.object({ body: z.object({ mode: z.string().max(20) }) }),
    variables: ({ body }) => body,
    answer: Done.extend({ banks: z.array(z.object({ bankCode: z.string(), bankName: z.string() })) }),
    reply: ({ banks }) => ({ ...done, banks: answered(banks) }),
  }),

  route('POST', '/payment/process', {
    token: 'ignored',
    document: StartPaymentDocument,
    input: z.object({
      body: z.object({
        orderNo: z.string().min(1).max(64),
        token: text,
        bankCode: text,
        billId: text,
        productId: text,
        transactionId: text,
        totalAmount: amount,
        currency: text,
        mode: text,
        msgToken: text,
        buyerName: text,
        buyerEmail: text,
        productDesc: text,
      }),
    }),
    variables: ({ body }) => ({ input: body }),
    otherAnswer: 'text/html',
    reply: ({ startPayment }) => bankPage(startPayment),
    form: true,
    refusalPage: ({ code, langChosen }, status) => refusedPage(code, langChosen, status),
    troublePage: notStartedPage,
  }),

  route('GET', '/payment/return', {
    token: 'ignored',
    document: AcceptPaymentReturnDocument,
    input: Payload,
    variables: ({ query }) => query,
    otherAnswer: 'redirect',
    reply: ({ acceptPaymentReturn }) => redirect(acceptPaymentReturn.redirectPath),
    uncounted: true,
    refusalPage: () => redirect('/payment/failure?code=INVALID_PAYLOAD'),
    troublePage: safePage,
  }),

  route('GET', '/payment/decrypt', {
    token: 'ignored',
    document: DecryptPayloadDocument,
    input: Payload,
    variables: ({ query }) => query,
    answer: z.record(z.string(), z.unknown()),
    reply: ({ decryptPayload }) => answered(decryptPayload),
  }),

  resultPage('/payment/success'),
  resultPage('/payment/failure'),
];
