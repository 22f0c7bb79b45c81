/** Asks again until the answer is there; what is waited for stands in the complaint. */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false | null>,
  { timeoutMs = 30_000, everyMs = 150 } = {},
): Promise<Answer> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
