/** The retries of a mail: after 5 s, 10 s, … 30 min, 30 min, …, for about a day in all. */
export const mailRetries = { retries: 56, retryDelaySeconds: 5, retryDelayMaxSeconds: 30 * 60 };
