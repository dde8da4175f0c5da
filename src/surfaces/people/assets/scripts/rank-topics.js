// Search of the reference. The server uses it for readers without scripts, the browser for all others.

const RESULTS_MAX = 12;

/** Lower-cases letters and digits and separates words by single spaces. */
export const fold = (text) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns the topics that contain every word of the query, best match first; matches in the title count most. */
export function rankTopics(topics, query) {
  const folded = fold(query);
  if (folded === '') return [];
  return topics
    .map((topic, at) => ({ topic, at, points: pointsOf(topic, folded) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points || a.at - b.at)
    .slice(0, RESULTS_MAX)
    .map(({ topic }) => topic);
}

function pointsOf({ href, title, page, words }, folded) {
  const name = fold(title);
  const id = fold(href.slice(href.indexOf('#') + 1));
  const begins = name.startsWith(folded) ? 50 : ` ${name}`.includes(` ${folded}`) ? 25 : 0;
  let points = name === folded || id === folded ? 100 : begins;
  for (const word of folded.split(' ')) {
    const wordPoints =
      pointsOfWord(name, word) * 4 ||
      pointsOfWord(id, word) * 3 ||
      pointsOfWord(fold(page), word) * 2 ||
      pointsOfWord(words, word);
    if (wordPoints === 0) return 0;
    points += wordPoints;
  }
  return points;
}

/** Scores a whole word above a prefix, and a prefix above a match within a word. */
function pointsOfWord(text, word) {
  if (` ${text} `.includes(` ${word} `)) return 3;
  if (` ${text}`.includes(` ${word}`)) return 2;
  return word.length > 2 && text.includes(word) ? 1 : 0;
}
