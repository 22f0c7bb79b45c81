/** Sends JSON as a mobile client does, and reads the answer. @throws for every answer that is a refusal */
export async function call<Answer>(method: string, url: string | URL, body?: object, headers = {}): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), 'service-platform': 'mobile', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(`${method} ${String(url)}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}
