/** Where the seven children of an H3 cell lie, as angles; digit 0 is the centre. */
const degreesByDigit = [0, 240, 120, 180, 0, 300, 60];
/** Every second resolution is turned by this angle against the one above. */
const turn = Math.asin(Math.sqrt(3 / 28));
const metresOfBaseCell = 2_247_700;
const metresPerDegree = 111_195;

/**
 * The sample has no coordinates, but ids of one kind begin with the H3 cell of the place. Unfolding the digits of the cell
 * in the plane of its base cell gives no place on the globe, but the distance of two neighbours within a tenth.
 */
export function h3Position(id: string): { lat: number; lng: number } | Record<string, never> {
  if (!/^08f[0-9a-f]{29}$/.test(id)) return {};
  const cell = BigInt(`0x${id.slice(0, 16)}`);
  let x = 0;
  let y = 0;
  for (let resolution = 1; resolution <= 15; resolution++) {
    const digit = Number((cell >> BigInt(3 * (15 - resolution))) & 7n);
    if (digit === 0) continue;
    const angle = ((degreesByDigit[digit] ?? 0) * Math.PI) / 180 + (resolution % 2 === 1 ? turn : 0);
    const step = 7 ** (-resolution / 2);
    x += step * Math.cos(angle);
    y += step * Math.sin(angle);
  }
  const degrees = metresOfBaseCell / metresPerDegree;
  return { lat: x * degrees, lng: y * degrees };
}
