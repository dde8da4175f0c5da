export const E164 = /^\+[1-9][0-9]{6,14}$/;

/** Removes spaces, dots, hyphens and brackets from a phone number; nothing is ever added. */
export function plainPhone(value: string): string {
  return value.replaceAll(/[\s().-]/g, '');
}
