import { cutTyped } from '../../../core/text/visible-text.ts';
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import type { Searchable } from '../assets/scripts/rank-topics.js';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import { docsMarkdown, wholeMarkdown } from './docs-markdown.ts';
import { docsPage, docsSearchPage, docsIndex, type DocsFrame } from './docs-page.ts';
import type { DocsModel } from './docs-model.ts';
import { docsPages } from './docs-pages.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';
const QUERY_MAX = 80;

interface Reference extends DocsFrame {
  index: readonly Searchable[];
}

/** Mounts the reference: its pages, their Markdown versions, and the search. */
export function addDocs(
  app: FastifyInstance,
  deps: Deps,
  loadDescriptions: () => Pick<DocsModel, 'openapi' | 'surfaces'>,
): void {
  const reference = cachedReference(deps, loadDescriptions);
  app.get('/docs', (_request, reply) => {
    const frame = reference();
    const [first] = frame.pages;
    if (first === undefined) throw new Error('The reference has a first page.');
    return sendPage(reply, docsPage(frame, first));
  });
  app.get('/docs.md', (_request, reply) => {
    const { site, pages } = reference();
    return sendPage(reply, wholeMarkdown(site.baseUrl, pages), MARKDOWN);
  });
  app.get<{ Querystring: { q?: unknown } }>('/docs/search', (request, reply) => {
    const { q } = request.query;
    const frame = reference();
    const query = typeof q === 'string' ? cutTyped(q.trim(), QUERY_MAX) : '';
    return sendPage(reply, docsSearchPage(frame, frame.index, query));
  });
  app.get('/docs/search.json', (request, reply) => {
    const { index, searchIndex: address } = reference();
    // The URL contains a content hash; a URL of another version, during an upgrade, is not cached.
    if (request.url === address) reply.header('cache-control', 'public, max-age=31536000, immutable');
    return sendPage(reply, JSON.stringify(index), 'application/json');
  });
  app.get<{ Params: { page: string } }>('/docs/:page', (request, reply) => {
    const [, slug = '', markdown] = /^([\w-]+)(\.md)?$/.exec(request.params.page) ?? [];
    const frame = reference();
    const here = frame.pages.find((one) => one.slug !== '' && one.slug === slug);
    if (here === undefined) throw new AppError('not_found', 'The reference has no page with this name.');
    return markdown === undefined
      ? sendPage(reply, docsPage(frame, here))
      : sendPage(reply, docsMarkdown(frame.site.baseUrl, frame.pages, here), MARKDOWN);
  });
}

/** Caches the reference. It changes only with a restart, with the data sources and with the date in the examples. */
function cachedReference(
  deps: Deps,
  loadDescriptions: () => Pick<DocsModel, 'openapi' | 'surfaces'>,
): () => Reference {
  let cached: { key: string; reference: Reference } | undefined;
  return () => {
    const site = siteOf(deps);
    const now = deps.clock.now();
    const key = JSON.stringify([site, now.toISOString().slice(0, 10)]);
    if (cached?.key !== key) {
      const pages = docsPages({ site, ...loadDescriptions(), prefix: deps.config.prefix, now });
      const index = docsIndex(pages);
      const version = createHash('sha256').update(JSON.stringify(index)).digest('base64url').slice(0, 10);
      cached = { key, reference: { site, pages, index, searchIndex: `/docs/search.json?v=${version}` } };
    }
    return cached.reference;
  };
}
