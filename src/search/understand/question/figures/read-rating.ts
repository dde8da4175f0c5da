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

const ABOVE =
  'over|above|more than|higher than|better than|über|mehr als|besser als|plus de|supérieure à|más de|superior a|più di|oltre|superiore a|mais de|acima de|meer dan|hoger dan|boven|lebih dari|di atas';
const LEAST =
  "at least|minimum|min|of at least|from|mindestens|ab|von mindestens|au moins|d[’']au moins|minimum de|al menos|de al menos|mínimo|mínima de|como mínimo|almeno|di almeno|minimo|pelo menos|de pelo menos|no mínimo|minstens|van minstens|minimaal|vanaf|minimal|setidaknya";
const COMPARED = String.raw`(?:(?<above>${ABOVE})|(?:${LEAST}))`;
const RATED =
  'rated|rating|ratings|a rating|bewertet mit|bewertung|note|noté|notée|valoración|puntuación|voto|valutazione|avaliação|nota|beoordeling|waardering';
const SCORE = String.raw`(?<score>[1-5](?:[.,]\d)?)(?![\d.,]*\d)`;
const STARS =
  'stars? rating|star rating|rating|sternen? bewertung|sterne bewertung|sternen bewertet|sterne bewertet|or (?:higher|better|more) rating|(?:stars? )?on average';
const RATING = [
  new RegExp(
    String.raw`(?<!\p{L})(?:${RATED})\s(?:of\s|von\s|de\s|di\s|van\s)?(?:${COMPARED}\s)?${SCORE}(?<more>\s?\+|\sor (?:more|higher|better|above)|\soder (?:mehr|besser)|\sou plus|\so más|\so più|\sou mais|\sof (?:meer|hoger)|\satau lebih)?(?:\s(?:stars?|sternen?|étoiles|estrellas|stelle|estrelas|sterren|bintang))?(?!\p{L})`,
    'iu',
  ),
  new RegExp(String.raw`(?<!\p{L})${COMPARED}\s${SCORE}\s(?:${STARS})(?!\p{L})`, 'iu'),
];
const REVIEWS = new RegExp(
  String.raw`(?<!\p{L})${COMPARED}\s(?<count>\d[\d.,]*)\s(?:reviews?|ratings|bewertungen|rezensionen|avis|reseñas|opiniones|valoraciones|recensioni|avaliações|beoordelingen|recensies|ulasan)(?!\p{L})`,
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
