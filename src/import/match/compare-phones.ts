type PhoneAgreement = 'same' | 'different' | null;

/** Number of digits compared, because sources write numbers with and without country and area code. */
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
