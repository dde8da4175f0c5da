import { html } from '../../../../core/text/html.ts';
import { codeSpan, example, paragraph, topicContent, type Content } from '../content.ts';
import { BEARER, curl, PARTNER_KEY, sample, withVariables } from './examples.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { fieldSection, fieldsOf, foldedFields } from './schema-fields.ts';

interface McpTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: unknown;
  outputSchema?: unknown;
  annotations?: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
  /** Coherent example arguments; otherwise they are generated from the schema. */
  example?: Record<string, unknown>;
  /** Kind of key that a call requires. */
  key?: 'agent' | 'partner' | undefined;
}

export interface McpSurface {
  title: string;
  url: string;
  /** Who may call the tools, in one sentence. */
  auth: string;
  tools: readonly McpTool[];
  /** Links that open a client with the endpoint filled in. */
  links: readonly { client: string; href: string }[];
}

/** Returns the fields of a tool schema. Such schemas are self-contained: their references point into themselves. */
function fields(schema: unknown) {
  return fieldsOf(schema as OpenApiDocument, schema ?? {});
}

/** Describes one tool of one surface: its arguments, its result and a call that can be pasted. */
export function toolTopic(surface: McpSurface, tool: McpTool, id: string): Content {
  const args = fields(tool.inputSchema);
  return topicContent(
    { id, title: tool.title ?? tool.name, textClass: 'words' },
    [
      route(tool),
      paragraph(tool.description),
      args.length > 0 ? fieldSection('Arguments', args) : paragraph('It takes no arguments.', 'soft'),
      foldedFields('Fields of the answer', fields(tool.outputSchema)),
    ],
    [example('Call', 'sh', toolCall(surface, tool))],
  );
}

function route(tool: McpTool): Content {
  const hints = hintsOf(tool);
  return {
    html: html`<p class="route">
      <span class="badge">tool</span><code>${tool.name}</code>${hints.map(
        ({ text, tone }) => html`<span class="badge ${tone}">${text}</span>`,
      )}
    </p>`,
    markdown: [`Tool ${codeSpan(tool.name)}`, ...hints.map(({ text }) => text)].join(', '),
  };
}

function hintsOf({ annotations = {} }: McpTool): { text: string; tone?: 'good' | 'bad' }[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return [
    ...(readOnlyHint === true ? [{ text: 'read only', tone: 'good' as const }] : []),
    ...(destructiveHint === true ? [{ text: 'changes or spends', tone: 'bad' as const }] : []),
    ...(openWorldHint === true ? [{ text: 'reaches others' }] : []),
    ...(readOnlyHint !== true && idempotentHint === true ? [{ text: 'safe to repeat' }] : []),
  ];
}

function toolCall({ url }: McpSurface, { name, inputSchema, example, key }: McpTool): string {
  const args = withVariables(example ?? sample(inputSchema as OpenApiDocument, inputSchema ?? {}) ?? {});
  const credential = { agent: [BEARER], partner: [PARTNER_KEY], none: [] }[key ?? 'none'];
  return curl({
    url,
    headers: [...credential, 'Accept: application/json, text/event-stream'],
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });
}
