/** One example of a document, and the words before it. */
export interface Example {
  /** Where it stands: the document and the line, or the page and the caption. */
  where: string;
  language: string;
  text: string;
  /** The last line of text before it, such as its caption. */
  caption: string;
}

const FENCE = /^( *)```(\w*)\n([^]*?)^ *```$/gm;

/** Every fenced example of a document in Markdown. */
export function fencedExamples(document: string, markdown: string): Example[] {
  return [...markdown.matchAll(FENCE)].map((match) => {
    const [, indent = '', language = '', text = ''] = match;
    const before = markdown.slice(0, match.index);
    return {
      where: `${document}:${before.split('\n').length}`,
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd(),
      caption: before.trimEnd().split('\n').at(-1)?.replace(/: ?$/, '') ?? '',
    };
  });
}

/** Every curl line that stands in the words of a document, outside of its fences. */
export function curlLines(document: string, markdown: string): Example[] {
  const words = markdown.replaceAll(FENCE, (fence) => fence.replaceAll(/[^\n]/g, ''));
  return [...words.matchAll(/`(curl [^`]+)`/g)].map((match) => ({
    where: `${document}:${words.slice(0, match.index).split('\n').length}`,
    language: 'sh',
    text: match[1] ?? '',
    caption: '',
  }));
}

/** The code blocks of a page, as a reader copies them. */
export function codeBlocks(page: string): string[] {
  return [...page.matchAll(/<pre>([^]*?)<\/pre>/g)].map(([, markup = '']) =>
    markup
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  );
}
