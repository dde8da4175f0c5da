import assert from 'node:assert/strict';
import { ERRORS } from '../../../core/errors.ts';
import { html } from '../../../core/text/html.ts';
import { codeSpan, contentTable, escapeMarkdown, markdownBlocks, type Content } from './content.ts';
import type { DocsModel, DocsPage, Topic } from './docs-model.ts';
import { GUIDES, guideTopic } from './guides/guides.ts';
import { listOperations, operationTopic } from './topics/operation-topic.ts';
import { toolTopic, type McpSurface } from './topics/tool-topic.ts';

/** The pages that are guides, in reading order. Other guides add topics to generated pages. */
const GUIDE_SLUGS = ['', 'rules', 'errors', 'mcp', 'webhooks', 'client'];

/** Returns the pages of the reference in reading order, generated from the same descriptions that clients read. */
export function docsPages(model: DocsModel): DocsPage[] {
  const guides = new Map(GUIDES.map((guide) => [guide.slug, guide]));
  const pages = [...guidePages(), ...restPages(model), ...model.surfaces.map(surfacePage)].map((page) => {
    const own = guides.get(page.slug)?.topics.map((topic) => guideTopic(topic, model)) ?? [];
    guides.delete(page.slug);
    return { ...page, topics: [...own, ...page.topics] };
  });
  assert.deepEqual([...guides.keys()], [], 'every guide has a page');
  return pages;
}

function guidePages(): DocsPage[] {
  return GUIDE_SLUGS.map((slug) => {
    const head = GUIDES.find((guide) => guide.slug === slug)?.head;
    assert.ok(head !== undefined, `docs/guides has the page "${slug}" with a title`);
    return {
      slug,
      group: 'Guides',
      title: slug === '' ? 'Start' : head.title,
      heading: head.title,
      lead: head.lead,
      topics: slug === 'errors' ? [errorCodes()] : [],
    };
  });
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
      return { id, title, label, content: operationTopic(site, openapi, listed) };
    }),
  }));
}

function surfacePage(surface: McpSurface): DocsPage {
  const slug = `mcp-${slugOf(surface.title)}`;
  return {
    slug,
    group: 'MCP',
    title: surface.title,
    lead: surfaceLead(surface),
    topics: surface.tools.map((tool) => {
      const id = `${slug}-${tool.name}`;
      return { id, title: tool.name, content: toolTopic(surface, tool, id) };
    }),
  };
}

/** Describes an endpoint. The links open clients; they use custom URL schemes, so they are not checked as page links are. */
function surfaceLead({ url, auth, links }: McpSurface): Content {
  return {
    html: html`<code>${url}</code><br />${auth}<br />With <code>?profile=full</code> it lists further
      tools.<br /><span class="add-to"
        >Add it to ${links.map(({ client, href }) => html`<a href="${href}">${client}</a> `)}</span
      >`,
    markdown: markdownBlocks([
      codeSpan(url),
      escapeMarkdown(auth),
      'With `?profile=full` it lists further tools.',
      `Add it to ${links.map(({ client, href }) => `[${escapeMarkdown(client)}](${href})`).join(' ')}`,
    ]),
  };
}

function errorCodes(): Topic {
  const rows = Object.entries(ERRORS).sort(([, [a]], [, [b]]) => a - b);
  const title = 'Error codes';
  const lead =
    'The same codes on every surface. New codes may be added, so handle an unknown code by its status.';
  const codes = contentTable(
    ['Code', 'Status', 'Meaning'],
    rows.map(([code, [status, meaning]]) => ({
      id: `error-${code}`,
      cells: [codeSpan(code), String(status), escapeMarkdown(meaning)],
    })),
  );
  return {
    id: 'error-codes',
    title,
    content: {
      html: html`<section class="wide-topic" id="error-codes">
        <h2>${title}</h2>
        <p>${lead}</p>
        ${codes.html}
      </section>`,
      markdown: markdownBlocks([`## ${title}`, lead, codes.markdown]),
    },
    lines: rows.map(([code, [status, meaning]]) => ({
      id: `error-${code}`,
      title: code,
      words: `${status} ${meaning}`,
    })),
  };
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
