export type PhoneAgreement = 'same' | 'different' | null;

/** Sources write one number with and without the codes of country and area; its last seven digits stay. */
const lastDigits = 7;

export function phoneEndings(phones: readonly string[]): string[] {
  return phones
    .map((phone) => phone.replace(/\D+/g, ''))
    .filter((digits) => digits.length >= lastDigits)
    .map((digits) => digits.slice(-lastDigits));
}

export function comparePhones(a: readonly string[], b: readonly string[]): PhoneAgreement {
  if (a.length === 0 || b.length === 0) return null;
  return a.some((ending) => b.includes(ending)) ? 'same' : 'different';
}
