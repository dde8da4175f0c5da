import { html, type Html } from '../../../core/text/html.ts';
import { assetUrl } from '../assets.ts';
import { page, type Site } from '../frame/layout.ts';
import { docsAddress, pageName, type DocsPage } from './docs-model.ts';
import { fold, rankTopics, type Searchable } from '../assets/scripts/rank-topics.js';
import { formatCount } from '../../../core/text/format-count.ts';

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
function referencePage(
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

/** Builds the search index: every topic with its words, and every error code. */
export function docsIndex(pages: readonly DocsPage[]): Searchable[] {
  return pages.flatMap((one) =>
    one.topics.flatMap(({ id, title, content, lines = [] }) => [
      {
        href: docsAddress(one, id),
        title,
        page: pageName(one),
        words: lines.length > 0 ? '' : wordsIn(content.html.toString()),
      },
      ...lines.map((line) => ({
        href: docsAddress(one, line.id),
        title: line.title,
        page: pageName(one),
        words: fold(line.words),
      })),
    ]),
  );
}

/** Returns the distinct words of a topic. Examples are left out: they have the same words in every topic. */
function wordsIn(markup: string): string {
  const text = markup
    .replace(/<pre>.*?<\/pre>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[#\w]+;/g, ' ');
  return [...new Set(fold(text).split(' '))].filter((word) => word.length > 1).join(' ');
}

/** Renders search results for readers without scripts. */
export function docsSearchPage(frame: DocsFrame, index: readonly Searchable[], query: string): string {
  const results = rankTopics(index, query);
  return referencePage(frame, undefined, {
    title: 'Search the reference',
    description: 'Finds operations, tools, guides and error codes.',
    query,
    body: html`<article class="article">
      <header>
        <h1>
          ${query === '' ? 'Search the reference' : `${results.length === 0 ? 'Nothing' : formatCount(results.length, 'result')} for “${query}”`}
        </h1>
      </header>
      ${
        results.length > 0
          ? html`<ul class="hits">
              ${results.map(
                ({ title, page, href }) =>
                  html`<li>
                    <a href="${href}">${title} <span class="soft">${page}</span></a>
                  </li>`,
              )}
            </ul>`
          : html`<div class="empty">
              <p>
                ${query === '' ? 'Type what you are looking for into the box.' : 'Nothing in the reference matches these words.'}
              </p>
              <p>Search for operations, tools, fields and error codes by name, and for guides by any word.</p>
            </div>`
      }
    </article>`,
  });
}
