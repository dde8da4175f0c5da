// The search of the reference. The server ranks with it for readers without script, the browser for all others.

const FOUND_MAX = 12;

/** Letters and digits in small letters, parted by single spaces. */
export const fold = (text) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The topics that have every word of the query or begin with it, those first that have it in their title. */
export function rankTopics(topics, query) {
  const wanted = fold(query);
  if (wanted === '') return [];
  return topics
    .map((topic, at) => ({ topic, at, points: pointsOf(topic, wanted) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points || a.at - b.at)
    .slice(0, FOUND_MAX)
    .map(({ topic }) => topic);
}

function pointsOf({ href, title, page, words }, wanted) {
  const name = fold(title);
  const id = fold(href.slice(href.indexOf('#') + 1));
  const begins = name.startsWith(wanted) ? 50 : ` ${name}`.includes(` ${wanted}`) ? 25 : 0;
  let points = name === wanted || id === wanted ? 100 : begins;
  for (const word of wanted.split(' ')) {
    const found =
      pointsOfWord(name, word) * 4 ||
      pointsOfWord(id, word) * 3 ||
      pointsOfWord(fold(page), word) * 2 ||
      pointsOfWord(words, word);
    if (found === 0) return 0;
    points += found;
  }
  return points;
}

/** A whole word is worth more than a begun one, and a part within a word the least. */
function pointsOfWord(text, word) {
  if (` ${text} `.includes(` ${word} `)) return 3;
  if (` ${text}`.includes(` ${word}`)) return 2;
  return word.length > 2 && text.includes(word) ? 1 : 0;
}
