import { html } from '../../../core/text/html.ts';
import { fold, rankTopics, type Searchable } from '../assets/scripts/rank-topics.js';
import { framed, pageName, type DocsFrame } from './docs-page.ts';
import { count } from '../frame/wording.ts';
import { docsAddress, type DocsPage } from './docs-pages.ts';

/** What can be found: every topic with the words that stand in it, and every error code. */
export function searchIndex(pages: readonly DocsPage[]): Searchable[] {
  return pages.flatMap((one) =>
    one.topics.flatMap(({ id, title, body, lines = [] }) => [
      {
        href: docsAddress(one, id),
        title,
        page: pageName(one),
        words: lines.length > 0 ? '' : wordsIn(body.toString()),
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

/** Each word of a topic once. Examples are left out: they have the same words in every topic. */
function wordsIn(markup: string): string {
  const text = markup
    .replace(/<pre>.*?<\/pre>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[#\w]+;/g, ' ');
  return [...new Set(fold(text).split(' '))].filter((word) => word.length > 1).join(' ');
}

/** What a search found, for readers without script. */
export function docsSearchPage(frame: DocsFrame, index: readonly Searchable[], query: string): string {
  const found = rankTopics(index, query);
  return framed(frame, undefined, {
    title: 'Search the reference',
    description: 'Finds operations, tools, guides and error codes.',
    query,
    body: html`<article class="article">
      <header>
        <h1>
          ${query === '' ? 'Search the reference' : `${found.length === 0 ? 'Nothing' : count(found.length, 'result')} for “${query}”`}
        </h1>
      </header>
      ${
        found.length > 0
          ? html`<ul class="hits">
              ${found.map(
                ({ title, page, href }) =>
                  html`<li>
                    <a href="${href}">${title} <span class="soft">${page}</span></a>
                  </li>`,
              )}
            </ul>`
          : html`<div class="empty">
              <p>
                ${query === '' ? 'Type what you look for into the box.' : 'Nothing in the reference has these words.'}
              </p>
              <p>
                Operations, tools, fields and error codes are found by their names, and guides by their words.
              </p>
            </div>`
      }
    </article>`,
  });
}
