import { html, type Html } from '../../../core/text/html.ts';
import { page, type Site } from '../frame/layout.ts';

interface AccountPage {
  site: Site;
  title: string;
  /** Heading, where it differs from the title. */
  heading?: string;
  description: string;
  /** True while no payment provider is set up. */
  test?: boolean;
  body: Html;
}

/** Renders a page about an agent's account, for a person with a link to it. */
export function accountPage({
  site,
  title,
  heading = title,
  description,
  test = false,
  body,
}: AccountPage): string {
  return page({
    site,
    title,
    description,
    indexed: false,
    body: html`<div class="wrap page prose">
      ${test && html`<p><span class="badge warn">Test checkout</span></p>`}
      <h1>${heading}</h1>
      ${body}
    </div>`,
  });
}
