import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../../core/context.ts';
import type { AppError } from '../../../../core/errors.ts';
import { html } from '../../../../core/text/html.ts';
import type { MessageLanguage, MessageModel, MessageWords } from '../../frame/message-page.ts';
import { areaLanguage, formatSpan, frameLanguage, type AreaLanguage } from './area-language.ts';

/** The venue's area, and the page behind the link in a message to a venue. */
const PATHS = /^\/(?:venue|v)(?:[/?]|$)/;

interface VenueError {
  words: MessageWords;
  language: MessageLanguage;
  start: NonNullable<MessageModel['start']>;
}

/** Returns an error of a page for venues in the reader's language; undefined elsewhere and in English. */
export function venueError(
  request: FastifyRequest,
  deps: Pick<Deps, 'config'>,
  error: AppError,
): VenueError | undefined {
  // Whether the input was saved is unknown then: only the English text says so.
  if (!PATHS.test(request.url) || error.members['outcome'] === 'unknown') return undefined;
  const language = areaLanguage({ request, deps });
  if (language.code === 'en') return undefined;
  const { area } = language;
  return {
    words: wordsOf(error, language),
    language: {
      frame: frameLanguage(language),
      headings: [area('error.what'), area('error.means'), area('error.next')],
      support: area('footer.support'),
    },
    start: { href: '/venue', label: area('nav.listing') },
  };
}

const KINDS: Readonly<Record<number, 'lost' | 'expired'>> = { 404: 'lost', 410: 'expired' };

function wordsOf(
  { status, message, retryAfterSeconds = 60 }: AppError,
  language: AreaLanguage,
): MessageWords {
  const { area } = language;
  const meaning = area('error.unchanged');
  const said = html`<span lang="en" dir="ltr">${message}</span>`;
  if (status === 429) {
    const time = formatSpan(Math.ceil(retryAfterSeconds / 60), 'minute', language);
    return { title: area('error.busyTitle'), what: said, meaning, next: area('error.busyNext', { time }) };
  }
  const kind = status >= 500 ? 'down' : KINDS[status];
  if (kind !== undefined)
    return {
      title: area(`error.${kind}Title`),
      what: area(`error.${kind}`),
      meaning,
      next: area(`error.${kind}Next`),
    };
  return { title: area('error.refusedTitle'), what: said, meaning, next: area('error.refusedNext') };
}
