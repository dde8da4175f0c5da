/** Price after this many licences of the drop, for any uses: each adds ten per cent, rounded up to the next cent. */
export function priceAfter(baseCents: number, sold: number): number {
  let price = baseCents;
  for (let n = 0; n < sold; n++) price = Math.floor((price * 11 + 9) / 10);
  return price;
}

/** Highest base prices that are within a limit after 0, 1, 2 … licences: the inverse of the price ladder. */
export function basesWithin(limitCents: number, steps: number): number[] {
  const bases = [limitCents];
  while (bases.length <= steps) bases.push(Math.floor(((bases.at(-1) ?? 0) * 10) / 11));
  return bases;
}

/** Divides a price. The platform's share is rounded down, so the odd cent is the photographer's. */
export function divide(priceCents: number, platformPercent: number) {
  const platform = Math.floor((priceCents * platformPercent) / 100);
  return { photographer: priceCents - platform, platform };
}
