import refusals from './refusals.json' with { type: 'json' };

/** Reasons why a file cannot become a photo, with advice for its owner. */
export const REFUSALS = refusals;

export type RefusalCode = keyof typeof REFUSALS;

export class PhotoRefused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, options?: ErrorOptions) {
    super(REFUSALS[code], options);
    this.name = 'PhotoRefused';
    this.code = code;
  }
}

export function refusalText(code: string): string {
  return code in REFUSALS ? REFUSALS[code as RefusalCode] : REFUSALS.damaged;
}
