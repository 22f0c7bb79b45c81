/** An outcome that a person can choose on the page of the bank. */
export interface Outcome {
  /** The label of the button. */
  label: string;
  /** What it demonstrates. */
  hint: string;
  statusCode: string;
  statusMessage: string;
  /** How the result reaches Foyer: by the buyer's browser, and by copies from server to server. */
  browser: boolean;
  copies: number;
  /** Takes the wrong amount. */
  halved?: boolean;
  /** Corrupts the payload that the browser carries. */
  spoiled?: boolean;
}

const paid = { statusCode: '00', statusMessage: 'Approved' };

export const outcomes = {
  approve: {
    ...paid,
    label: 'Approve',
    hint: 'The bank takes the money and sends the buyer back.',
    browser: true,
    copies: 1,
  },
  reject: {
    label: 'Reject',
    hint: 'Not enough money on the account (51).',
    statusCode: '51',
    statusMessage: 'Insufficient funds',
    browser: true,
    copies: 1,
  },
  cancel: {
    label: 'Cancel',
    hint: 'The buyer changes their mind (1C).',
    statusCode: '1C',
    statusMessage: 'Buyer cancelled',
    browser: true,
    copies: 1,
  },
  pending: {
    label: 'Pending',
    hint: 'The bank has not decided yet (99); decide again later.',
    statusCode: '99',
    statusMessage: 'Pending authorisation',
    browser: true,
    copies: 1,
  },
  timeout: {
    ...paid,
    label: 'Timeout',
    hint: 'Paid, but nobody notifies Foyer: only its requery finds out.',
    browser: false,
    copies: 0,
  },
  'callback-only': {
    ...paid,
    label: 'Server callback only',
    hint: 'Paid; the buyer closes the window.',
    browser: false,
    copies: 1,
  },
  'callback-twice': {
    ...paid,
    label: 'Callback twice',
    hint: 'Paid; told three times at once.',
    browser: true,
    copies: 2,
  },
  'wrong-amount': {
    ...paid,
    label: 'Wrong amount',
    hint: 'Takes half of the requested amount.',
    browser: true,
    copies: 1,
    halved: true,
  },
  tampered: {
    label: 'Tampered payload',
    hint: 'Somebody changes what the browser carries; nothing was paid.',
    statusCode: '99',
    statusMessage: 'Pending authorisation',
    browser: true,
    copies: 0,
    spoiled: true,
  },
  late: { ...paid, label: 'Late', hint: 'Paid, and told only after some minutes.', browser: false, copies: 1 },
} as const satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof outcomes;

export const outcomeNames = Object.keys(outcomes) as [OutcomeName, ...OutcomeName[]];

/** Fictitious banks: enough for a list to scroll, some with similar names. */
export const banks = {
  '01': listOf('SIM00', [
    'Simulated Bank A',
    'Simulated Bank B',
    'Simulated Islamic Bank',
    'Bank Simulasi Kinabalu',
    'Bank Simulasi Kinabalu Islamic',
    'Bank Simulasi Melaka',
    'Bank Simulasi Rakyat Contoh',
    'Demo Agro Bank',
    'Demo Bank of the Straits',
    'Demo Co-operative Savings Bank',
    'Example Merchant Bank',
    'Example Overseas Bank',
    'Mock & Sons Banking',
    'Pretend Post Savings Bank',
    'Sample Commerce Bank',
    'Sample Commerce Islamic Bank',
  ]),
  '02': listOf('SIM01', [
    'Simulated Bank A (Corporate)',
    'Simulated Bank B (Business)',
    'Simulated Islamic Bank (Corporate)',
    'Bank Simulasi Kinabalu (Corporate)',
    'Bank Simulasi Melaka (Business)',
    'Demo Agro Bank (Business)',
    'Demo Bank of the Straits (Corporate)',
    'Demo Treasury Connect',
    'Example Merchant Bank (Corporate)',
    'Example Overseas Bank (Corporate)',
    'Mock & Sons Trade Finance',
    'Sample Commerce Bank (Business)',
  ]),
} as const;

/** Their codes count up: `SIM0001`. */
function listOf(prefix: string, names: readonly string[]) {
  return names.map((bankName, at) => ({ bankCode: `${prefix}${String(at + 1).padStart(2, '0')}`, bankName }));
}
