/** Adds ten per cent, rounded up to the next cent. */
function step(cents: number): number {
  return Math.floor((cents * 11 + 9) / 10);
}

/** Price of a use after this many licences of the drop, for any uses. */
export function priceAfter(baseCents: number, sold: number): number {
  let price = baseCents;
  for (let n = 0; n < sold; n++) price = step(price);
  return price;
}

/**
 * Highest base prices that are still within a limit after 0, 1, 2 … licences: the inverse of the price ladder. A search
 * compares the photographer's base price with it, so that only this file knows how prices rise.
 */
export function basesWithin(limitCents: number, steps: number): number[] {
  const bases = [limitCents];
  while (bases.length <= steps) bases.push(Math.floor(((bases.at(-1) ?? 0) * 10) / 11));
  return bases;
}

export interface Shares {
  photographer: number;
  platform: number;
}

/** Divides a price. The platform's share is rounded down, so the odd cent is the photographer's. */
export function divide(priceCents: number, platformPercent: number): Shares {
  const platform = Math.floor((priceCents * platformPercent) / 100);
  return { photographer: priceCents - platform, platform };
}
