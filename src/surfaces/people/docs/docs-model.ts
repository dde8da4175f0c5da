import type { Html } from '../../../core/text/html.ts';
import type { Site } from '../frame/layout.ts';
import type { Content } from './content.ts';
import type { OpenApiDocument } from './topics/openapi-document.ts';
import type { McpSurface } from './topics/tool-topic.ts';

/** Data from which the reference is generated. */
export interface DocsModel {
  site: Site;
  openapi: OpenApiDocument;
  surfaces: readonly McpSurface[];
  /** Prefix of API keys. */
  prefix: string;
  now: Date;
}

/** A unit of the reference with its own URL and entries in navigation and search. */
export interface Topic {
  id: string;
  title: string;
  /** Label in the navigation, where it differs from the title. */
  label?: Html;
  /** The section with its heading. */
  content: Content;
  /** Further entries for the search, each with its own fragment. */
  lines?: readonly { id: string; title: string; words: string }[];
}

export interface DocsPage {
  /** Last path segment; empty for the first page. */
  slug: string;
  group: 'Guides' | 'REST' | 'MCP';
  /** Name in the navigation. */
  title: string;
  /** Heading of the page, where it differs from the title. */
  heading?: string;
  lead: Content | string;
  topics: readonly Topic[];
}

/** Returns the URL of a page, or of a topic on it. */
export function docsAddress({ slug }: Pick<DocsPage, 'slug'>, id?: string): string {
  return `/docs${slug === '' ? '' : `/${slug}`}${id === undefined ? '' : `#${id}`}`;
}

/** Returns the name of a page with its group. */
export function pageName({ group, title }: DocsPage): string {
  return group === 'Guides' ? title : `${group}: ${title}`;
}
