import { html, type Html } from '../../../core/text/html.ts';
import { bullets, type AboutModel, type AboutText } from './about-page.ts';

/**
 * Describes what the program stores, for how long, and who gets it. Keep it true: a change to that code must change
 * this text.
 */
export function privacyText(model: AboutModel): AboutText {
  const { serviceName } = model.site;
  return {
    path: '/privacy',
    title: 'Privacy',
    lead: `What ${serviceName} stores about people, for how long, and who gets it.`,
    sections: [
      ['In short', inShort()],
      ['When you read the pages', reading()],
      ['When an assistant or another program asks', asking(model)],
      ['When you have an account', accounts()],
      ['When a table is asked for', tables()],
      ['When you offer photos or pay', photos(model)],
      ['Who else gets something', recipients(model)],
      ['Your rights', rights(model)],
    ],
  };
}

function inShort(): Html {
  return bullets([
    'If you only look for places, we learn nothing about you.',
    "We take no contact data and no cards from guests, and we sell nobody's data.",
    'Nothing here is used for advertising or for training models.',
    'A name on a table request is erased 30 days after its date.',
  ]);
}

function reading(): Html {
  return html`<p>
      Pages that you only read set no cookie and load nothing from other companies. The log has one line for
      each request: its id, the kind of page, the status and how long it took. It contains no network address,
      no search words and no content.
    </p>
    <p>
      Requests are counted by network address, so that nobody uses up the capacity meant for everybody. A
      count is deleted when its hour or day is over. A form sets a cookie that protects it; a sign-in sets one
      that expires after 7 to 30 days.
    </p>`;
}

function asking({ config: { llm } }: AboutModel): Html {
  return html`<p>
      An assistant sends us the arguments of a call and its key or token, never the conversation around it.
      Searches and questions are answered and not
      stored.${llm !== undefined && ' A language model words some answers: see below.'} Leave names and
      contact data of people out of them; none is needed.
    </p>
    <p>
      What you write, such as a submission or a table request, is stored, with an entry in the audit log that
      contains the account's id, or the network address where there is no account.
    </p>`;
}

function accounts(): Html {
  return bullets([
    html`<strong>Operators of agents</strong>: name, mailbox, website, purpose, what they submitted, and which
      clients they connected. <strong>Partners</strong>: name, company, mailbox, and how many calls they made.`,
    html`<strong>Members</strong>: mailbox, the name that venues see, and their tables.
      <strong>Venues</strong>: what they publish about themselves, and the contacts that we use to reach them.`,
    'Keys, tokens, codes and passwords are stored only as hashes. A sign-in code works for ten minutes.',
    'The text of a mail is deleted once it is sent. Accounts stay until their owners close them.',
  ]);
}

function tables(): Html {
  return html`<p>
    A request contains a name, the date, the time, the number of people and notes for the venue. Contact data
    of the guest is refused. The venue gets exactly this, and so does the partner who requested the table.
    Name and notes are erased 30 days after the date of the table; what was sent to the partner about it is
    deleted 30 days after it arrived.
  </p>`;
}

function photos({ config: { stripe, photoS3 } }: AboutModel): Html {
  return html`<p>
    Photos are shown without the data that a camera adds, and are checked by a person; files that were
    rejected are deleted after 30
    days.${photoS3 !== undefined && ' Files are kept in a store that another company runs for us.'}
    ${
      stripe !== undefined
        ? 'Payments are made on the page of Stripe. We learn that an amount was paid, but never see a card.'
        : 'No payments are taken here.'
    }
    Purchases and payments stay on record, as bookkeeping law requires.
  </p>`;
}

function recipients({ config: { smtp, twilio, stripe, llm } }: AboutModel): Html {
  return bullets([
    'A venue gets the table requests that are for it, and nothing else.',
    'A partner gets the state of its own requests. An operator gets the decisions about its own submissions.',
    smtp !== undefined && 'Our mail provider delivers our mails.',
    twilio !== undefined && 'Our telephone provider delivers texts and calls to venues, never to guests.',
    stripe !== undefined && 'Stripe handles payments.',
    llm !== undefined &&
      'A language model gets questions to the concierge and facts from the directory, to word an answer. It gets no personal data.',
    'Approved entries of businesses are public, with the name of the operator who submitted them.',
  ]);
}

function rights({ config: { contactEmail } }: AboutModel): Html {
  return html`<p>
    Members see the data about them at <a href="/member">Members</a> and erase it themselves at
    <a href="/member/forget">Forget me</a>. Operators end connections at
    <a href="/oauth/connections">their connections</a>. To see, correct, export or erase any other data about
    you, write to <a href="mailto:${contactEmail}">${contactEmail}</a>. If you are not satisfied with the
    answer, you can contact the data protection authority where you live.
  </p>`;
}
