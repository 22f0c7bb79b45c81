/** Polls until the function returns a value; the error of a timeout names what was awaited. */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false | null>,
  { timeoutMs = 120_000, everyMs = 150 } = {},
): Promise<Answer> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
