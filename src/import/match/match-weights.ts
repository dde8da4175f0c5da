/**
 * Logistic regression: the weights of the features are added to `bias`, and the sum becomes a score from 0 to 1. They
 * were fitted on two thirds of 3,000 labelled pairs (67 countries, L2 penalty 1); test/import/match measures the other
 * third.
 */
export const matchWeights = {
  nameContainment: { weight: 1.25, says: 'one name contains the words of the other' },
  nameLetters: { weight: 1.16, says: 'the names are written alike' },
  nameIdentical: { weight: 0.93, says: 'the names are identical' },
  nameExact: { weight: 0.73, says: 'all distinctive words of the names agree' },
  nameLong: { weight: 0.66, says: 'the names agree in several distinctive words' },
  nameSurplus: { weight: 1.03, says: 'one name only adds words to the other' },
  nameConflict: { weight: -1.7, says: 'both names have distinctive words that the other lacks' },
  partOnly: { weight: -2.98, says: 'only one name mentions a part or department' },
  // Set by hand, fitted -0.38: the sample has hardly any two "Hotel"s next to each other, but a beach road does.
  nameGeneric: { weight: -1, says: 'the names only say what kind of place it is' },
  numbersClash: { weight: -1.83, says: 'the names carry different numbers' },
  marksDiffer: { weight: -0.77, says: 'the names differ in a letter or Roman number' },
  phoneSame: { weight: 1.08, says: 'the phone numbers are the same' },
  // With the same phone number, another name is more often a new name than another place.
  phoneSameRenamed: { weight: 1, says: 'the phone is the same although the names differ' },
  phoneDifferent: { weight: -0.64, says: 'the phone numbers differ' },
  websiteSame: { weight: 0.43, says: 'the websites are the same' },
  websiteOtherPage: { weight: -1.26, says: 'the websites are different pages of one site' },
  websiteNamesBoth: { weight: 0.28, says: 'the website resembles both names' },
  websiteNamesOne: { weight: -0.33, says: 'the website resembles only one of the names' },
  houseSame: { weight: 1.44, says: 'the house numbers agree' },
  houseDifferent: { weight: -1.92, says: 'the house numbers differ' },
  unitsClash: { weight: -1.74, says: 'the addresses are different units of one building' },
  streetSame: { weight: 1.19, says: 'the streets agree' },
  // A matching house number and street are one piece of evidence, so part of their sum is subtracted.
  houseAndStreetSame: { weight: -1.05, says: 'house number and street count as one' },
  streetDifferent: { weight: -0.31, says: 'the streets differ' },
  postcodeDifferent: { weight: -0.49, says: 'the postcodes differ' },
  cityDifferent: { weight: -0.41, says: 'the towns differ' },
  kindsClash: { weight: -0.78, says: 'the categories are of different kinds' },
  // Set by hand, for every doubling of the distance beyond 40 m: only 325 of the labelled pairs have two positions.
  distance: { weight: -0.6, says: 'the positions are far apart' },
} as const;

export type FeatureName = keyof typeof matchWeights;

export const bias = -1.8;

/**
 * Minimum score of the same place. A wrong merge puts one venue's phone on another, while a missed one leaves two
 * listings, so precision has priority.
 */
export const sameScoreMin = 0.8;
