import type { Config } from '../../config.ts';
import type { Operation } from '../../core/operation.ts';
import { hintsOf, toolName } from '../../protocol/mcp/tool.ts';
import type { Listing } from './listing.ts';
import testCases from './test-cases.json' with { type: 'json' };

const SCHEMA = 'https://developers.openai.com/apps-sdk/schemas/chatgpt-app-submission.v1.json';

export function chatgptSubmission(
  { prefix }: Pick<Config, 'prefix'>,
  { surface, title, subtitle, long }: Listing,
  operations: readonly Operation[],
): Record<string, unknown> {
  const toolNamed = (name: string) => (surface === 'agent' ? `${prefix}_${name}` : name);
  const tools = operations.filter((operation) => operation.tools.includes(surface));
  return {
    $schema: SCHEMA,
    schema_version: 1,
    app_info: { display_name: title, subtitle, description: long, category: 'TRAVEL' },
    tools: Object.fromEntries(
      tools.map((operation) => [toolName(operation, surface, prefix), toolEntry(operation)]),
    ),
    test_cases: testCases.cases[surface].map(({ prompt, tools: called, expect }) =>
      testCase(expect, prompt, called.map(toolNamed).join(', '), expect),
    ),
    negative_test_cases: testCases.negative.map(({ prompt, because }) =>
      testCase(because, prompt, null, `No tool is called. ${because}`),
    ),
  };
}

function testCase(description: string, prompt: string, tools: string | null, expected: string) {
  return {
    description,
    user_prompt: prompt,
    file_attachment_urls: null,
    tools_triggered: tools,
    expected_output: expected,
    expected_output_url: null,
  };
}

function toolEntry(operation: Operation) {
  const { readOnlyHint, openWorldHint, destructiveHint } = hintsOf(operation);
  return {
    annotations: { readOnlyHint, openWorldHint, destructiveHint },
    justifications: {
      read_only_justification: readOnlyHint
        ? 'It reads stored data and changes nothing.'
        : `It changes something: ${operation.title.toLowerCase()}.`,
      open_world_justification: openWorldHint
        ? 'It reaches somebody outside the service, such as a venue, its booking system or a receiver named by the caller, or it becomes public after a review.'
        : 'It stays inside the directory and the account of the caller.',
      destructive_justification: destructiveWords(operation, destructiveHint),
    },
  };
}

function destructiveWords({ effect }: Operation, destructive: boolean): string {
  if (effect === 'spend') return 'It spends money from the wallet of the account, which cannot be undone.';
  return destructive
    ? 'It changes or removes what was there before.'
    : 'It removes and overwrites nothing, and spends nothing.';
}
