import { readFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../../../core/context.ts';
import {
  languageCodeOf,
  VENUE_LANGUAGES,
  venueLanguage,
  type PlaceLanguages,
  type VenueLanguage,
} from '../../../../bookings/language/venue-language.ts';
import { AppError } from '../../../../core/errors.ts';
import { refuseContacts } from '../../../../core/text/contact/contact-data.ts';
import { acceptedLanguages } from '../../../../core/text/languages.ts';
import { cookieName, readCookie, setCookie } from '../../../../core/secret/cookies.ts';
import { memoizeText } from '../../../../core/memory/memoize-text.ts';
import { messageRenderer } from '../../../../core/text/message-catalogue.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { choiceInput, hiddenInput } from '../../form/fields.ts';
import { choiceField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import { defineAction, refuse } from '../../person/action.ts';
import { anybody } from '../../person/audience.ts';
import {
  doneNotice,
  type Notice,
  type PageRequest,
  type PageState,
  type View,
} from '../../person/page-request.ts';
import type english from './catalogues/en.json';

export type AreaKey = keyof typeof english;
export type AreaText = (key: AreaKey, values?: Readonly<Record<string, string | number>>) => string;

/** The language of a page of the venue's area. `text` has the messages for venues, `area` the texts of the pages. */
export interface AreaLanguage extends VenueLanguage {
  area: AreaText;
}

export function readAreaCatalogue(code: string): Readonly<Record<AreaKey, string>> {
  const file = new URL(`./catalogues/${code}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<AreaKey, string>;
}

const LANGUAGES_MAX = 50;

const areaText = memoizeText(
  (code): AreaText => messageRenderer(`${code}-u-nu-latn`, () => readAreaCatalogue(code)),
  LANGUAGES_MAX,
);

/** A request to a page of the area. Without a session there is no venue. */
interface Reader {
  request: FastifyRequest;
  deps: { config: Pick<Deps['config'], 'baseUrl' | 'prefix'> };
  person?: { place: PlaceLanguages };
}

/**
 * Returns the language in which the area is shown: the one that the reader chose, otherwise the first of the browser's
 * for which there is a catalogue, otherwise the venue's.
 */
export function areaLanguage({ request, deps, person }: Reader): AreaLanguage {
  const chosen = readCookie(request.headers.cookie, cookieName(deps.config.baseUrl, languageCookie(deps)));
  const accepted = acceptedLanguages(request.headers['accept-language'])?.split(',') ?? [];
  const preferred = [chosen ?? '', ...accepted].map((tag) => VENUE_LANGUAGES.get(languageCodeOf(tag) ?? ''));
  const language = preferred.find((one) => one !== undefined) ?? venueLanguage(person?.place ?? NOWHERE);
  return { ...language, area: areaText(language.code) };
}

const NOWHERE: PlaceLanguages = { languages: [], country: '' };

const languageCookie = ({ config }: Reader['deps']) => `${config.prefix}_language`;

const YEAR_SECONDS = 31_536_000;

/** Remembers the reader's choice in this browser. */
export const chooseLanguage = defineAction({
  name: 'choose_language',
  path: '/venue/language',
  who: anybody,
  fields: {
    language: choiceInput(
      [...VENUE_LANGUAGES.keys()].map((code) => [code, nameOf(code)] as const),
      { label: 'Language' },
    ),
    back: hiddenInput(z.string().regex(/^\/venue(?:\/[a-z]{1,20}(?:\/[\w-]{20,64})?)?$/)),
  },
  run(act, { language, back }) {
    const { config } = act.deps;
    act.setCookie(setCookie(config.baseUrl, languageCookie({ config }), language, YEAR_SECONDS));
    act.unchanged();
    return Promise.resolve({ to: back });
  },
});

/** Writes the name of a language in the language itself. */
function nameOf(code: string): string {
  return new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;
}

type FrameLanguage = NonNullable<View['language']>;

/** Returns the language of a page for its frame. */
export function frameLanguage({ code, direction, text, area }: AreaLanguage): FrameLanguage {
  return {
    code,
    direction,
    skip: text('page.skip'),
    nav: [{ href: '/venue', label: area('nav.listing') }],
    labels: {
      nav: area('nav.main'),
      footer: area('footer.about'),
      links: [
        { href: '/privacy', label: area('footer.privacy') },
        { href: '/terms', label: area('footer.terms') },
        { href: '/support', label: area('footer.support') },
      ],
    },
  };
}

/** Returns the same with the form that changes the language. */
export function pageLanguage(req: Reader & Pick<PageRequest, 'deps' | 'reply'>, back: string): FrameLanguage {
  const language = areaLanguage(req);
  const choices = [...VENUE_LANGUAGES.keys()].map((one) => [one, nameOf(one)] as const);
  const choice = form(
    req,
    chooseLanguage.path,
    html`<input type="hidden" name="back" value="${back}" />
      ${choiceField({ name: 'language', label: language.area('language.label'), choices, value: language.code })}
      <button class="button plain" type="submit">${language.area('language.show')}</button>`,
    { className: 'language-choice' },
  );
  return { ...frameLanguage(language), choice };
}

/** Returns the notice of a page: of its action, or the message for the `done` key of the address. */
export function areaNotice(
  req: Reader & Pick<PageRequest, 'query'>,
  { isInvalid, notice }: PageState,
  messages: Readonly<Record<string, string>>,
): Notice | undefined {
  if (isInvalid === true) return { kind: 'bad', text: areaLanguage(req).area('fault.check') };
  return notice ?? doneNotice(req.query, messages);
}

/** Replaces the errors that the declared fields report by those of the page's language. */
export function withFaults(state: PageState, texts: Readonly<Record<string, string>>): PageState {
  if (state.isInvalid !== true || state.faults === undefined) return state;
  const faults = Object.entries(state.faults).map(([name, fault]) => [name, texts[name] ?? fault]);
  return { ...state, faults: Object.fromEntries(faults) as Record<string, string> };
}

/** Refuses contact data in a field, in the page's language. */
export function refuseContactsIn(name: string, text: string, max: number, { area }: AreaLanguage): void {
  try {
    refuseContacts({ [name]: text });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    refuse({ faults: { [name]: area('fault.contact', { max }) } });
  }
}

/** Writes a span of time with its unit, such as 5 minutes. */
export function formatSpan(
  count: number,
  unit: 'second' | 'minute' | 'hour',
  { locale }: AreaLanguage,
): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

const GAP = '\ue000';

/** Renders a text with markup in the place of its argument `name`. */
export function withName(
  area: AreaText,
  key: AreaKey,
  name: Html,
  values: Readonly<Record<string, string>> = {},
): Html {
  const [before, after] = area(key, { ...values, name: GAP }).split(GAP);
  return html`${before}${name}${after}`;
}
