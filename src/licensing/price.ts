/** Ten per cent more, up to the next cent. */
function step(cents: number): number {
  return Math.floor((cents * 11 + 9) / 10);
}

/** What a use costs after so many licences of the drop, whichever uses those were for. */
export function priceAfter(baseCents: number, sold: number): number {
  let price = baseCents;
  for (let n = 0; n < sold; n++) price = step(price);
  return price;
}

/**
 * The highest first price that is still within a limit after 0, 1, 2 … licences: the ladder read downwards. A search
 * compares with it what the photographer asked for, so that only this file knows how a price rises.
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

/** How a price is divided. The platform's share is rounded down, so the odd cent is the photographer's. */
export function divide(priceCents: number, platformPercent: number): Shares {
  const platform = Math.floor((priceCents * platformPercent) / 100);
  return { photographer: priceCents - platform, platform };
}
