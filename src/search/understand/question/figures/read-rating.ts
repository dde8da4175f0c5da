import words from '../../lexicon/figure-words.json' with { type: 'json' };

const WORDS = words.rating;

/** Rating and review count bounds in a question. Both are stored facts. */
export interface AskedRating {
  /** Minimum rating and minimum number of reviews; undefined when not named. */
  rating: Bound | undefined;
  reviews: Bound | undefined;
  texts: string[];
  rest: string;
}

export interface Bound {
  min: number;
  /** True when the bound is exclusive: "over 4.5". */
  above: boolean;
}

const COMPARED = String.raw`(?:(?<above>${WORDS.above})|(?:${WORDS.at_least}))`;
const SCORE = String.raw`(?<score>[1-5](?:[.,]\d)?)(?![\d.,]*\d)`;
const RATING = [
  new RegExp(
    String.raw`(?<!\p{L})(?:${WORDS.rated})\s(?:of\s|von\s|de\s|di\s|van\s)?(?:${COMPARED}\s)?${SCORE}(?<more>${WORDS.or_more})?(?:\s(?:${WORDS.stars}))?(?!\p{L})`,
    'iu',
  ),
  new RegExp(String.raw`(?<!\p{L})${COMPARED}\s${SCORE}\s(?:${WORDS.score_of})(?!\p{L})`, 'iu'),
];
const REVIEWS = new RegExp(
  String.raw`(?<!\p{L})${COMPARED}\s(?<count>\d[\d.,]*)\s(?:${WORDS.reviews})(?!\p{L})`,
  'iu',
);

/** Reads "rated at least 4.5" and "more than 1000 reviews" in a question. */
export function readRating(question: string): AskedRating {
  const result: AskedRating = { rating: undefined, reviews: undefined, texts: [], rest: question };
  const take = (match: RegExpExecArray) => {
    result.texts.push(match[0].trim());
    result.rest = result.rest.replace(match[0], ' ');
  };
  const reviews = REVIEWS.exec(result.rest);
  if (reviews !== null) {
    result.reviews = boundOf(reviews, (reviews.groups?.['count'] ?? '').replace(/[.,]/g, ''));
    take(reviews);
  }
  const rating = RATING.map((form) => form.exec(result.rest)).find((match) => match !== null);
  if (rating !== undefined) {
    result.rating = boundOf(rating, (rating.groups?.['score'] ?? '').replace(',', '.'));
    take(rating);
  }
  return result;
}

function boundOf({ groups }: RegExpExecArray, figure: string): Bound {
  return { min: Number(figure), above: groups?.['above'] !== undefined };
}

export function reaches(value: number, { min, above }: Bound): boolean {
  return above ? value > min : value >= min;
}
