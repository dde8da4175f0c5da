import assert from 'node:assert/strict';
import { ERRORS } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { table } from '../frame/table.ts';
import type { Guide, DocsModel } from './docs-model.ts';
import { guides } from './guides/guides.ts';
import { listOperations, operationTopic } from './topics/operation-topic.ts';
import { toolTopic, type McpSurface } from './topics/tool-topic.ts';

/** A unit of the reference with its own URL and entries in navigation and search. */
export interface Topic {
  id: string;
  title: string;
  /** Label in the navigation, where it differs from the title. */
  label?: Html;
  body: Html;
  /** Further entries for the search, each with its own fragment. */
  lines?: readonly { id: string; title: string; words: string }[];
}

export interface DocsPage {
  /** Last path segment; empty for the first page. */
  slug: string;
  group: 'Guides' | 'REST' | 'MCP';
  title: string;
  lead: Html | string;
  topics: readonly Topic[];
}

const GUIDE_PAGES = {
  '': ['Start', 'From the first call to a key, and how a host is connected.'],
  rules: ['Rules and limits', 'What an agent may do, how often, and how a call is repeated safely.'],
  errors: ['Errors', 'How a refusal looks, and every code.'],
  mcp: ['MCP', 'What holds on every MCP endpoint.'],
  webhooks: ['Webhooks and callbacks', 'What is posted to you, and how you know that it is from us.'],
  client: ['Typed client', 'For TypeScript and JavaScript.'],
} as const;

/** Returns the pages of the reference in reading order, generated from the same descriptions that clients read. */
export function docsPages(model: DocsModel): DocsPage[] {
  const guidesByPage = Map.groupBy(guides(model), ({ page }) => page);
  const pages = [...guidePages(), ...restPages(model), ...model.surfaces.map(surfacePage)].map((page) => {
    const own = (guidesByPage.get(page.slug) ?? []).map(guideTopic);
    guidesByPage.delete(page.slug);
    return { ...page, topics: [...own, ...page.topics] };
  });
  assert.deepEqual([...guidesByPage.keys()], [], 'every guide has a page');
  return pages;
}

/** Returns the URL of a page, or of a topic on it. */
export function docsAddress({ slug }: Pick<DocsPage, 'slug'>, id?: string): string {
  return `/docs${slug === '' ? '' : `/${slug}`}${id === undefined ? '' : `#${id}`}`;
}

function guidePages(): DocsPage[] {
  return Object.entries(GUIDE_PAGES).map(([slug, [title, lead]]) => ({
    slug,
    group: 'Guides',
    title,
    lead,
    topics: slug === 'errors' ? [errorCodes()] : [],
  }));
}

function guideTopic({ id, title, words, examples }: Guide): Topic {
  return {
    id,
    title,
    body: html`<section class="topic" id="${id}">
      <div class="prose">
        <h2>${title}</h2>
        ${words}
      </div>
      <div class="flow">${examples}</div>
    </section>`,
  };
}

function restPages({ site, openapi }: DocsModel): DocsPage[] {
  const byTag = Map.groupBy(listOperations(openapi), ({ tag }) => tag);
  return [...byTag].map(([tag, operations]) => ({
    slug: `rest-${slugOf(tag)}`,
    group: 'REST',
    title: tag.slice(0, 1).toUpperCase() + tag.slice(1),
    lead: openapi.tags?.find(({ name }) => name === tag)?.description ?? '',
    topics: operations.map((listed) => {
      const { id, method, operation } = listed;
      const title = operation.summary ?? id;
      const label = html`<span class="verb">${method.toUpperCase()}</span>${title}`;
      return { id, title, label, body: operationTopic(site, openapi, listed) };
    }),
  }));
}

function surfacePage(surface: McpSurface): DocsPage {
  const slug = `mcp-${slugOf(surface.title)}`;
  return {
    slug,
    group: 'MCP',
    title: surface.title,
    lead: html`<code>${surface.url}</code><br />${surface.auth}<br />With <code>?profile=full</code> it lists
      further tools.<br />${addToClient(surface)}`,
    topics: surface.tools.map((tool) => {
      const id = `${slug}-${tool.name}`;
      return { id, title: tool.name, body: toolTopic(surface, tool, id) };
    }),
  };
}

/** Links that open clients. They use custom URL schemes, so they are not checked as page links are. */
function addToClient({ links }: McpSurface): Html {
  return html`<span class="add-to"
    >Add it to ${links.map(({ client, href }) => html`<a href="${href}">${client}</a> `)}</span
  >`;
}

function errorCodes(): Topic {
  const rows = Object.entries(ERRORS).sort(([, [a]], [, [b]]) => a - b);
  return {
    id: 'error-codes',
    title: 'Error codes',
    body: html`<section class="wide-topic" id="error-codes">
      <h2>Error codes</h2>
      <p>The same codes on every surface. More may come, so treat an unknown one by its status.</p>
      ${table(
        { className: 'stack', columns: ['Code', 'Status', 'Meaning'] },
        rows.map(
          ([code, [status, title]]) =>
            html`<tr id="error-${code}">
              <th scope="row"><code>${code}</code></th>
              <td>${status}</td>
              <td>${title}</td>
            </tr>`,
        ),
      )}
    </section>`,
    lines: rows.map(([code, [status, words]]) => ({
      id: `error-${code}`,
      title: code,
      words: `${status} ${words}`,
    })),
  };
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
