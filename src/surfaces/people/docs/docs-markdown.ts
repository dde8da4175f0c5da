import { article } from './docs-page.ts';
import type { DocsPage } from './docs-pages.ts';

/** Markdown for each HTML tag. Tags not listed are containers and produce no output. */
const MARKS: Readonly<Record<string, string>> = {
  '<p>': '\n\n',
  '<table>': '\n',
  '<ul>': '\n',
  '<ol>': '\n',
  '<li>': '\n- ',
  '<code>': '`',
  '</code>': '`',
  '<strong>': '**',
  '</strong>': '**',
  '<tr>': '\n|',
  '<br>': '\n',
  '<td>': ' ',
  '</td>': ' |',
  '<th>': ' ',
  '</th>': ' |',
  '<figcaption>': '\n\n',
  '</figcaption>': ':',
  '<summary>': '\n\n**',
  '</summary>': '**',
};

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/**
 * Renders a reference page as Markdown, for programs. It is converted from the page's HTML, so both have the same
 * content.
 */
export function docsMarkdown(baseUrl: string, pages: readonly DocsPage[], here: DocsPage): string {
  return `${markdownOf(article(pages, here).toString(), baseUrl, 0)}\n`;
}

/** Renders all pages as one text. The headings of pages after the first are one level deeper. */
export function wholeMarkdown(baseUrl: string, pages: readonly DocsPage[]): string {
  const texts = pages.map((here, at) =>
    markdownOf(article(pages, here).toString(), baseUrl, at === 0 ? 0 : 1),
  );
  return `${texts.join('\n\n')}\n`;
}

function markdownOf(markup: string, baseUrl: string, depth: number): string {
  const blocks: string[] = [];
  const text = markup
    .replace(/<pre>(.*?)<\/pre>/gs, (_, code: string) => {
      blocks.push(decodeEntities(code.replace(/<[^>]*>/g, '')));
      return `\u241e${blocks.length - 1}\u241e`;
    })
    .replace(/\s+/g, ' ')
    .replace(/<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/g, (_, href: string, words: string) =>
      href.startsWith('#') ? words : `[${words}](${href.startsWith('/') ? baseUrl + href : href})`,
    )
    .replace(/<p class="name">|<p class="soft twin">.*?<\/p>/g, '')
    .replace(/<\/thead>/g, (_, at: number, all: string) => headRule(all.slice(0, at)))
    .replace(/<h(\d)\b[^>]*>/g, (_, level: string) => `\n\n${'#'.repeat(Number(level) + depth)} `)
    .replace(/<(\/?[a-z]+\d?)\b[^>]*>/g, (_, name: string) => MARKS[`<${name}>`] ?? '')
    .replace(/[ \t]*\n[ \t]*/g, '\n');
  return decodeEntities(text)
    .replace(/\u241e(\d+)\u241e/g, (_, at: string) => `\n\n\`\`\`\n${blocks[Number(at)]}\n\`\`\``)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Returns the Markdown rule under a table head, with one cell per column. */
function headRule(before: string): string {
  const cells = before.slice(before.lastIndexOf('<thead>')).match(/<th\b/g)?.length ?? 0;
  return `\n|${' --- |'.repeat(cells)}`;
}

function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}
