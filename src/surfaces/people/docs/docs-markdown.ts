import { escapeMarkdown, markdownBlocks } from './content.ts';
import { docsAddress, pageName, type DocsPage } from './docs-model.ts';

/** Returns a reference page as Markdown, for programs. */
export function docsMarkdown(baseUrl: string, pages: readonly DocsPage[], here: DocsPage): string {
  return `${pageMarkdown(baseUrl, pages, here)}\n`;
}

/** Returns all pages as one text. The headings of pages after the first are one level deeper. */
export function wholeMarkdown(baseUrl: string, pages: readonly DocsPage[]): string {
  const texts = pages.map((here, at) => {
    const text = pageMarkdown(baseUrl, pages, here);
    return at === 0 ? text : deepenHeadings(text);
  });
  return `${texts.join('\n\n')}\n`;
}

function pageMarkdown(baseUrl: string, pages: readonly DocsPage[], here: DocsPage): string {
  const isFirst = here.slug === '';
  const text = markdownBlocks([
    `# ${here.heading ?? here.title}`,
    typeof here.lead === 'string' ? escapeMarkdown(here.lead) : here.lead.markdown,
    isFirst && 'All of it as one text: [docs.md](/docs.md). Each page has its own: add `.md` to its address.',
    ...here.topics.map(({ content }) => content.markdown),
    isFirst && topicIndex(pages),
  ]);
  return text.replaceAll('](/', `](${baseUrl}/`);
}

/** Lists every topic by name. */
function topicIndex(pages: readonly DocsPage[]): string {
  const lists = pages
    .slice(1)
    .flatMap((one) => [
      `### [${pageName(one)}](${docsAddress(one)})`,
      one.topics.map(({ id, title }) => `- [${title}](${docsAddress(one, id)})`).join('\n'),
    ]);
  return markdownBlocks(['## Everything', ...lists]);
}

/** Adds a level to every heading, and leaves code blocks unchanged. */
function deepenHeadings(markdown: string): string {
  return markdown.replaceAll(/^```[^]*?^```$|^#/gm, (match) => (match === '#' ? '##' : match));
}
