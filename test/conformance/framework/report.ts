import { known } from '../known.ts';
import { anchors, type Anchor } from './anchors.ts';
import type { Row, Rows } from './row.ts';

const head = `# Conformance

Foyer keeps the contract that three documents describe: [identity](spec/1-identity.md),
[ticketing](spec/2-ticketing.md), [media](spec/3-media.md). This lists each of their rows and rules. It is written by
\`npx -y pnpm conformance --write\` from test/conformance, where each has a check of its own; CI fails when one falls, and when
this page is not what the checks say.

- **holds**: the server does what the document says, in both modes of \`REST_AUTH\` unless a note says otherwise.
- **deviates by decision**: we decided otherwise, for the reason in the record that is linked.
- **not applicable**: the document says it of something that Foyer does not have.

\`npx -y pnpm conformance\` checks two servers that it starts itself, and holds their JSON answers to their OpenAPI document, too.
\`npx -y pnpm conformance --url http://…\` checks any server, such as a deployment; it creates organizations, people, orders and
media there. \`--help\` lists what it takes: the mode, the password of the demo accounts, the secrets of services, of upload hooks
and of legacy tokens. A row that can't be checked without one is reported as skipped, with the reason. Rows that another test
shows (linked) need a server of their own, and are not checked there.
`;

/** docs/conformance.md, as the rows say. */
export function report(rows: Rows): string {
  const verdicts = anchors.map((anchor) => ({ anchor, row: rows[anchor.id], verdict: verdictOf(anchor, rows) }));
  const counts = Map.groupBy(verdicts, ({ verdict }) => verdict.split(':', 1)[0] ?? '');
  const summary = [...counts].map(([verdict, each]) => `| ${verdict} | ${each.length} |`);
  const sections = Map.groupBy(verdicts, ({ anchor: { file, section } }) => `${file}#${section}`);
  const parts = [...sections.values()].map((each) => {
    const [{ anchor } = { anchor: undefined }] = each;
    const lines = each.map(({ anchor, row, verdict }) => `| ${linkTo(anchor)} | ${verdict} | ${remarkOn(row)} |`);
    return `## ${anchor?.file.slice(0, 1)}. ${anchor?.section}\n\n${table(['row', 'verdict', ''], lines)}`;
  });
  return [head, table(['verdict', 'rows'], summary), ...parts].join('\n\n').replaceAll(/\n{3,}/g, '\n\n') + '\n';
}

function verdictOf({ id }: Anchor, rows: Rows): string {
  const reason = known[id] ?? known[`${id} (documented)`] ?? known[`${id} (strict)`];
  return reason === undefined ? (rows[id]?.verdict ?? 'not checked') : `does not hold yet: ${reason}`;
}

const linkTo = ({ id, file }: Anchor) => `[${id}](spec/${file}#${id})`;

function remarkOn(row: Row | undefined): string {
  const test = row?.shownBy && `[test](../${row.shownBy.file})`;
  const decision = row?.decision && `[${row.decision.slice(0, 4)}](decisions/${row.decision}.md)`;
  return [row?.note, decision ?? test].filter(Boolean).join(' ').replaceAll('|', '\\|');
}

const table = (columns: string[], lines: string[]) =>
  [`| ${columns.join(' | ')} |`, `| ${columns.map(() => '---').join(' | ')} |`, ...lines].join('\n');
