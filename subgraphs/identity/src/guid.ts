/** Whether a text is a uuid; what isn't is nobody's id, and no reason to trouble the database. */
export const isGuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
