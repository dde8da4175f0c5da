import { ERRORS } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { page, type Site } from '../frame/layout.ts';
import { guides, type Guide } from './guides.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { listOperations, operationTopic, type Listed } from './operation-topic.ts';
import { shellVariables } from './shell-variables.ts';
import { toolTopic, type McpSurface, type McpTool } from './tool-topic.ts';
import { table } from '../frame/table.ts';

export interface DocsModel {
  site: Site;
  openapi: OpenApiDocument;
  surfaces: readonly McpSurface[];
  /** What keys begin with. */
  prefix: string;
  now: Date;
}

interface ContentsEntry {
  id: string;
  label: Html | string;
}

interface Part {
  id: string;
  title: string;
  intro?: Html | string | undefined;
  entries: readonly ContentsEntry[];
  topics: Html;
}

/** The API reference, made from the same descriptions that clients read. */
export function docsPage(model: DocsModel): string {
  const { site, openapi } = model;
  const parts = [guidePart(model), ...restParts(model), ...model.surfaces.map(surfacePart), errorPart()];
  return page({
    site,
    title: 'API reference',
    description: `How to use ${site.serviceName} over REST and MCP: guides, operations, tools and error codes.`,
    current: '/docs',
    canonical: '/docs',
    frame: 'reference',
    body: html`<div class="wrap">
      ${contents(parts)}
      <article class="article">
        <header>
          <h1>API reference</h1>
          <p class="lead">
            One directory, served over REST and over MCP. Both are made from the same operations, and so is
            this page. Version ${openapi.info.version}.
          </p>
        </header>
        ${parts.map(partSection)}
      </article>
    </div>`,
  });
}

function contents(parts: readonly Part[]): Html {
  return html`<details class="contents">
    <summary>Contents</summary>
    <nav aria-label="Contents">
      ${parts.map(
        ({ title, entries }) =>
          html`<p class="group">${title}</p>
            <ul>
              ${entries.map(({ id, label }) => html`<li><a href="#${id}">${label}</a></li>`)}
            </ul>`,
      )}
    </nav>
  </details>`;
}

function partSection({ id, title, intro, topics }: Part): Html {
  return html`<div class="part-title" id="${id}">
      <h2>${title}</h2>
      ${intro !== undefined && html`<p>${intro}</p>`}
    </div>
    ${topics}`;
}

function guidePart({ site, prefix, now }: DocsModel): Part {
  const all = guides(site, shellVariables(prefix, now));
  return {
    id: 'guides',
    title: 'Guides',
    entries: all.map(({ id, title }) => ({ id, label: title })),
    topics: html`${all.map(guideTopic)}`,
  };
}

function guideTopic({ id, title, words, examples }: Guide): Html {
  return html`<section class="topic" id="${id}" aria-labelledby="${id}-title">
    <div class="prose">
      <h3 id="${id}-title">${title}</h3>
      ${words}
    </div>
    <div class="flow">${examples}</div>
  </section>`;
}

function restParts({ site, openapi }: DocsModel): Part[] {
  const byTag = Map.groupBy(listOperations(openapi), ({ tag }) => tag);
  return [...byTag].map(([tag, operations]) => ({
    id: `rest-${slug(tag)}`,
    title: `REST: ${tag}`,
    intro: openapi.tags?.find(({ name }) => name === tag)?.description,
    entries: operations.map(operationEntry),
    topics: html`${operations.map((listed) => operationTopic(site, openapi, listed))}`,
  }));
}

function operationEntry({ id, method, operation }: Listed): ContentsEntry {
  return { id, label: html`<span class="verb">${method.toUpperCase()}</span>${operation.summary ?? id}` };
}

function surfacePart(surface: McpSurface): Part {
  const topicId = ({ name }: McpTool) => `mcp-${slug(surface.title)}-${name}`;
  return {
    id: `mcp-${slug(surface.title)}`,
    title: `MCP: ${surface.title}`,
    intro: html`<code>${surface.url}</code><br />${surface.auth}<br />With <code>?profile=full</code> it lists
      further tools.<br />${addToClient(surface)}`,
    entries: surface.tools.map((tool) => ({ id: topicId(tool), label: tool.name })),
    topics: html`${surface.tools.map((tool) => toolTopic(surface, tool, topicId(tool)))}`,
  };
}

/** The clients open by schemes of their own, so that their addresses are not checked as those of pages are. */
function addToClient({ links }: McpSurface): Html {
  return html`<span class="add-to"
    >Add it to ${links.map(({ client, href }) => html`<a href="${href}">${client}</a> `)}</span
  >`;
}

function errorPart(): Part {
  const rows = Object.entries(ERRORS).sort(([, [a]], [, [b]]) => a - b);
  return {
    id: 'error-codes',
    title: 'Error codes',
    intro: 'The same codes on every surface. More may come, so treat an unknown one by its status.',
    entries: [{ id: 'error-codes', label: 'All codes' }],
    topics: table(
      { columns: ['Status', 'Code', 'Meaning'] },
      rows.map(
        ([code, [status, title]]) =>
          html`<tr id="error-${code}">
            <td>${status}</td>
            <td><code>${code}</code></td>
            <td>${title}</td>
          </tr>`,
      ),
    ),
  };
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
