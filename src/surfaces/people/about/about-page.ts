import type { Config } from '../../../config.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { page, type Site } from '../frame/layout.ts';

/** Model of the pages about the service; their text depends on which providers are configured. */
export interface AboutModel {
  site: Site;
  config: Pick<Config, 'operator' | 'contactEmail' | 'smtp' | 'twilio' | 'stripe' | 'llm' | 'photoS3'>;
}

export interface AboutText {
  path: '/privacy' | '/terms' | '/support';
  title: string;
  lead: string;
  sections: readonly (readonly [title: string, words: Html])[];
}

/** Date of the last change to the content of these texts. */
const TEXT_DATE = '17 November 2026';

/** Renders a text page about the service, with its operator. */
export function aboutPage(model: AboutModel, { path, title, lead, sections }: AboutText): string {
  return page({
    site: model.site,
    title,
    description: lead,
    canonical: path,
    body: html`<div class="wrap page">
      <div class="prose">
        <h1>${title}</h1>
        <p class="lead">${lead}</p>
        ${sections.map(
          ([heading, words]) =>
            html`<h2>${heading}</h2>
              ${words}`,
        )}
        <h2>Who runs this service</h2>
        ${operatorWords(model)}
        <p class="soft">Last changed: ${TEXT_DATE}.</p>
      </div>
    </div>`,
  });
}

function operatorWords({ config: { operator, contactEmail } }: AboutModel): Html {
  return html`<p>
    ${operator.name.replace(/^the /, 'The ')}${operator.address !== undefined && html`, ${operator.address},`}
    runs this service. Write to
    <a href="mailto:${contactEmail}">${contactEmail}</a>.
  </p>`;
}

export function bullets(items: readonly (Html | string | false)[]): Html {
  return html`<ul>
    ${items.filter((item) => item !== false).map((item) => html`<li>${item}</li>`)}
  </ul>`;
}
