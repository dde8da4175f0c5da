import type { Tool } from '../host.ts';
import { wordsOf } from './words.ts';

// A word in the name of a tool says more than one in its description.
const NAME_WEIGHT = 3;

/** The tools by how well name and description fit what is to be done; rare words count more. */
export function rankTools(tools: readonly Tool[], toDo: string): Tool[] {
  const described = tools.map((tool) => ({
    tool,
    name: new Set(wordsOf(tool.name.replaceAll('_', ' '))),
    about: new Set(wordsOf(tool.description)),
  }));
  const wanted = new Set(wordsOf(toDo));
  const weight = (word: string) => {
    const having = described.filter(({ name, about }) => name.has(word) || about.has(word)).length;
    return having === 0 ? 0 : Math.log(1 + tools.length / having);
  };
  const score = ({ name, about }: (typeof described)[number]) =>
    [...wanted].reduce(
      (sum, word) => sum + weight(word) * (name.has(word) ? NAME_WEIGHT : about.has(word) ? 1 : 0),
      0,
    );
  return described
    .map((one) => ({ tool: one.tool, score: score(one) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}
