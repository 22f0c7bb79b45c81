/** How long a mail server may be down until a mail is given up: 5 s, 10 s, … 30 min, 30 min, …: in all about a day. */
export const mailRetries = { retries: 56, retryDelaySeconds: 5, retryDelayMaxSeconds: 30 * 60 };
