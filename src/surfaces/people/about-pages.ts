import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Deps } from '../../core/context.ts';
import { html, raw, type Html } from '../../core/text/html.ts';
import { escapeMarkdown, markdownIt } from './docs/content.ts';
import { page } from './frame/layout.ts';
import { sendPage } from './frame/send-page.ts';
import { siteOf } from './frame/site.ts';

/** Date of the last change to the content of these texts. */
const TEXT_DATE = '18 November 2026';
const OPERATOR = 'Who runs this service';
const FOLDER = new URL('../../../docs/about/', import.meta.url);

/** Mounts the pages about the service. A path redirects where the operator has a page of their own. */
export function addAboutPages(app: FastifyInstance, deps: Deps): void {
  const { config } = deps;
  for (const name of ['privacy', 'terms', 'support'] as const) {
    const own = config.ownPages[name];
    const { title, lead, body, headings } = readText(name, config);
    app.get(`/${name}`, (_request, reply) => {
      if (own !== undefined) return reply.redirect(own, 302);
      const about = html`<div class="wrap page about-page">
        <header class="flow">
          <h1>${title}</h1>
          <p class="lead">${lead}</p>
        </header>
        ${contents(headings)}
        <div class="prose">
          ${body}
          <h2 id="operator">${OPERATOR}</h2>
          ${operatorWords(config)}
          <p class="soft">Last changed: ${TEXT_DATE}.</p>
        </div>
      </div>`;
      const site = siteOf(deps);
      return sendPage(reply, page({ site, title, description: lead, canonical: `/${name}`, body: about }));
    });
  }
}

interface AboutText {
  title: string;
  lead: string;
  body: Html;
  headings: readonly string[];
}

/**
 * Reads a text of `docs/about`. It states what the program stores and who gets it, so it depends on which providers
 * are configured: `{{if stripe: …}}` and `{{unless stripe: …}}` hold what applies with and without one.
 */
function readText(name: string, config: Config): AboutText {
  const source = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');
  const [, title = '', lead = '', body = ''] = /^# (.+)\n\n(.+)\n\n([^]+)$/.exec(source) ?? [];
  const values: Record<string, string> = {
    service_name: escapeMarkdown(config.serviceName),
    operator_name: escapeMarkdown(config.operator.name),
    contact_email: config.contactEmail,
  };
  const { smtp, twilio, stripe, llm, photoS3 } = config;
  const providers: Record<string, unknown> = { smtp, twilio, stripe, llm, photoS3 };
  const filled = body
    .replaceAll(/\{\{(if|unless) (\w+): (.*?)\}\}/g, (_all, when: string, provider: string, text: string) => {
      if (!(provider in providers)) throw new Error(`${name}.md names the unknown provider ${provider}.`);
      return (providers[provider] !== undefined) === (when === 'if') ? text : '';
    })
    .replaceAll(/^- *\n/gm, '')
    .replaceAll(/\{\{(\w+)\}\}/g, (_all, value: string) => {
      if (!(value in values)) throw new Error(`${name}.md has the unknown placeholder {{${value}}}.`);
      return values[value] ?? '';
    });
  return {
    title,
    lead: lead.replace('{{service_name}}', config.serviceName),
    body: raw(
      markdownIt
        .render(filled)
        .replaceAll(/<h2>(.*?)<\/h2>/g, (_all, text: string) => `<h2 id="${idOf(text)}">${text}</h2>`),
    ),
    headings: [...filled.matchAll(/^## (.+)$/gm)].map(([, text = '']) => text),
  };
}

function idOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}

/** Lists the sections of the page. */
function contents(headings: readonly string[]): Html {
  return html`<nav class="on-page" aria-labelledby="on-page">
    <h2 id="on-page">On this page</h2>
    <ul>
      ${headings.map((text) => html`<li><a href="#${idOf(text)}">${text}</a></li>`)}
      <li><a href="#operator">${OPERATOR}</a></li>
    </ul>
  </nav>`;
}

function operatorWords({ operator, contactEmail }: Config): Html {
  return html`<p>
    ${operator.name.replace(/^the /, 'The ')}${operator.address !== undefined && html`, ${operator.address},`}
    runs this service. Write to
    <a href="mailto:${contactEmail}">${contactEmail}</a>.
  </p>`;
}
