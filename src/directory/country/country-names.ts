const LANGUAGES =
  'ar bg ca cs da de el en es et fa fi fr he hi hr hu id is it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv th tr uk vi zh zh-Hant'.split(
    ' ',
  );
const namesByCountry = new Map<string, readonly string[]>();

/** Returns the names of a country in many languages. */
export function countryNamesInAllLanguages(code: string): readonly string[] {
  return namesByCountry.getOrInsertComputed(code, () => [
    ...new Set(
      LANGUAGES.flatMap(
        (language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code) ?? [],
      ),
    ),
  ]);
}
