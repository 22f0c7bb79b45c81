/** What an answer holds: the test says by its expectations what that is. */
// oxlint-disable-next-line typescript/no-explicit-any -- a type for each answer would say the expectations twice
export type Json = any;
