import { html } from '../../../core/text/html.ts';
import { fold, rankTopics, type Searchable } from '../assets/scripts/rank-topics.js';
import { referencePage, type DocsFrame } from './docs-page.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { docsAddress, pageName, type DocsPage } from './docs-model.ts';

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
