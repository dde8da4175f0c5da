import type { CodedMessage } from '../../bookings/coded/coded-message.ts';
import { codedSentence } from '../../bookings/coded/coded-words.ts';
import type { VenueLanguage } from '../../bookings/language/venue-language.ts';
import { html, type Html } from '../../core/text/html.ts';

/** The coded messages about a table, as its venue reads them. */
export function codedMessageList(messages: readonly CodedMessage[], language: VenueLanguage): Html {
  const { text } = language;
  return html`<ul>
    ${messages.map(
      (message) =>
        html`<li>
          ${codedSentence(message, language)}
          ${message.sender === 'venue' && html`<span class="soft">${text('page.messageSent')}</span>`}
          ${message.seenAt !== null && html`<span class="soft">${text('page.seen')}</span>`}
        </li>`,
    )}
  </ul>`;
}
