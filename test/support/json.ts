/** What an answer holds: the test says by its expectations what that is. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;
