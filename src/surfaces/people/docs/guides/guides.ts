import { readdirSync, readFileSync } from 'node:fs';
import { example, markdownIt, topicContent, type Content } from '../content.ts';
import { docsAddress, type DocsModel, type Topic } from '../docs-model.ts';
import { GUIDE_BLOCKS, GUIDE_TEXTS } from './guide-values.ts';
import { raw, type Html } from '../../../../core/text/html.ts';

/** A section of a guide, as Markdown with placeholders. */
interface GuideTopic {
  id: string;
  title: string;
  source: string;
}

export interface Guide {
  /** Page of the reference on which its topics appear. */
  slug: string;
  /** Heading and first paragraph; absent if the page is generated and the guide only adds topics to it. */
  head: { title: string; lead: string } | undefined;
  topics: readonly GuideTopic[];
}

const FOLDER = new URL('../../../../../docs/guides/', import.meta.url);
const FIRST_PAGE = 'start';
const HEAD = /^# (?<title>.+)\n\n(?<lead>.+)$/;
const TOPIC = /^## (?<title>.+?)(?: \{#(?<id>[\w-]+)\})?\n\n(?<source>[^]+)$/;

/** The guides in `docs/guides`, read once at the start. A placeholder or a link that cannot be resolved throws. */
export const GUIDES: readonly Guide[] = readdirSync(FOLDER).map((file) =>
  parseGuide(file, readFileSync(new URL(file, FOLDER), 'utf8')),
);

export function parseGuide(file: string, source: string): Guide {
  const slug = slugOfFile(file.replace(/\.md$/, ''));
  const [head, ...topics] = splitAtHeadings(checkPlaceholders(file, siteLinks(file, slug, source)));
  const { title = '', lead = '' } = HEAD.exec(head ?? '')?.groups ?? {};
  if (head !== '' && title === '') throw new Error(`${file} must begin with a title and one paragraph.`);
  return { slug, head: head === '' ? undefined : { title, lead }, topics: topics.map(parseTopic) };
}

function slugOfFile(name: string): string {
  return name === FIRST_PAGE ? '' : name;
}

/** Splits at second-level headings. The first part is the text before them. */
function splitAtHeadings(source: string): string[] {
  const lines = source.split('\n');
  const starts = markdownIt
    .parse(source, {})
    .flatMap(({ type, tag, level, map }) =>
      type === 'heading_open' && tag === 'h2' && level === 0 && map !== null ? [map[0]] : [],
    );
  return [0, ...starts].map((start, i) => lines.slice(start, starts[i]).join('\n').trim());
}

/** Parses a section. Its id is written as `{#id}` behind the heading, or made from the title. */
function parseTopic(section: string): GuideTopic {
  const { title, id, source } = TOPIC.exec(section)?.groups ?? {};
  if (title === undefined || source === undefined)
    throw new Error(`A guide has an empty section: ${section}`);
  return { id: id ?? title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), title, source };
}

/** Turns links between the files into links between pages. */
function siteLinks(file: string, slug: string, source: string): string {
  return source.replaceAll(/\]\(([^)\s]+)\)/g, (link, href: string) => {
    if (/^(?:\/|https:|\{\{)/.test(href)) return link;
    const [, target, id] = /^(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(href) ?? [];
    if (target === undefined && id === undefined)
      throw new Error(`${file} links to ${href}, which is no page.`);
    return `](${docsAddress({ slug: target === undefined ? slug : slugOfFile(target) }, id)})`;
  });
}

function checkPlaceholders(file: string, source: string): string {
  for (const [, name = ''] of source.matchAll(/\{\{(.*?)\}\}/g))
    if (!Object.hasOwn(GUIDE_TEXTS, name) && !Object.hasOwn(GUIDE_BLOCKS, name))
      throw new Error(`${file} has the unknown placeholder {{${name}}}.`);
  return source;
}

type Tokens = ReturnType<typeof markdownIt.parse>;

/** Tables look like those of the other pages: stacked on a phone, with a name at the beginning of each row. */
const beginsRow = (tokens: Tokens, at: number) => tokens[at]?.type === 'tr_open';
Object.assign(markdownIt.renderer.rules, {
  table_open: () => '<table class="stack">',
  th_open: () => '<th scope="col">',
  td_open: (tokens: Tokens, at: number) => (beginsRow(tokens, at - 1) ? '<th scope="row">' : '<td>'),
  td_close: (tokens: Tokens, at: number) => (beginsRow(tokens, at - 3) ? '</th>' : '</td>'),
});

/** Renders a section of a guide. Its code blocks are examples, and the paragraph before each is the caption. */
export function guideTopic({ id, title, source }: GuideTopic, model: DocsModel): Topic {
  const text: Content[] = [];
  const examples: Content[] = [];
  const filled = fillTexts(source, model);
  const lines = filled.split('\n');
  const blocks = topLevelBlocks(markdownIt.parse(filled, {}));
  for (const [i, block] of blocks.entries()) {
    const [first, inline] = block;
    if (first?.type === 'fence') examples.push(fencedExample(first, blocks[i - 1]));
    else if (blocks[i + 1]?.[0]?.type !== 'fence')
      text.push(
        blockValue(inline?.content, model) ?? {
          html: renderBlock(block),
          markdown: lines
            .slice(...(first?.map ?? []))
            .join('\n')
            .trim(),
        },
      );
  }
  return { id, title, content: topicContent({ id, title, textClass: 'prose' }, text, examples) };
}

/** Groups tokens by the paragraphs, lists and other blocks of the text. */
function topLevelBlocks(tokens: Tokens): Tokens[] {
  const blocks: Tokens[] = [];
  let block: Tokens = [];
  for (const token of tokens) {
    block.push(token);
    if (token.level > 0 || token.nesting === 1) continue;
    blocks.push(block);
    block = [];
  }
  return blocks;
}

function renderBlock(block: Tokens): Html {
  return raw(markdownIt.renderer.render(block, markdownIt.options, {}));
}

function fencedExample({ info, content }: Tokens[number], before: Tokens | undefined): Content {
  const [opening, caption] = before ?? [];
  if (opening?.type !== 'paragraph_open' || caption === undefined)
    throw new Error(`A code block of a guide has no caption: ${content}`);
  return example(caption.content.replace(/:$/, ''), info, content.trimEnd());
}

/** Replaces the placeholders of texts. */
function fillTexts(source: string, model: DocsModel): string {
  return source.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    return GUIDE_TEXTS[name]?.(model) ?? placeholder;
  });
}

/** Returns the value of a placeholder that is a paragraph of its own. */
function blockValue(paragraph: string | undefined, model: DocsModel): Content | undefined {
  const [, name = ''] = /^\{\{(\w+)\}\}$/.exec(paragraph ?? '') ?? [];
  return GUIDE_BLOCKS[name]?.(model);
}
