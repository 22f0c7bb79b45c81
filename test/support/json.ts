/** The body of an answer, of any shape: the expectations of the test check it. */
// oxlint-disable-next-line typescript/no-explicit-any -- a type for each answer would say the expectations twice
export type Json = any;
