/**
 * Logistic regression: the weights of the features are added to `bias`, and the sum becomes a score from 0 to 1. They
 * were fitted on two thirds of 3,000 labelled pairs (67 countries, L2 penalty 1); test/import/match measures the other
 * third.
 */
export const matchWeights = {
  nameContainment: 1.25,
  nameLetters: 1.16,
  nameIdentical: 0.93,
  nameExact: 0.73,
  nameLong: 0.66,
  nameSurplus: 1.03,
  nameConflict: -1.7,
  partOnly: -2.98,
  // Set by hand, fitted -0.38: the sample has hardly any two "Hotel"s next to each other, but a beach road does.
  nameGeneric: -1,
  nameGenericOnly: -1,
  numbersClash: -1.83,
  marksDiffer: -0.77,
  phoneSame: 1.08,
  // With the same phone number, another name is more often a new name than another place.
  phoneSameRenamed: 1,
  phoneDifferent: -0.64,
  websiteSame: 0.43,
  websiteOtherPage: -1.26,
  websiteNamesBoth: 0.28,
  websiteNamesOne: -0.33,
  houseSame: 1.44,
  houseDifferent: -1.92,
  unitsClash: -1.74,
  streetSame: 1.19,
  // A matching house number and street are one piece of evidence, so part of their sum is subtracted.
  houseAndStreetSame: -1.05,
  streetDifferent: -0.31,
  postcodeDifferent: -0.49,
  cityDifferent: -0.41,
  kindsClash: -0.78,
  // Set by hand, for every doubling of the distance beyond 40 m: only 325 of the labelled pairs have two positions.
  distance: -0.6,
} as const;

export type FeatureName = keyof typeof matchWeights;

export const bias = -1.8;

/** Minimum score. A wrong merge is worse than a missed one, so precision has priority. */
export const sameScoreMin = 0.8;
