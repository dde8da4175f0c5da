import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { ERRORS } from '../../../src/core/errors.ts';
import { docsPage, docsIndex } from '../../../src/surfaces/people/docs/docs-page.ts';
import { docsMarkdown, wholeMarkdown } from '../../../src/surfaces/people/docs/docs-markdown.ts';
import { docsPages } from '../../../src/surfaces/people/docs/docs-pages.ts';
import { GUIDE_BLOCKS, GUIDE_TEXTS } from '../../../src/surfaces/people/docs/guides/guide-values.ts';
import { GUIDES, parseGuide, guideTopic } from '../../../src/surfaces/people/docs/guides/guides.ts';
import { curl } from '../../../src/surfaces/people/docs/topics/examples.ts';
import { rankTopics } from '../../../src/surfaces/people/assets/scripts/rank-topics.js';
import { sampleOpenApi, sampleSurfaces } from './samples.ts';

const site = {
  prefix: 'svc',
  serviceName: 'Waypost',
  providerName: 'Mapwright',
  baseUrl: 'http://127.0.0.1:3000',
  partnerUrl: 'http://127.0.0.1:3000',
  attribution: { text: 'Place data © OpenStreetMap contributors (ODbL).', links: [] },
  demo: false,
  samples: [],
  empty: false,
  testPayments: false,
};
const openapi = sampleOpenApi('words');
const surfaces = sampleSurfaces('words');
const model = { site, openapi, surfaces, prefix: 'svc', now: new Date('2026-11-14T12:00:00Z') };
const pages = docsPages(model);
const markupOf = (given = model) => {
  const made = docsPages(given);
  const frame = { site, pages: made, searchIndex: '/docs/search.json' };
  return new Map(made.map((one) => [one.slug, docsPage(frame, one)]));
};
const markup = markupOf();
const whole = [...markup.values()].join('\n');
const text = whole.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

test('Every operation and every tool has a topic on one page, and entries in its navigation and on the first page', () => {
  const topics = pages.flatMap(({ slug, topics: own }) => own.map(({ id }) => ({ slug, id })));
  for (const path of Object.keys(openapi.paths ?? {})) {
    const [, , , id = ''] = path.split('/');
    assert.equal(topics.filter((one) => one.id === id).length, 1, id);
    assert.ok(whole.includes(`<code>${path}</code>`), path);
  }
  for (const { title, url, tools } of surfaces) {
    assert.ok(text.includes(url));
    for (const { name } of tools)
      assert.ok(
        topics.some(({ id }) => id === `mcp-${title.toLowerCase()}-${name}`),
        name,
      );
  }
  for (const { slug, id } of topics) {
    const own = markup.get(slug) ?? '';
    assert.ok(own.includes(`href="#${id}"`) && own.includes(` id="${id}"`), id);
    if (slug !== '') assert.ok(markup.get('')?.includes(`<li id="${id}"><a href="/docs/${slug}#${id}">`), id);
  }
});

test('Every address that the reference had before there were pages is on the first page', () => {
  const before =
    'quick-start running-examples user-agent credentials hosts submissions partner-calls tables photo-licences views errors rate-limits idempotency typed-client mcp attribution rules error-codes rest-submissions rest-photos mcp-agents mcp-partners mcp-concierge';
  for (const id of before.split(' ')) assert.ok(markup.get('')?.includes(` id="${id}"`), id);
});

test('Links between topics lead to the page of the topic', () => {
  assert.match(markup.get('rest-submissions') ?? '', /href="\/docs\/webhooks#callbacks"/);
  for (const [slug, page] of markup)
    for (const [, target = '', id = ''] of page.matchAll(/href="\/docs\/?([\w-]*)#([\w-]+)"/g))
      assert.ok(markup.get(target)?.includes(` id="${id}"`), `${slug}: ${target}#${id}`);
});

test('The search finds operations, tools, fields, guides and codes, the name before the mention', () => {
  const index = docsIndex(pages);
  const first = (query: string) => rankTopics(index, query)[0]?.href;
  assert.equal(first('operation_4'), '/docs/rest-submissions#operation_4');
  assert.equal(first('venue_daily_cap'), '/docs/errors#error-venue_daily_cap');
  assert.equal(first('rate lim'), '/docs/rules#rate-limits');
  assert.equal(first('CALLBACKS'), '/docs/webhooks#callbacks');
  assert.ok(rankTopics(index, 'place_id').length > 5);
  assert.deepEqual(rankTopics(index, 'callbacks zzz'), []);
  assert.deepEqual(rankTopics(index, ' '), []);
});

test('A field shows its type, whether it must be sent, its limits, its default and its allowed values', () => {
  assert.match(text, /place_id string required words matches \^plc_\[0-9a-z\]\{26\}\$/);
  assert.match(text, /limit integer 1 to 50; default 20/);
  assert.match(text, /rating number or null words/);
  assert.match(text, /method string one of request , phone , words/);
  assert.match(text, /places array of object at most 20 items places\[\]\.name string/);
});

test('The reader learns which key an operation needs, and the example sends it', () => {
  assert.match(text, /Needs: your key as a bearer token\./);
  assert.match(text, /-H &quot;Authorization: Bearer \$KEY&quot;/);
  const open = markupOf({ ...model, openapi: { ...openapi, security: [] } }).get('rest-submissions') ?? '';
  assert.match(open, /No key needed\./);
  assert.doesNotMatch(open, /\$KEY/);
});

test('Every error code stands in the table with its status', () => {
  for (const [code, [status]] of Object.entries(ERRORS)) {
    const row = new RegExp(
      `id="error-${code}">\\s*<th scope="row"><code>${code}</code></th>\\s*<td>${status}</td>`,
    );
    assert.match(markup.get('errors') ?? '', row, code);
  }
});

test('An example command reaches the shell as it was meant, whatever quotes are in the data', () => {
  const body = { name: `it's "$(touch x)" \`id\` \\ ${'long '.repeat(20)}` };
  const command = curl({ url: `http://127.0.0.1/?a=1&b='`, headers: [`X: it's`], body });
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], {
    encoding: 'utf8',
  });
  const words = printed.split('\0');
  assert.equal(words[0], `http://127.0.0.1/?a=1&b='`);
  assert.ok(words.includes(`X: it's`));
  assert.deepEqual(JSON.parse(words[words.indexOf('-d') + 1] ?? ''), body);
});

test('Every placeholder of a guide has a value, and every value is used', () => {
  const sources = GUIDES.flatMap(({ topics }) => topics.map(({ source }) => source)).join('\n');
  const used = new Set([...sources.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name));
  assert.deepEqual([...used].sort(), Object.keys({ ...GUIDE_TEXTS, ...GUIDE_BLOCKS }).sort());
  assert.doesNotMatch(whole, /\{\{|\}\} /);
  assert.doesNotMatch(wholeMarkdown(site.baseUrl, pages), /\{\{/);
});

test('A guide with an unknown placeholder, a broken link, no lead or an example without a caption is refused', () => {
  const refused = (source: string, message: RegExp) => {
    assert.throws(() => parseGuide('x.md', source).topics.map((topic) => guideTopic(topic, model)), message);
  };
  refused('## A\n\n{{base_uri}}', /x\.md has the unknown placeholder \{\{base_uri\}\}/);
  refused('## A\n\n{{ base_url }}', /unknown placeholder/);
  refused('## A\n\n[B](../b.md)', /x\.md links to \.\.\/b\.md/);
  refused('# A\n\n## B\n\nText.', /x\.md must begin with a title/);
  refused('## A\n\n- b\n\n```sh\nls\n```', /no caption/);
});

test('Markup in a guide or in a value is text, and examples are highlighted and captioned', () => {
  const source = 'A <b>bold</b> [link](rules.md#idempotency).\n\nThe answer:\n\n```json\n{"a": "<i>"}\n```';
  const [topic] = parseGuide('x.md', `## A title\n\n${source}\n`).topics;
  assert.ok(topic);
  const { html, markdown } = guideTopic(topic, model).content;
  const flat = html.toString().replaceAll(/\s+/g, ' ');
  assert.match(flat, /<section class="topic" id="a-title">/);
  assert.match(flat, /A &lt;b&gt;bold&lt;\/b&gt; <a href="\/docs\/rules#idempotency">link<\/a>\./);
  assert.match(flat, /<figcaption>The answer<\/figcaption> <pre>\{<b>&quot;a&quot;<\/b>: <q>&quot;&lt;i&gt;/);
  assert.equal(markdown, `## A title\n\n${source.replace('rules.md', '/docs/rules')}`);
});

test('The Markdown of a page has every field, heading and link of the page', () => {
  for (const here of pages) {
    const markdown = docsMarkdown(site.baseUrl, pages, here);
    const page = here.topics.map(({ content }) => content.html.toString()).join('');
    const names = [...page.matchAll(/<p class="name">\s*<code>([^<]+)<\/code>/g)].map(
      ([, name = '']) => name,
    );
    for (const name of names) assert.ok(markdown.includes(`- \`${name}\` `), `${here.slug}: ${name}`);
    const headings = [...page.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, title = '']) => `## ${title}`);
    assert.deepEqual(markdown.match(/^## .+$/gm)?.filter((line) => line !== '## Everything') ?? [], headings);
    assert.doesNotMatch(markdown, /\]\((?:\/|#|[\w-]+\.md)/, 'links are absolute');
  }
  assert.equal(wholeMarkdown(site.baseUrl, pages).match(/^# .+$/gm)?.length, 1);
});
