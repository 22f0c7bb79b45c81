/** `siti@example.my` → `s***@example.my` */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}***${at < 0 ? '' : email.slice(at)}`;
}

/** `Siti Aminah` → `S***` */
export const maskName = (name: string): string => `${String.fromCodePoint(name.codePointAt(0) ?? 0x2a)}***`;
