/**
 * The command of the standalone gateway. Plain JavaScript, so that a Node which can't run TypeScript still says in one line
 * which Node it needs.
 */
const NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(`gateway: this needs Node ${NEEDED} or newer, and is ${process.version}\n`);
  process.exit(1);
}
const { serve } = await import('./serve.ts');
await serve(process.env, process.argv.slice(2));
