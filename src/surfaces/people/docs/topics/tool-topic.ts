import { html, type Html } from '../../../../core/text/html.ts';
import { codeBlock } from '../code-block.ts';
import { BEARER, curl, PARTNER_KEY, sample } from './examples.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { fieldSection, foldedFields } from './operation-topic.ts';
import { fieldsOf } from './schema-fields.ts';
import { withVariables } from './shell-variables.ts';

export interface McpTool {
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

/** Renders one tool of one surface: its arguments, its result and a call that can be pasted. */
export function toolTopic(surface: McpSurface, tool: McpTool, id: string): Html {
  return html`<section class="topic" id="${id}">
    <div class="words">
      <h2>${tool.title ?? tool.name}</h2>
      <p class="route"><span class="badge">tool</span><code>${tool.name}</code>${hints(tool)}</p>
      <p>${tool.description}</p>
      ${fieldSection('Arguments', fields(tool.inputSchema)) || html`<p class="soft">It takes no arguments.</p>`}
      ${foldedFields('Fields of the answer', fields(tool.outputSchema))}
    </div>
    <div class="flow">${codeBlock('Call', toolCall(surface, tool))}</div>
  </section>`;
}

function hints({ annotations = {} }: McpTool): Html {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return html`${readOnlyHint === true && html`<span class="badge good">read only</span>`}${
    destructiveHint === true && html`<span class="badge bad">changes or spends</span>`
  }${openWorldHint === true && html`<span class="badge">reaches others</span>`}${
    readOnlyHint !== true && idempotentHint === true && html`<span class="badge">safe to repeat</span>`
  }`;
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
