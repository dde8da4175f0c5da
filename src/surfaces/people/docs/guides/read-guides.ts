import { readdirSync, readFileSync } from 'node:fs';
import { markdownIt } from '../content.ts';
import { docsAddress } from '../docs-model.ts';
import { GUIDE_BLOCKS, GUIDE_TEXTS } from './guide-values.ts';

/** A section of a guide, as Markdown with placeholders. */
export interface GuideTopic {
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
