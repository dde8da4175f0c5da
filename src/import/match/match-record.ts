/** Data of one source about one place, as far as it helps to recognize the place in another source. */
export interface MatchRecord {
  /** All names from the source, in any language and script; the main one first. */
  readonly names: readonly string[];
  readonly lat?: number | null;
  readonly lng?: number | null;
  readonly phones?: readonly string[];
  readonly websites?: readonly string[];
  /** Street and house number as one line, in the order of the country. */
  readonly street?: string | null;
  readonly postcode?: string | null;
  readonly city?: string | null;
  /** ISO 3166 alpha-2. */
  readonly country?: string | null;
  /** Names of the areas that contain the position. */
  readonly areas?: readonly string[];
  /** Names of the destination, in all languages. Records share the list, so that it is prepared once. */
  readonly destination?: readonly string[];
  /** Names of the towns nearby, in all languages; shared likewise. */
  readonly towns?: readonly string[];
  /** Category codes or words such as `seafood_restaurant`; the main one first. */
  readonly categories?: readonly string[];
  readonly vertical?: string | null;
}
