import { html } from '../../../core/text/html.ts';
import { bullets, type AboutModel, type AboutText } from './about-page.ts';

/** Where to find help, by topic. */
export function supportText({ site, config: { contactEmail } }: AboutModel): AboutText {
  return {
    path: '/support',
    title: 'Support',
    lead: `Where to turn with questions about ${site.serviceName}.`,
    sections: [
      [
        'Write to us',
        html`<p>
          <a href="mailto:${contactEmail}">${contactEmail}</a>. Say which page or tool it was, and when.
          Programs get a request id with every answer, which begins with <code>req_</code>: add it if you have
          it.
        </p>`,
      ],
      [
        'Something about a place is wrong',
        html`<p>
          Open the page of the place. Its section “Sources” names where the entry comes from: there a mistake
          is mended for everybody. The venue itself can claim its entry and change it at
          <a href="/venue">Venues</a>.
        </p>`,
      ],
      [
        'A table',
        html`<p>
          The assistant or the partner through whom you asked knows how the request stands, and can change or
          cancel it. Members see their tables at <a href="/member">Members</a>. In a hurry, call the venue.
        </p>`,
      ],
      [
        'An assistant or a program of yours',
        bullets([
          html`<a href="/docs">The reference</a>: tools, operations, errors and limits, with examples.`,
          html`<a href="/oauth/connections">Your connections</a>: clients that act for you, and how to end
            them.`,
          html`<a href="/partner">Partners</a>: keys, usage and plans.`,
          html`<a href="/healthz">Whether the service is up</a>, and
            <a href="/api/concierge">whether table requests are taken</a>.`,
        ]),
      ],
      [
        'A fault that could hurt somebody',
        html`<p>
          Tell us first, at the same address, with "security" in the subject. Give us time to mend it before
          you tell others.
        </p>`,
      ],
    ],
  };
}
