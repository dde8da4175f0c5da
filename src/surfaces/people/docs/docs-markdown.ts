import { docsPage, type DocsModel } from './docs-page.ts';

/** What stands for a tag in Markdown. Tags that are not here only hold others and leave nothing behind. */
const MARKS: Readonly<Record<string, string>> = {
  '<h1>': '\n\n# ',
  '<h2>': '\n\n## ',
  '<h3>': '\n\n### ',
  '<h4>': '\n\n#### ',
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

/** The reference page as Markdown, for readers that are programs. It is made from the page, so it says the same. */
export function docsMarkdown(model: DocsModel): string {
  const [, article = ''] = /<article[^>]*>(.*)<\/article>/s.exec(docsPage(model)) ?? [];
  return `${markdownOf(article, model.site.baseUrl)}\n`;
}

function markdownOf(markup: string, baseUrl: string): string {
  const blocks: string[] = [];
  const text = markup
    .replace(/<pre>(.*?)<\/pre>/gs, (_, code: string) => {
      blocks.push(decoded(code.replace(/<[^>]*>/g, '')));
      return `\u241e${blocks.length - 1}\u241e`;
    })
    .replace(/\s+/g, ' ')
    .replace(/<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/g, (_, href: string, words: string) =>
      href.startsWith('#') ? words : `[${words}](${href.startsWith('/') ? baseUrl + href : href})`,
    )
    .replace(/<p class="name">/g, '')
    .replace(/<\/thead>/g, (_, at: number, all: string) => headRule(all.slice(0, at)))
    .replace(/<(\/?[a-z]+\d?)\b[^>]*>/g, (_, name: string) => MARKS[`<${name}>`] ?? '')
    .replace(/[ \t]*\n[ \t]*/g, '\n');
  return decoded(text)
    .replace(/\u241e(\d+)\u241e/g, (_, at: string) => `\n\n\`\`\`\n${blocks[Number(at)]}\n\`\`\``)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The line under the headings of a table has as many cells as they. */
function headRule(before: string): string {
  const cells = before.slice(before.lastIndexOf('<thead>')).match(/<th\b/g)?.length ?? 0;
  return `\n|${' --- |'.repeat(cells)}`;
}

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}
