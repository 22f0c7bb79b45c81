/**
 * Whether a text can be a link to a web site: an http or https address, also without its scheme (`www.example.my`), as
 * people write it; never `javascript:` and the like.
 */
export function isWebAddress(text: string): boolean {
  if (/\s/.test(text)) return false;
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return true;
  const url = URL.parse(`https://${text}`);
  return (
    url !== null && !text.includes('//') && url.hostname.includes('.') && url.username === '' && url.password === ''
  );
}
