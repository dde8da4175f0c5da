import type { Config } from '../../config.ts';
import type { Operation } from '../../core/operation.ts';
import { hintsOf, toolName } from '../../protocol/mcp/tool.ts';
import { iconsAt } from './icons.ts';
import type { Listing } from './listing.ts';
import testCases from './test-cases.json' with { type: 'json' };

export function packet(
  config: Pick<Config, 'prefix' | 'contactEmail' | 'operator'>,
  listing: Listing,
  operations: readonly Operation[],
): string {
  const { surface, title, subtitle, short, long, categories, url, auth } = listing;
  const toolNamed = (name: string) => (surface === 'agent' ? `${config.prefix}_${name}` : name);
  const tools = operations.filter((operation) => operation.tools.includes(surface));
  return [
    `# ${title}`,
    definitions([
      ['Subtitle', subtitle],
      ['Short description', short],
      ['Description', long],
      ['Categories', categories.join(', ')],
      ['Endpoint', `${url} (streamable HTTP)`],
      ['Authentication', auth],
      ['Website and documentation', listing.website],
      ['Privacy policy', listing.privacy],
      ['Terms', listing.terms],
      ['Support', `${listing.support}, ${config.contactEmail}`],
      ['Publisher', config.operator.name],
      [
        'Icons',
        iconsAt(url)
          .map(({ src }) => src)
          .join(' '),
      ],
    ]),
    '## Tools',
    table(
      ['Tool', 'What it does', 'Reads only', 'Changes or spends', 'Reaches others'],
      tools.map((operation) => [
        `\`${toolName(operation, surface, config.prefix)}\``,
        operation.title,
        ...hintWords(operation),
      ]),
    ),
    '## Prompts that must work',
    table(
      ['Prompt', 'Tools', 'Expected result'],
      testCases.cases[surface].map(({ prompt, tools: called, expect }) => [
        prompt,
        called.map((name) => `\`${toolNamed(name)}\``).join(', '),
        expect,
      ]),
    ),
    '## Prompts that must call no tool',
    table(
      ['Prompt', 'Why'],
      testCases.negative.map(({ prompt, because }) => [prompt, because]),
    ),
  ].join('\n\n');
}

function hintWords(operation: Operation): string[] {
  const { readOnlyHint, destructiveHint, openWorldHint } = hintsOf(operation);
  return [readOnlyHint, destructiveHint, openWorldHint].map((is) => (is ? 'yes' : 'no'));
}

function definitions(rows: readonly (readonly [string, string])[]): string {
  return rows.map(([name, value]) => `- **${name}**: ${value}`).join('\n');
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}
