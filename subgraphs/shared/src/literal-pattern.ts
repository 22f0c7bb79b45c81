/**
 * Escapes a text for Prisma's `equals` with `mode: 'insensitive'`: that is ILIKE, for which an underscore is any character
 * and a backslash escapes the next one.
 */
export const literally = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
