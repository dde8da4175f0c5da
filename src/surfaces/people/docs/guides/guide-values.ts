import { scopesByName } from '../../../../accounts/keys/scope-descriptions.ts';
import { webhookKeysPath } from '../../../../delivery/signing-key.ts';
import { html } from '../../../../core/text/html.ts';
import { DAY_MS } from '../../../../core/time.ts';
import { UNKEYED_CALLS } from '../../../../metering/plans.ts';
import { isRealUserAgent } from '../../../../protocol/http/user-agent.ts';
import { table } from '../../frame/table.ts';
import { codeSpan, contentTable, escapeMarkdown, type Content } from '../content.ts';
import type { DocsModel } from '../docs-model.ts';
import { EXAMPLE_USER_AGENT, exampleOf, SHELL_VARIABLES } from '../topics/examples.ts';
import { resolve, type ApiOperation, type Media } from '../topics/openapi-document.ts';
import { fieldsOf, foldedFields } from '../topics/schema-fields.ts';

/** Days until the example date: far enough ahead for a table, and within the bookable days. */
const DATE_IN_DAYS = 7;

const USER_AGENTS = [
  EXAMPLE_USER_AGENT,
  'curl/8.5.0 TripBot/1.0',
  'python-httpx/0.28.1 (ops@example.com)',
  'python-requests/2.32.3',
  'node',
];

/** Values that a guide inserts as `{{name}}`: Markdown or plain text. */
export const GUIDE_TEXTS: Readonly<Record<string, (model: DocsModel) => string>> = {
  attribution_example: ({ site: { attribution } }) =>
    formatJson({ attribution: attribution.text, attribution_links: attribution.links }),
  base_url: ({ site }) => site.baseUrl,
  booking_events: (model) => eventList(model, ['booking_move', 'booking_message', 'webhook_test']),
  booking_move_example: (model) => formatJson(exampleOf(model.openapi, eventMedia(model, 'booking_move'))),
  example_date: ({ now }) => new Date(now.getTime() + DATE_IN_DAYS * DAY_MS).toISOString().slice(0, 10),
  partner_url: ({ site }) => site.partnerUrl,
  prefix: ({ prefix }) => prefix,
  scopes: ({ prefix }) => descriptionList(scopesByName(prefix)),
  server_name: ({ site }) => site.serviceName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
  shell_variables: () => descriptionList(SHELL_VARIABLES),
  submission_decided_example: (model) =>
    formatJson(exampleOf(model.openapi, eventMedia(model, 'submission_decided'))),
  submission_events: (model) => eventList(model, ['submission_decided']),
  unkeyed_calls_per_minute: () => String(UNKEYED_CALLS.per_minute),
  user_agent: () => EXAMPLE_USER_AGENT,
  webhook_headers: webhookHeaders,
  webhook_keys_path: ({ prefix }) => webhookKeysPath(prefix),
};

/** Values that need markup of their own on the page. In a guide each is a paragraph of its own. */
export const GUIDE_BLOCKS: Readonly<Record<string, (model: DocsModel) => Content>> = {
  booking_move_fields: (model) => eventFields(model, 'booking_move'),
  submission_decided_fields: (model) => eventFields(model, 'submission_decided'),
  user_agent_examples: userAgentExamples,
};

function formatJson(value: unknown): string {
  return JSON.stringify(value ?? null, null, 2);
}

function descriptionList(descriptions: Readonly<Record<string, string>>): string {
  const lines = Object.entries(descriptions).map(
    ([name, description]) => `- ${codeSpan(name)}: ${escapeMarkdown(description)}`,
  );
  return lines.join('\n');
}

function eventOf({ openapi }: DocsModel, name: string): ApiOperation | undefined {
  return openapi.webhooks?.[name]?.post;
}

function eventMedia(model: DocsModel, name: string): Media {
  return eventOf(model, name)?.requestBody?.content?.['application/json'] ?? {};
}

function eventFields(model: DocsModel, name: string): Content {
  return foldedFields('Fields of the body', fieldsOf(model.openapi, eventMedia(model, name).schema ?? {}));
}

/** Lists the values of `type`, and when each is sent. */
function eventList(model: DocsModel, names: readonly string[]): string {
  const lines = names.map((name) => {
    const type = eventMedia(model, name).schema?.properties?.['type'] ?? {};
    const { enum: several, const: one } = resolve(model.openapi, type);
    const types = (several ?? [one]).map((value) => codeSpan(String(value)));
    return `- ${types.join(', ')}: ${escapeMarkdown(eventOf(model, name)?.description ?? '')}`;
  });
  return lines.join('\n');
}

function webhookHeaders(model: DocsModel): string {
  const rows = (eventOf(model, 'booking_move')?.parameters ?? []).map((header) => {
    const { name, description = '' } = resolve(model.openapi, header);
    return { cells: [codeSpan(name), escapeMarkdown(description)] };
  });
  return contentTable(['Header', 'Content'], rows).markdown;
}

/** Shows which values of User-Agent the service accepts, by the rule itself. */
function userAgentExamples(): Content {
  const rows = USER_AGENTS.map((value) => ({ value, accepted: isRealUserAgent(value) }));
  const verdict = (accepted: boolean) => (accepted ? 'accepted' : 'refused');
  return {
    html: table(
      { columns: ['Value', 'Verdict'] },
      rows.map(
        ({ value, accepted }) =>
          html`<tr>
            <td><code>${value}</code></td>
            <td><span class="badge ${accepted ? 'good' : 'bad'}">${verdict(accepted)}</span></td>
          </tr>`,
      ),
    ),
    markdown: contentTable(
      ['Value', 'Verdict'],
      rows.map(({ value, accepted }) => ({ cells: [codeSpan(value), verdict(accepted)] })),
    ).markdown,
  };
}
