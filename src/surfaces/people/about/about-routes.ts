import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import { aboutPage, type AboutModel, type AboutText } from './about-page.ts';
import { privacyText } from './privacy-text.ts';
import { supportText } from './support-text.ts';
import { termsText } from './terms-text.ts';

const PAGES = { privacy: privacyText, terms: termsText, support: supportText } satisfies Record<
  string,
  (model: AboutModel) => AboutText
>;

/** Mounts the pages about the service. A path redirects where the operator has a page of their own. */
export function addAboutPages(app: FastifyInstance, deps: Deps): void {
  const { config } = deps;
  for (const [name, textOf] of Object.entries(PAGES)) {
    const own = config.ownPages[name as keyof typeof PAGES];
    app.get(`/${name}`, (_request, reply) => {
      if (own !== undefined) return reply.redirect(own, 302);
      const model = { site: siteOf(deps), config };
      return sendPage(reply, aboutPage(model, textOf(model)));
    });
  }
}
