// Patterns for a claim of an award or a rating. "star" counts only after a number: alone it is a common word.
const CLAIMS = [
  /\baward(?:s|ed)?\b|\baward-winning\b|\bprize(?:s|-winning)?\b/i,
  /\bmichelin\b|\bbib gourmand\b|\bgault\s*&?\s*millau\b|\bjames beard\b|\bworld'?s 50 best\b/i,
  /\b(?:[1-5]|one|two|three|four|five)[\s-]?stars?\b/i,
  /\b(?:rated|rating|ranked|voted)\b/i,
  /\b\d(?:[.,]\d)?\s*(?:\/|out of|of)\s*(?:5|10)\b/i,
  /\b(?:no\.?|number|#)\s*(?:1|one)\b/i,
  /\bbest\s+(?:\w+\s+){0,3}(?:in|of)\s+(?:the\s+)?(?:world|country|city|town|island|region|\p{Lu})/u,
  /\b(?:certificate of excellence|travell?ers'? choice)\b/i,
];

/** True when a description claims an award or a rating, which has to be true and needs a source. */
export function makesClaim(description: string): boolean {
  return CLAIMS.some((pattern) => pattern.test(description));
}
