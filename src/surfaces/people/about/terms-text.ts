import { html } from '../../../core/text/html.ts';
import { bullets, type AboutModel, type AboutText } from './about-page.ts';

/** Terms of use of an installation, in plain words. */
export function termsText({ site, config: { operator } }: AboutModel): AboutText {
  const { serviceName } = site;
  return {
    path: '/terms',
    title: 'Terms',
    lead: `The rules for using ${serviceName}, for people and for programs that act for them.`,
    sections: [
      [
        'What this is',
        html`<p>
          ${serviceName} is a directory of places. It shows what its sources state, with the date of each, and
          marks what is not verified. It also asks venues for tables, if they accept requests. The service
          asks and the venue decides: until the venue has confirmed, nothing is booked.
        </p>`,
      ],
      [
        'What you may do',
        bullets([
          'Search, show and link places, also in your own product, with the attribution line beside what you show.',
          'Let a program act for you. What it does with your key or your approval counts as done by you.',
          html`Use the interfaces within their <a href="/docs/rules#rate-limits">limits</a>.`,
        ]),
      ],
      [
        'What you may not do',
        bullets([
          'Invent businesses, contacts, claims or reviews, or pretend to be somebody else.',
          'Ask for tables that nobody wants, or put contact data of guests into a request.',
          'Share a key, bypass a limit, or try to access data that is not yours.',
          'Show a request or a link as a booking.',
          html`Leave out the <a href="/docs/rules#attribution">attribution</a>: it is a condition of the
            licences of the data.`,
        ]),
      ],
      [
        'What you submit',
        html`<p>
          What you submit stays yours. You allow us to check, store and publish it in the directory, and you
          allow others to use it under the licence of the directory. Photos are licensed only as you offer
          them.
        </p>`,
      ],
      [
        'What things cost',
        html`<p>
          Reading and submitting are free within the allowances in the <a href="/docs">reference</a>. Plans,
          calls beyond an allowance and photo licences cost what is shown before you agree. A program can
          spend only what a person has paid in, and never more than its maximum.
        </p>`,
      ],
      [
        'What we cannot promise',
        html`<p>
            Places close, hours change and sources are wrong. Check what matters with the venue. The contract
            about a table or a stay is between the guest and the venue; ${operator.name} is not a party to it.
          </p>
          <p>
            The service is provided as it is. Nothing here limits rights that the law gives you and that
            cannot be limited.
          </p>`,
      ],
      [
        'How it ends',
        html`<p>
          You may stop at any time, end a key or a connection, and have your account closed. Keys of users who
          break these rules are revoked, with the reason. If these rules change, the date below changes too.
        </p>`,
      ],
    ],
  };
}
