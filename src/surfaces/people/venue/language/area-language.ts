import { readFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../../core/context.ts';
import {
  ENGLISH,
  type PlaceLanguages,
  type VenueLanguage,
} from '../../../../bookings/language/venue-language.ts';
import { memoizeText } from '../../../../core/memory/memoize-text.ts';
import { messageRenderer } from '../../../../core/text/message-catalogue.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { doneNotice, type Notice, type PageRequest, type PageState } from '../../person/page-request.ts';
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

/** Returns the language in which the area is shown to this reader. */
export function areaLanguage(_req: Reader): AreaLanguage {
  return { ...ENGLISH, area: areaText(ENGLISH.code) };
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
