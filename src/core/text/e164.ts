/** A phone number with its country code. Numbers without one are never dialled: the code would have to be guessed. */
export const E164 = /^\+[1-9][0-9]{6,14}$/;

/** A number as people write it, without spaces, hyphens and brackets; nothing is ever completed. */
export function plainPhone(value: string): string {
  return value.replaceAll(/[\s().-]/g, '');
}
