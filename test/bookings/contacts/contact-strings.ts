/** Makes up contacts as people write them, the same ones at every run. */
export function contactStrings(count: number): string[] {
  const random = seeded(7);
  const below = (max: number) => Math.floor(random() * max);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const letters = (length: number) =>
    Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz'[below(26)] ?? 'a').join('');
  const digits = (length: number) => Array.from({ length }, () => String(below(10))).join('');
  const spaced = (text: string, separators: readonly string[]) =>
    Array.from(text, (one, at) => (at > 0 && below(3) === 0 ? pick(separators) : '') + one).join('');
  const domain = () =>
    `${letters(3 + below(8))}.${pick(['com', 'net', 'org', 'io', 'co.uk', 'de', 'co.id', 'info'])}`;
  const around = (contact: string) =>
    pick([
      contact,
      `Guest ${contact}`,
      `${contact} please`,
      `call ${contact}`,
      `(${contact})`,
      `Ann, ${contact}, thanks`,
    ]);
  const script = (zero: number) => (text: string) =>
    Array.from(text, (one) => String.fromCodePoint(zero + Number(one))).join('');
  const kinds: (() => string)[] = [
    () => `${letters(2 + below(8))}@${domain()}`,
    () => `${letters(2 + below(6))}.${letters(4)}+${letters(2)}@${domain()}`.toUpperCase(),
    () => `${letters(5)} @ ${domain()}`,
    () => `${letters(5)} at ${letters(6)} dot ${pick(['com', 'net', 'org'])}`,
    () => `+${1 + below(98)} ${spaced(digits(7 + below(6)), [' ', '-', '.', ' - ', '/'])}`,
    () => `(0${digits(3)}) ${digits(3)}-${digits(4)}`,
    () => spaced(digits(7 + below(8)), [' ', '-', '.', '–', '\u00a0', '_']),
    () => `tel:${digits(7 + below(6))}`,
    () =>
      pick([script(0x660), script(0x6f0), script(0x966), script(0xff10), script(0xe50)])(
        digits(8 + below(4)),
      ),
    () => Array.from(digits(8 + below(4))).join(pick(['\u200b', '\u2060', ', ', ' . '])),
    () =>
      pick(['http://', 'https://', 'HTTPS://', 'ftp://', 'whatsapp://']) +
      domain() +
      pick(['', '/', `/${letters(4)}`]),
    () => `www.${domain()}`,
    () => `${domain()}/${letters(5)}`,
    () => pick(['wa.me/', 't.me/', 'm.me/', 'ig.me/']) + letters(6),
    () => `@${letters(3 + below(10))}`,
    () => `IG @${letters(4)}_${digits(2)}`,
    () => luhn(`4${digits(14)}`).replace(/(.{4})(?=.)/g, pick(['$1 ', '$1-', '$1'])),
    () => luhn(`5${digits(14)}`),
  ];
  return Array.from({ length: count }, (_, at) => around((kinds[at % kinds.length] as () => string)()));
}

/** A number as cards carry it: with its last digit. */
function luhn(digits: string): string {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, one, at) => {
      const value = Number(one) * (at % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return digits + String((10 - (sum % 10)) % 10);
}

/** Random numbers, the same ones at every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
