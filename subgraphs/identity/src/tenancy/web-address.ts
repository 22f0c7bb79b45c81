/**
 * Whether people may be sent to a text as to a web site: an http or https address, also without its scheme
 * (`www.example.my`), as people write it. `javascript:` and its like are none.
 */
export function isWebAddress(text: string): boolean {
  if (/\s/.test(text)) return false;
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return true;
  const url = URL.parse(`https://${text}`);
  return (
    url !== null && !text.includes('//') && url.hostname.includes('.') && url.username === '' && url.password === ''
  );
}
