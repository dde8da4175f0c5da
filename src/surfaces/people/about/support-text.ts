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
          <a href="mailto:${contactEmail}">${contactEmail}</a>. Tell us which page or tool it was, and when.
          Programs get a request id with every answer, which begins with <code>req_</code>: add it if you have
          it.
        </p>`,
      ],
      [
        'Something about a place is wrong',
        html`<p>
          Open the page of the place. Its section “Sources” shows where the entry comes from: a correction
          there helps everybody. The venue itself can claim its entry and change it at
          <a href="/venue">Venues</a>.
        </p>`,
      ],
      [
        'A table',
        html`<p>
          The assistant or partner that made the request for you knows its status, and can change or cancel
          it. Members see their tables at <a href="/member">Members</a>. If it is urgent, call the venue.
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
        'Security problems',
        html`<p>
          Write to the same address first, with "security" in the subject. Give us time to fix the problem
          before you publish it.
        </p>`,
      ],
    ],
  };
}
