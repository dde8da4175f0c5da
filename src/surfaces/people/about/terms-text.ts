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
          ${serviceName} is a directory of places. It tells what its sources know, with the day on which each
          was read, and what nobody has verified. It also asks venues for tables, where they want that. The
          service asks and the venue decides: until the venue has confirmed, nothing is booked.
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
          'Invent businesses, contacts, claims or reviews, or say that you are somebody you are not.',
          'Ask for tables that nobody wants, or put contact data of guests into a request.',
          'Share a key, go around a limit, or try to get at what is not yours.',
          'Show a request or a link as a booking.',
          html`Leave out the <a href="/docs/rules#attribution">attribution</a>: it is a condition of the
            licences of the data.`,
        ]),
      ],
      [
        'What you hand in',
        html`<p>
          What you submit stays yours. You allow us to check, store and publish it in the directory, and
          others to use it from there under the licence of the directory. Photos are licensed only as you
          offer them.
        </p>`,
      ],
      [
        'What things cost',
        html`<p>
          Reading and submitting are free within the allowances in the <a href="/docs">reference</a>. Plans,
          calls past an allowance and photo licences cost what is shown before you agree. A program can spend
          only what a person has paid in, and never above the maximum that it was given.
        </p>`,
      ],
      [
        'What nobody can promise',
        html`<p>
            Places close, hours change and sources are wrong. Check what matters with the venue. The contract
            about a table or a stay is between the guest and the venue; ${operator.name} is no party to it.
          </p>
          <p>
            The service is given as it is. Nothing here limits rights that the law gives you and that cannot
            be limited.
          </p>`,
      ],
      [
        'How it ends',
        html`<p>
          You may stop at any time, end a key or a connection, and have your account closed. Keys of those who
          break these rules are ended, with the reason. If these rules change, the day below changes with
          them.
        </p>`,
      ],
    ],
  };
}
