/** How far the name of a settlement carries that has no boundary, in metres. */
export const AREA_REACH_M: Readonly<Record<string, number>> = {
  neighbourhood: 600,
  quarter: 800,
  suburb: 1_500,
  borough: 4_000,
  district: 4_000,
  hamlet: 1_000,
  village: 2_500,
  town: 4_000,
  island: 700,
  islet: 300,
};
