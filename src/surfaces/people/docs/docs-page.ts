import { html, type Html } from '../../../core/text/html.ts';
import { assetUrl } from '../assets.ts';
import { page, type Site } from '../frame/layout.ts';
import { docsAddress, pageName, type DocsPage } from './docs-model.ts';

/** Data shared by all pages of the reference. */
export interface DocsFrame {
  site: Site;
  pages: readonly DocsPage[];
  /** URL of the search index. */
  searchIndex: string;
}

/** Renders one page of the reference, with navigation and search. */
export function docsPage(frame: DocsFrame, here: DocsPage): string {
  const isFirst = here.slug === '';
  return referencePage(frame, here, {
    title: here.heading ?? here.title,
    description: isFirst
      ? `How to use ${frame.site.serviceName} over REST and MCP: guides, operations, tools and error codes.`
      : `${here.group === 'Guides' ? '' : `${here.group}: `}${here.title}. ${typeof here.lead === 'string' ? here.lead : ''}`,
    body: article(frame.pages, here),
  });
}

/** Renders navigation and search around an article. The navigation also lists the topics of the current page. */
export function referencePage(
  { site, pages, searchIndex }: DocsFrame,
  here: DocsPage | undefined,
  {
    title,
    description,
    query = '',
    body,
  }: { title: string; description: string; query?: string; body: Html },
): string {
  return page({
    site,
    title,
    description,
    current: '/docs',
    frame: 'reference',
    scripts: ['docs-search.js'],
    ...(here === undefined ? { indexed: false } : { canonical: docsAddress(here) }),
    body: html`<div class="wrap">
      <div class="guide">
        <search class="docs-search">
          <form
            action="/docs/search"
            data-index="${searchIndex}"
            data-rank="${assetUrl('rank-topics.js')}"
            autocomplete="off"
          >
            <label class="unseen" for="docs-q">Search the reference</label>
            <input id="docs-q" type="search" name="q" value="${query}" placeholder="Search the reference" />
          </form>
          <p class="unseen" role="status"></p>
          <ul class="hits" hidden></ul>
        </search>
        <details class="contents">
          <summary>Contents</summary>
          <nav aria-label="Reference">${navigation(pages, here)}</nav>
        </details>
      </div>
      ${body}
    </div>`,
  });
}

function navigation(pages: readonly DocsPage[], here: DocsPage | undefined): Html[] {
  return [...Map.groupBy(pages, ({ group }) => group)].map(
    ([group, members]) =>
      html`<p class="group">${group}</p>
        <ul>
          ${members.map((one) => {
            const open = one.slug === here?.slug;
            return html`<li>
              <a href="${docsAddress(one)}" ${open && html` aria-current="page"`}>${one.title}</a>
              ${open && topicList(one)}
            </li>`;
          })}
        </ul>`,
  );
}

function topicList({ topics }: DocsPage): Html {
  return html`<ul>
    ${topics.map(({ id, title, label = title }) => html`<li><a href="#${id}">${label}</a></li>`)}
  </ul>`;
}

/** Renders the content of a page. */
function article(pages: readonly DocsPage[], here: DocsPage): Html {
  return html`<article class="article">
    <header>
      <h1>${here.heading ?? here.title}</h1>
      <p class="lead">${typeof here.lead === 'string' ? here.lead : here.lead.html}</p>
      ${markdownLink(here)}
    </header>
    ${here.topics.map(({ content }) => content.html)} ${here.slug === '' && topicIndex(pages)}
  </article>`;
}

function markdownLink(here: DocsPage): Html {
  return here.slug === ''
    ? html`<p class="soft">
        The whole reference as one text: <a href="/docs.md">docs.md</a>. Each page has its own: add
        <code>.md</code> to its address.
      </p>`
    : html`<p class="soft twin"><a href="${docsAddress(here)}.md">This page as Markdown</a></p>`;
}

/**
 * Lists every topic by name. Fragment links from before the reference was split into pages point here, and a script
 * redirects them.
 */
function topicIndex(pages: readonly DocsPage[]): Html {
  const topicIds = new Set(pages.flatMap(({ topics }) => topics.map(({ id }) => id)));
  return html`<section class="wide-topic" id="everything">
    <h2>Everything</h2>
    <div class="everything">
      ${pages.slice(1).map(
        (one) =>
          html`<div>
            <h3 ${!topicIds.has(one.slug) && html` id="${one.slug}"`}>
              <a href="${docsAddress(one)}">${pageName(one)}</a>
            </h3>
            <ul>
              ${one.topics.map(
                ({ id, title }) => html`<li id="${id}"><a href="${docsAddress(one, id)}">${title}</a></li>`,
              )}
            </ul>
          </div>`,
      )}
    </div>
  </section>`;
}
