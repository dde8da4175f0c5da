import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js';

export const E164 = /^\+[1-9][0-9]{6,14}$/;

/** Removes spaces, dots, hyphens and brackets from a phone number; nothing is ever added. */
export function plainPhone(value: string): string {
  return value.replaceAll(/[\s().-]/g, '');
}

/** Writes a number in E.164 form as people of its country write it abroad: +377 98 06 19 19. */
export function phoneInGroups(phone: string): string {
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
}

const CALLING_CODES: ReadonlySet<string> = new Set(
  getCountries().map((country) => getCountryCallingCode(country)),
);

/** True for a number whose calling code belongs to other countries than this one, and to no network of the world. */
export function isOfOtherCountry(phone: string | null, country: string): boolean {
  if (phone === null || !isSupportedCountry(country)) return false;
  if (phone.startsWith(`+${getCountryCallingCode(country)}`)) return false;
  return [2, 3, 4].some((end) => CALLING_CODES.has(phone.slice(1, end)));
}
