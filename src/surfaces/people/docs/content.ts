import MarkdownIt from 'markdown-it';
import { html, raw, type Html } from '../../../core/text/html.ts';
import { table } from '../frame/table.ts';
import { codeBlock, highlightJson } from './code-block.ts';

/** A part of the reference in both of its forms: for the page, and for programs. */
export interface Content {
  html: Html;
  markdown: string;
}

/** Renders Markdown as HTML. Markup in the source is shown as text. */
export const markdownIt = new MarkdownIt({ html: false, linkify: false, typographer: false });

export function inlineHtml(markdown: string): Html {
  return raw(markdownIt.renderInline(markdown));
}

/** Escapes the characters of a plain text that Markdown would interpret. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*<[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');
}

/** Returns a code span, delimited by more backticks than the text has in a row. */
export function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const delimiter = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return `${delimiter}${space}${text}${space}${delimiter}`;
}

/** Joins blocks of Markdown. Absent and empty ones are left out. */
export function markdownBlocks(blocks: readonly (string | false | undefined)[]): string {
  return blocks.filter((block) => typeof block === 'string' && block !== '').join('\n\n');
}

export function paragraph(text: string, className?: string): Content {
  return { html: html`<p class="${className}">${text}</p>`, markdown: escapeMarkdown(text) };
}

/** An example with a caption. JSON is highlighted on the page. */
export function example(caption: string, language: string, code: string): Content {
  return {
    html: codeBlock(inlineHtml(caption), language === 'json' ? highlightJson(code) : code),
    markdown: `${caption}:\n\n\`\`\`${language}\n${code}\n\`\`\``,
  };
}

export function jsonExample(caption: string, value: unknown): Content {
  return example(caption, 'json', JSON.stringify(value ?? null, null, 2));
}

/** A table whose rows begin with a name. Cells are Markdown. */
export function contentTable(
  columns: readonly string[],
  rows: readonly { id?: string; cells: readonly string[] }[],
): Content {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeBars).join(' | ')} |`;
  return {
    html: table(
      { className: 'stack', columns },
      rows.map(
        ({ id, cells: [name = '', ...others] }) =>
          html`<tr ${id !== undefined && html` id="${id}"`}>
            <th scope="row">${inlineHtml(name)}</th>
            ${others.map((cell) => html`<td>${inlineHtml(cell)}</td>`)}
          </tr>`,
      ),
    ),
    markdown: [line(columns), line(columns.map(() => '---')), ...rows.map(({ cells }) => line(cells))].join(
      '\n',
    ),
  };
}

/** Content that the reader unfolds. In Markdown its title precedes it. */
export function foldedContent(title: string, inner: Content): Content {
  return {
    html: html`<details class="more">
      <summary>${title}</summary>
      ${inner.html}
    </details>`,
    markdown: markdownBlocks([`**${title}**`, inner.markdown]),
  };
}

/** A bar would end the cell, also inside a code span. */
function escapeBars(cell: string): string {
  return cell.replaceAll('|', '\\|');
}

/** The section of a topic: text on one side, examples on the other. In Markdown the examples follow the text. */
export function topicContent(
  { id, title, textClass }: { id: string; title: string; textClass: 'prose' | 'words' },
  text: readonly (Content | false)[],
  examples: readonly (Content | false)[],
): Content {
  const htmlOf = (parts: readonly (Content | false)[]) => parts.map((part) => part && part.html);
  return {
    html: html`<section class="topic" id="${id}">
      <div class="${textClass}">
        <h2>${title}</h2>
        ${htmlOf(text)}
      </div>
      <div class="flow">${htmlOf(examples)}</div>
    </section>`,
    markdown: markdownBlocks([`## ${title}`, ...[...text, ...examples].map((part) => part && part.markdown)]),
  };
}
