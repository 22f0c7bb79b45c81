/** How deep variables may nest: far deeper than any input type of ours; only a JSON scalar could reach it. */
export const DEEPEST_VARIABLES = 64;

/** Whether parsed JSON nests too deep: a recursive walk could run out of stack. */
export function nestsTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth > DEEPEST_VARIABLES || Object.values(value).some((part) => nestsTooDeep(part, depth + 1));
}
