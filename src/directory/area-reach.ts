/** Radius in metres within which the name of a settlement without a boundary applies. */
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
