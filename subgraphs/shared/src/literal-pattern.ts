/**
 * A pattern that means this text only, for Prisma's `equals` with `mode: 'insensitive'`: that is ILIKE, to which an
 * underscore is any letter and a backslash the beginning of something.
 */
export const literally = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
